import { BlobStoreFullError } from "./blob-store.ts";

/** Something was not begun because the disk has no room for it. `message` is a sentence. */
export class DiskFullError extends Error {}

/** Codes of file systems (full, over its quota) and of PostgreSQL. */
const codes = new Set<unknown>(["ENOSPC", "EDQUOT", "53100"]);

/** Whether something failed, or what caused it, because a disk, a quota or a store of files is full. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof DiskFullError || error instanceof BlobStoreFullError) return true;
  if (typeof error !== "object" || error === null) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return codes.has(code) || isDiskFull(cause);
}
