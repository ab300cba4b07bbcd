import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Services } from "../../services.ts";
import { backupName } from "../../storage/newest-backup.ts";
import { BackupTakenError, leftOverAfterMs, writeBackup } from "./write-backup.ts";

/**
 * Writes the backup of this day (UTC) into BACKUP_DIR unless it exists or another process is writing it. The oldest beyond BACKUPS_KEPT are
 * deleted when the new one is complete; after that number was lowered, its surplus is deleted before.
 * @returns its path; null when there was nothing to do
 */
export async function writeDailyBackup(services: Services): Promise<string | null> {
  const { config, diskSpace, log, now } = services;
  const { BACKUP_DIR: folder, BACKUPS_KEPT: kept } = config;
  if (folder === undefined) return null;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `clutchcast-${now().toISOString().slice(0, 10)}.backup`);
  const names = await readdir(folder);
  if (names.includes(basename(path))) return null;
  for (const name of names) if (name.endsWith(".backup.part")) await removeLeftOver(join(folder, name));
  await deleteOldest(folder, kept);
  if (diskSpace.isShort(true)) {
    log.warn("no backup today: the disk is nearly full");
    return null;
  }
  const report = await writeBackup(services, path).catch((error: unknown) => {
    if (error instanceof BackupTakenError) return null;
    throw error;
  });
  if (!report) return null;
  log.info({ path, ...report }, "backup written");
  await deleteOldest(folder, kept);
  return path;
}

async function deleteOldest(folder: string, kept: number): Promise<void> {
  const all = (await readdir(folder)).filter((name) => backupName.test(name)).sort();
  for (const name of all.slice(0, Math.max(0, all.length - kept))) await rm(join(folder, name), { force: true });
}

/** Others may be writing theirs: today's, or one begun by hand. */
async function removeLeftOver(path: string): Promise<void> {
  const unfinished = await stat(path).catch(() => null);
  if (unfinished && Date.now() - unfinished.mtimeMs > leftOverAfterMs) await rm(path, { force: true });
}
