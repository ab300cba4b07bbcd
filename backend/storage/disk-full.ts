import { BlobStoreFullError } from "./blob-store.ts";

/** Something was not begun because the disk has no room for it. `message` is a sentence. */
export class DiskFullError extends Error {}

/*
 * Everybody's way to tell a full disk, the processes that parse and render included: this file and what it imports are a few
 * lines, and open nothing.
 */

/** Codes of file systems (full, over its quota) and of PostgreSQL. */
const codes = new Set<unknown>(["ENOSPC", "EDQUOT", "53100"]);

/** Whether something failed, or what caused it, because a disk, a quota or a store of files is full. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof DiskFullError || error instanceof BlobStoreFullError) return true;
  if (typeof error !== "object" || error === null) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return codes.has(code) || isDiskFull(cause);
}

/** In words of the C library, as programs like ffmpeg and PostgreSQL say it, and of PGlite, which gives the number alone. */
const words = /No space left on device|Dis[ck] quota exceeded|errno: (19|51)\b/i;

/** Whether a program that has no codes for us says that the disk, or a quota, is full. */
export function saysDiskFull(text: string): boolean {
  return words.test(text);
}
