import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const hourMs = 3600_000;

/** How often a process touches its part of the scratch folder. */
export const scratchTouchedEveryMs = hourMs;

/**
 * A part that was not touched for this long belongs to a process that is gone. Judged by time, because other machines may share the folder.
 */
const leftAfterMs = 3 * scratchTouchedEveryMs;

/**
 * Deletes what killed processes left in the scratch folder: a demo, a backup's tables, gigabytes.
 * @param root the folder of all processes
 * @param own this process's part, which stays whatever its time
 * @returns how many parts
 */
export async function deleteLeftScratchParts(root: string, own: string | null): Promise<number> {
  let deleted = 0;
  for (const name of await readdir(root)) {
    const path = join(root, name);
    if (path === own) continue;
    const part = await stat(path).catch(() => null);
    if (!part || Date.now() - part.mtimeMs <= leftAfterMs) continue;
    await rm(path, { recursive: true, force: true });
    deleted++;
  }
  return deleted;
}
