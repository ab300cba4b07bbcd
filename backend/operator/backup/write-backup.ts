import { existsSync } from "node:fs";
import { type FileHandle, mkdtemp, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deleteHeldBlobs } from "../../retention/delete-held.ts";
import type { Services } from "../../services.ts";
import { DiskFullError, isDiskFull } from "../../storage/disk-full.ts";
import { abortWhenFull, watchDiskSpace } from "../../storage/disk-space.ts";
import { holdDeletions } from "../../storage/held-deletions.ts";
import { OperatorError } from "../operator-error.ts";
import {
  appliedMigrations,
  dumpTable,
  ownTableNames,
  sequencesOf,
  tablePath,
  writeTimesInUtc,
} from "../stored-tables.ts";
import { type BackupCheck, type BackupHead, type BackupReport, backupFormat, names } from "./backup-format.ts";
import { asLines, type DatabaseDump, packBackup } from "./pack-backup.ts";

/** Deletions that began before deletions were held are done by then. */
const settleMs = 2000;

/** An unfinished file that was not touched for this long belongs to a process that is gone. */
export const leftOverAfterMs = 12 * 3600_000;
/** While nothing is written into it: a large store takes long to list. */
const touchEveryMs = 10 * 60_000;

/** The backup exists, or another process is writing it. */
export class BackupTakenError extends OperatorError {}

/**
 * Writes the database and blobs of one moment into a file while the server runs: the rows of one snapshot, and every blob that they name,
 * since none is deleted meanwhile. The file gets its name when it is complete; until then it ends in `.part`. It is not begun if it would
 * not leave the disk's reserve free, and given up when others use that room (decision 055).
 * @param path must not exist yet; its folder must
 * @throws BackupTakenError when it exists, or another process writes it
 * @throws OperatorError with a sentence
 */
export async function writeBackup(services: Services, path: string): Promise<BackupReport> {
  if (!existsSync(dirname(path))) throw new OperatorError(`There is no folder ${dirname(path)}.`);
  try {
    const unfinished = await takeUnfinished(`${path}.part`);
    try {
      // Checked only now: whoever had `.part` a moment ago may have finished it.
      if (existsSync(path)) {
        throw new BackupTakenError(`${path} is there already. Choose another name; nothing was written.`);
      }
      const report = await copyAll(services, unfinished.file, dirname(path));
      await unfinished.keepAs(path);
      return report;
    } finally {
      await unfinished.close();
      // The backup is complete without this; retention tries again.
      await deleteHeldBlobs(services).catch((err: unknown) =>
        services.log.warn({ err }, "held deletions left for later"),
      );
    }
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new OperatorError(
      "The disk is full. Nothing was kept of the backup; name a file on another disk, or make room.",
    );
  }
}

interface Unfinished {
  file: FileHandle;
  /** @throws BackupTakenError when another process took this file for a leftover */
  keepAs(path: string): Promise<void>;
  /** Deletes the file unless it was kept. */
  close(): Promise<void>;
}

/** Of several processes that begin at once, only one gets it. */
async function takeUnfinished(path: string): Promise<Unfinished> {
  const there = await stat(path).catch(() => null);
  if (there && Date.now() - there.mtimeMs > leftOverAfterMs) await rm(path, { force: true });
  const taken = (cause: unknown) =>
    new BackupTakenError(
      `Another process writes ${path}, or was ended while it did. Delete that file if none does; nothing was written.`,
      { cause },
    );
  const file = await open(path, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? taken(error) : error;
  });
  const touching = setInterval(() => file.utimes(new Date(), new Date()).catch(() => {}), touchEveryMs).unref();
  const { ino } = await file.stat();
  const isOwn = async () => (await stat(path).catch(() => null))?.ino === ino;
  return {
    file,
    async keepAs(name) {
      clearInterval(touching);
      await file.close();
      if (!(await isOwn())) throw taken(undefined);
      await rename(path, name);
    },
    async close() {
      clearInterval(touching);
      await file.close();
      if (await isOwn()) await rm(path, { force: true });
    },
  };
}

async function copyAll(services: Services, file: FileHandle, into: string): Promise<BackupReport> {
  const folder = await mkdtemp(join(services.scratchDirectory, "backup-"));
  const held = await holdDeletions(services.database);
  const space = watchDiskSpace([into, folder], services.config.DISK_RESERVE_BYTES);
  const whenFull = abortWhenFull(space);
  /** @throws DiskFullError if a file of this many bytes would use the disk's reserve */
  const needRoom = (bytes: number) => {
    const there = watchDiskSpace([into], services.config.DISK_RESERVE_BYTES);
    if (there.freeBytes() - there.reserveBytes() < bytes) throw new DiskFullError("The disk has no room for a backup.");
  };
  try {
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    const dump = await dumpDatabase(services, folder, whenFull.signal);
    return await packBackup(services.blobs, dump, file, { signal: whenFull.signal, needRoom });
  } finally {
    whenFull.stop();
    await rm(folder, { recursive: true, force: true });
    await held.release();
  }
}

/** Rows and open jobs of one snapshot, as files of lines. */
async function dumpDatabase({ database, jobs }: Services, folder: string, signal: AbortSignal): Promise<DatabaseDump> {
  const all = await ownTableNames(database);
  const tables: BackupCheck["tables"] = {};
  const head = await database
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (transaction): Promise<BackupHead> => {
      await writeTimesInUtc(transaction);
      for (const table of all) tables[table] = await dumpTable(transaction, table, tablePath(folder, table), signal);
      const open = await jobs.allOpen(transaction);
      const lines = open.map(({ name, payload, ownerId, isAutomatic }) =>
        JSON.stringify({ name, payload, owner_id: ownerId, automatic: isAutomatic }),
      );
      await writeFile(join(folder, names.jobs), asLines(lines));
      return {
        format: backupFormat,
        made_at: new Date().toISOString(),
        migrations: await appliedMigrations(transaction),
        sequences: await sequencesOf(transaction),
      };
    });
  return { folder, head, tables };
}
