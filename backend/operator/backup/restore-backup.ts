import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Kysely, sql } from "kysely";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import type { JobName, JobPayloads, OpenJob } from "../../jobs/job-queue.ts";
import { keepRestoredJobs } from "../../jobs/restored-jobs.ts";
import { openServices } from "../../open-services.ts";
import { databaseProblem } from "../../storage/database-problem.ts";
import { migrate } from "../../storage/migrate.ts";
import { migrations } from "../../storage/migrations/index.ts";
import { openBlobStore } from "../../storage/open-blob-store.ts";
import { openDatabaseAt } from "../../storage/open-database.ts";
import type { Database } from "../../storage/schema.ts";
import { OperatorError } from "../operator-error.ts";
import { keepClosed } from "../operator-socket.ts";
import { refuseServed } from "../served-database.ts";
import {
  disableChecks,
  loadTable,
  RowHash,
  rowsOf,
  setSequence,
  tableNames,
  tablePath,
  writeTimesInUtc,
} from "../stored-tables.ts";
import {
  type BackupCheck,
  type BackupHead,
  type BackupReport,
  backupFormat,
  jobLineSchema,
  names,
} from "./backup-format.ts";
import {
  halfRestoredIn,
  markUnfinished,
  refuseFilled,
  refuseFilledBucket,
  refuseFilledFolder,
  refuseNewerVersion,
  unmarkUnfinished,
} from "./restore-target.ts";
import { damaged, readHead, unpackBackup } from "./unpack-backup.ts";

/**
 * Fills an empty place with a backup: the blobs first, then all rows and open jobs in one transaction, comparing rows with the backup's
 * hashes. Then the database is migrated to this version and the jobs go into its queue. The configuration decides whether the database is
 * embedded, whatever the backup was made from. No server may run on it. If interrupted, calling it again with the same backup starts over.
 * @param besideOthers a bucket may have files that the backup does not know, of its own server whose database was lost
 * @throws OperatorError with a sentence; the database is then as empty as before
 */
export async function restoreBackup(
  config: Config,
  log: Logger,
  path: string,
  { besideOthers = false } = {},
): Promise<BackupReport> {
  if (!existsSync(path)) throw new OperatorError(`There is no file ${path}.`);
  const { head, id } = await readHead(path);
  refuseNewer(head);
  await refuseFilledFolder(config, id);
  await mkdir(resolve(config.DATA_DIR), { recursive: true });
  const report = await withDatabase(config, log, async (database) => {
    if (config.DATABASE_URL) await refuseServed(database);
    const hasRows = (await halfRestoredIn(database)) === id;
    if (!hasRows) {
      await refuseFilled(database);
      await refuseNewerVersion(database, head);
    }
    await markUnfinished(config, id);
    // On the disk that the files are for: a temporary folder may be in memory.
    const scratch = resolve(config.DATA_DIR, "scratch");
    await mkdir(scratch, { recursive: true });
    const folder = await mkdtemp(join(scratch, "restore-"));
    try {
      const store = await openBlobStore(config, folder);
      const { check, blobBytes } = await unpackBackup(path, folder, store, async (keys) => {
        // A folder was checked already.
        if (config.S3_BUCKET && !besideOthers) await refuseFilledBucket(config.S3_BUCKET, store, keys);
      });
      if (!hasRows) await fillDatabase(config, database, folder, { head, id, check });
      const rows = Object.values(check.tables).reduce((sum, table) => sum + table.rows, 0);
      return { rows, blobs: Object.keys(check.blobs).length, blobBytes };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
  // Opening migrates the database to this version, and sends the jobs.
  const { close } = await openServices(config);
  try {
    await unmarkUnfinished(config);
  } finally {
    await close();
  }
  return report;
}

/** Keeps an embedded database from being opened by others meanwhile. */
async function withDatabase<Result>(
  config: Config,
  log: Logger,
  work: (database: Kysely<Database>) => Promise<Result>,
): Promise<Result> {
  const { database, close } = await openDatabaseAt(null, config, log);
  try {
    if (config.DATABASE_URL) return await work(database);
    const closed = await keepClosed(config.DATA_DIR, log, "A backup is being restored here. Wait for that to end.");
    try {
      return await work(database);
    } finally {
      await closed.close();
    }
  } finally {
    await close();
  }
}

function refuseNewer(head: BackupHead): void {
  const unknown = head.migrations.find((name) => !(name in migrations));
  if (head.format <= backupFormat && !unknown) return;
  throw new OperatorError(
    `This backup is of a newer Clutchcast${unknown ? ` (${unknown})` : ""}. Restore it with that version.`,
  );
}

async function fillDatabase(
  { DATABASE_URL: url }: Config,
  database: Kysely<Database>,
  folder: string,
  { head, id, check }: { head: BackupHead; id: string; check: BackupCheck },
): Promise<void> {
  await migrate(database, head.migrations.at(-1)!).catch((error) => {
    throw databaseProblem(error, url) ?? error;
  });
  // Restoring the blobs may have taken hours.
  if (url) await refuseServed(database, "then call the same command");
  await refuseFilled(database);
  // Only these: another program's tables may be in the same schema.
  const tables = Object.keys(check.tables);
  const there = await tableNames(database);
  const missing = tables.find((table) => !there.includes(table));
  if (missing) throw new OperatorError(`${damaged}: its version knows no table ${missing}.`);
  await database.transaction().execute(async (transaction) => {
    await writeTimesInUtc(transaction);
    const holdOn = await disableChecks(transaction, tables);
    // Rows that migrations insert.
    for (const table of tables) await sql`DELETE FROM ${sql.table(table)}`.execute(transaction);
    for (const [table, { rows: expected, hash }] of Object.entries(check.tables)) {
      await loadTable(transaction, table, tablePath(folder, table));
      const loaded = new RowHash();
      for await (const row of rowsOf(transaction, table)) loaded.add(row);
      if (loaded.rows !== expected || loaded.check.hash !== hash) {
        throw new OperatorError(`${damaged}: of ${table} ${loaded.rows} of ${expected} rows came back, or changed.`);
      }
    }
    for (const sequence of head.sequences) await setSequence(transaction, sequence);
    await keepRestoredJobs(transaction, id, await openJobs(join(folder, names.jobs)));
    await holdOn();
  });
}

/** Jobs that waited or ran, which continue for their owners. */
async function openJobs(path: string): Promise<OpenJob[]> {
  return (await readFile(path, "utf8"))
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const { name, payload, owner_id: ownerId, automatic: isAutomatic } = jobLineSchema.parse(JSON.parse(line));
      return { name: name as JobName, payload: payload as JobPayloads[JobName], ownerId, isAutomatic };
    });
}
