import { BlobStoreFullError } from "./blob-store.ts";

/** Something was not begun because the disk has no room for it. `message` is a sentence. */
export class DiskFullError extends Error {}

/*
 * Detects a full disk for all processes, including those that parse and render: this file and its imports are a few lines, and open
 * nothing.
 */

/** Codes of file systems (full, quota exceeded) and of PostgreSQL. */
const codes = new Set<unknown>(["ENOSPC", "EDQUOT", "53100"]);

/** Whether an error or one of its causes is a full disk, quota or blob store. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof DiskFullError || error instanceof BlobStoreFullError) return true;
  if (typeof error !== "object" || error === null) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return codes.has(code) || isDiskFull(cause);
}

/** Messages of the C library, as in ffmpeg and PostgreSQL, and of PGlite, which reports only the number. */
const words = /No space left on device|Dis[ck] quota exceeded|errno: (19|51)\b/i;

/** Whether the output of a program without error codes reports a full disk or quota. */
export function reportsDiskFull(text: string): boolean {
  return words.test(text);
}
