import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { localPath } from "../../contract/local-path.ts";

/** State that a sign-in carries to the identity provider and back in `return_to`. */
export interface SignInState {
  /** Identifies this attempt, so that it can be finished only once. */
  attempt: string;
  startedAt: Date;
  /** Path to show after sign-in. */
  next: string;
}

/** Longest time from start to return, enough for a password and a code from a phone. */
export const signInWithinMs = 15 * 60 * 1000;

const macLength = 43;

/** A browser's secret for its sign-ins, kept in a short-lived cookie: 256 bits. */
export function newBrowserSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** True for text in the form that `newBrowserSecret` makes. */
export function isBrowserSecret(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9_-]{43}$/.test(text);
}

/**
 * Writes the state as text for an address. It is signed with the browser's secret, so that only the browser that started the sign-in can
 * use it: nobody can be signed in to somebody else's account by a link.
 */
export function sealSignInState(browserSecret: string, now: Date, next: string): string {
  const fields = { a: randomBytes(16).toString("base64url"), t: now.getTime(), n: localPath(next) };
  const text = Buffer.from(JSON.stringify(fields)).toString("base64url");
  return `${text}.${signatureOf(browserSecret, text)}`;
}

/** Reads a state back; null when it was not sealed with this secret. The caller checks its age. */
export function openSignInState(browserSecret: string, sealed: string): SignInState | null {
  const [text = "", signature = "", ...rest] = sealed.split(".");
  if (rest.length > 0 || signature.length !== macLength) return null;
  const expected = Buffer.from(signatureOf(browserSecret, text));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const fields = JSON.parse(Buffer.from(text, "base64url").toString()) as { a: string; t: number; n: string };
  return { attempt: fields.a, startedAt: new Date(fields.t), next: localPath(fields.n) };
}

function signatureOf(browserSecret: string, text: string): string {
  return createHmac("sha256", browserSecret).update(`sign-in ${text}`).digest("base64url");
}
