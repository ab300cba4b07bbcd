import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Name of the file that fills the disk, in the given folder. */
export const filling = "filling";

/**
 * Fills a folder's disk to the last byte, including what was freed since the last call.
 * @param leftBytes room to leave in the end
 */
export function fillDisk(folder: string, leftBytes = 0): void {
  const file = openSync(join(folder, filling), "a");
  for (const bytes of [1024 ** 2, 4096, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes));
    } catch {
      // No more pieces of this size fit.
    }
  }
  ftruncateSync(file, fstatSync(file).size - leftBytes);
  closeSync(file);
}
