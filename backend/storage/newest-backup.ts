import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** "clutchcast-2026-11-23.backup" */
export const backupName = /^clutchcast-\d{4}-\d{2}-\d{2}\.backup$/;

/** A daily backup in BACKUP_DIR; `at` is when it was finished. */
export interface BackupFile {
  name: string;
  at: Date;
  bytes: number;
  /** How many backups there are, this one included. */
  kept: number;
}

/** The newest daily backup of a folder; null if there is none. */
export async function newestBackupFile(folder: string): Promise<BackupFile | null> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => backupName.test(name)).sort();
  const name = names.at(-1);
  if (name === undefined) return null;
  const { mtime, size } = await stat(join(folder, name));
  return { name, at: mtime, bytes: size, kept: names.length };
}

/** When the newest daily backup was finished; null if there is none. */
export async function newestBackup(folder: string): Promise<Date | null> {
  return (await newestBackupFile(folder))?.at ?? null;
}
