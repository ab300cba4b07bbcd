import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

/** The file that takes the room, in the folder that is filled. */
export const filling = "filling";

/**
 * Takes every byte that is left on a folder's disk, and again what was given back meanwhile.
 * @param leftBytes these are given back in the end
 */
export function fillDisk(folder: string, leftBytes = 0): void {
  const file = openSync(join(folder, filling), "a");
  for (const bytes of [1024 ** 2, 4096, 1]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(bytes));
    } catch {
      // No more pieces of this size.
    }
  }
  ftruncateSync(file, fstatSync(file).size - leftBytes);
  closeSync(file);
}
