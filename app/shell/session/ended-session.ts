import { useSyncExternalStore } from "react";
import type { AuthStatus } from "../../../contract/schemas/accounts.ts";
import { askServer } from "../asking/ask-server.ts";

/** What an open page says once its session has ended. The page stays, with all that was ticked and typed on it. */
export const sessionEndedText = "Your session has ended. Sign in again to continue.";

let hasEnded = false;
let question: Promise<AuthStatus | null> | null = null;
const listeners = new Set<() => void>();

/**
 * Asks who is signed in and notes it for the whole page. Called when something was refused for want of a session, too: one
 * refused call alone signs nobody out.
 * @returns null when there was no answer; then nothing is known and nothing changes
 */
export function checkSession(): Promise<AuthStatus | null> {
  question ??= askForSession().finally(() => {
    question = null;
  });
  return question;
}

async function askForSession(): Promise<AuthStatus | null> {
  const response = await askServer("/session").catch(() => null);
  if (!response?.ok) return null;
  const status = (await response.json()) as AuthStatus;
  hasEnded = !status.authenticated;
  for (const listener of listeners) listener();
  return status;
}

/** True once a check has found nobody signed in; false again when somebody has signed in, in another tab for example. */
export function useSessionEnded(): boolean {
  return useSyncExternalStore(
    listen,
    () => hasEnded,
    () => false,
  );
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
