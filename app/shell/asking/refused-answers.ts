import { outOfReachText } from "../../api/api-failure.ts";
import { askServer } from "./ask-server.ts";

/**
 * The sentence of an answer that would refuse any request: a limit, a full disk, a server that is away.
 * @param answer null when there was none
 * @returns null for all other answers
 */
export async function refusalOf(answer: Response | null): Promise<string | null> {
  const status = answer?.status ?? 503;
  if (status < 502 && status !== 413 && status !== 429) return null;
  const body: unknown = await answer?.json().catch(() => null);
  const sentence = (body as { error?: unknown } | null | undefined)?.error;
  if (typeof sentence === "string") return sentence;
  // Pages that confirm a deletion answer HTML.
  return status === 429 ? "Too many requests. Please wait a minute." : outOfReachText;
}

/** True for Remix's error when it gets a page instead of data: from a proxy, or from this server when a limit is reached. */
export function isPageInPlaceOfData(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Unable to decode");
}

/** Remix keeps the refused answer to itself: the next one has the same reason. */
export async function reasonOfRefusal(): Promise<string> {
  const answer = await askServer("/session", { headers: { Accept: "application/json" } }).catch(() => null);
  return (await refusalOf(answer)) ?? outOfReachText;
}
