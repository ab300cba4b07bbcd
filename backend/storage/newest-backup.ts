import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** "clutchcast-2026-11-23.backup" */
export const backupName = /^clutchcast-\d{4}-\d{2}-\d{2}\.backup$/;

/** When the newest daily backup was finished; null: there is none. */
export async function newestBackup(folder: string): Promise<Date | null> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => backupName.test(name)).sort();
  const newest = names.at(-1);
  return newest === undefined ? null : (await stat(join(folder, newest))).mtime;
}
