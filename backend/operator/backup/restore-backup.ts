import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { type Kysely, sql } from "kysely";
import { createTarDecoder } from "modern-tar";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import type { JobName, JobPayloads, OpenJob } from "../../jobs/job-queue.ts";
import { halfRestored, keepRestoredJobs } from "../../jobs/restored-jobs.ts";
import { openServices } from "../../open-services.ts";
import type { BlobStore } from "../../storage/blob-store.ts";
import { databaseProblem } from "../../storage/database-problem.ts";
import { syncFolder } from "../../storage/durable-files.ts";
import { migrate } from "../../storage/migrate.ts";
import { migrations } from "../../storage/migrations/index.ts";
import { blobFolder, openBlobStore } from "../../storage/open-blob-store.ts";
import { openDatabaseAt } from "../../storage/open-database.ts";
import { ownBlobs } from "../../storage/own-blobs.ts";
import type { Database } from "../../storage/schema.ts";
import { OperatorError } from "../operator-error.ts";
import { keepClosed } from "../operator-socket.ts";
import { refuseServed } from "../served-database.ts";
import {
  appliedMigrations,
  disableChecks,
  filledTable,
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
  blobLineSchema,
  checkSchema,
  headSchema,
  jobLineSchema,
  names,
} from "./backup-format.ts";

const damaged = "This is not a whole backup of Clutchcast";

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
    const isIn = (await halfRestoredIn(database)) === id;
    if (!isIn) {
      await refuseFilled(database);
      await refuseNewerVersion(database, head);
    }
    await markUnfinished(config, id);
    // On the disk that the files are for: a temporary folder may be in memory.
    const scratch = resolve(config.DATA_DIR, "scratch");
    await mkdir(scratch, { recursive: true });
    const folder = await mkdtemp(join(scratch, "restore-"));
    try {
      const unpacked = await unpack(config, folder, path, besideOthers);
      if (!isIn) await fillDatabase(config, database, folder, { head, id, check: unpacked.check });
      return reportOf(unpacked);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
  // Opening migrates the database to this version, and sends the jobs.
  const { close } = await openServices(config);
  try {
    await rm(markOf(config), { force: true });
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

type Entry = { header: { name: string; size: number }; body: ReadableStream<Uint8Array> };

function entriesOf(path: string): ReadableStreamDefaultReader<Entry> {
  const file = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  return file.pipeThrough(createTarDecoder()).getReader();
}

/** @returns the head of the backup, and an id that is the same for every copy of the file */
async function readHead(path: string): Promise<{ head: BackupHead; id: string }> {
  const entries = entriesOf(path);
  try {
    const entry = await entries.read();
    if (entry.done || entry.value.header.name !== names.head) throw new OperatorError(`${damaged}: ${path}.`);
    const text = await new Response(entry.value.body).text();
    return { head: headSchema.parse(JSON.parse(text)), id: createHash("sha256").update(text).digest("hex") };
  } catch (error) {
    throw asDamaged(error, path);
  } finally {
    await entries.cancel().catch(() => {});
  }
}

function asDamaged(error: unknown, path: string): unknown {
  if (error instanceof OperatorError || (error as NodeJS.ErrnoException).code) return error;
  return new OperatorError(`${damaged}: ${path} (${error instanceof Error ? error.message.split("\n")[0] : error}).`);
}

interface Unpacked {
  check: BackupCheck;
  blobBytes: number;
}

const reportOf = ({ check, blobBytes }: Unpacked): BackupReport => ({
  rows: Object.values(check.tables).reduce((sum, { rows }) => sum + rows, 0),
  blobs: Object.keys(check.blobs).length,
  blobBytes,
});

async function unpack(config: Config, folder: string, path: string, besideOthers: boolean): Promise<Unpacked> {
  const store = await openBlobStore(config, folder);
  const contentTypes = new Map<string, string>();
  const found: BackupCheck["blobs"] = {};
  let check: BackupCheck | null = null;
  let blobBytes = 0;
  try {
    const entries = entriesOf(path);
    // One after the other: the next begins where the body of this one ended.
    for (let entry = await entries.read(); !entry.done; entry = await entries.read()) {
      const { header, body } = entry.value;
      const { name } = header;
      const text = () => new Response(body).text();
      if (name === names.head) await text();
      else if (name === names.check) check = checkSchema.parse(JSON.parse(await text()));
      else if (name === names.blobList) {
        for (const line of (await text()).split("\n").filter(Boolean)) {
          const { key, content_type: type } = blobLineSchema.parse(JSON.parse(line));
          contentTypes.set(key, type);
        }
        // Before the first blob. A folder was checked already.
        if (config.S3_BUCKET && !besideOthers) await refuseFilledBucket(config.S3_BUCKET, store, contentTypes);
      } else if (name.startsWith(names.tables) || name === names.jobs) {
        const table = /^tables\/(\w+)\.jsonl$/.exec(name)?.[1];
        if (name !== names.jobs && table === undefined) throw new OperatorError(`${damaged}: it has “${name}” in it.`);
        await keep(body, table === undefined ? join(folder, names.jobs) : tablePath(folder, table));
      } else if (name.startsWith(names.blobs)) {
        const key = name.slice(names.blobs.length);
        const copy = join(folder, "blob");
        found[key] = await keep(body, copy);
        blobBytes += header.size;
        await store.putFile(key, copy, contentTypes.get(key) ?? "application/octet-stream");
        await rm(copy, { force: true });
      } else throw new OperatorError(`${damaged}: it has “${name}” in it.`);
    }
  } catch (error) {
    throw asDamaged(error, path);
  }
  if (!check) throw new OperatorError(`${damaged}: the end of ${path} is missing.`);
  const broken = Object.keys({ ...check.blobs, ...found }).filter((key) => check.blobs[key] !== found[key]);
  if (broken.length > 0) {
    throw new OperatorError(`${damaged}: ${broken.length} of its files are not as they were, for one ${broken[0]}.`);
  }
  return { check, blobBytes };
}

/** Blobs that no row names are deleted after a day: in a bucket that another server uses, all that it stored since the backup. */
async function refuseFilledBucket(bucket: string, store: BlobStore, own: ReadonlyMap<string, string>): Promise<void> {
  for await (const { key } of ownBlobs(store)) {
    if (own.has(key)) continue;
    throw new OperatorError(
      `The bucket ${bucket} has files that this backup does not know, for one ${key}. Whoever runs on what is restored deletes them after a day. ` +
        "Name an empty bucket; or, if no other server uses this one, call the same command with --beside-other-files. Nothing was changed.",
    );
  }
}

/** @returns the SHA-256 of the written bytes */
async function keep(body: ReadableStream<Uint8Array>, path: string): Promise<string> {
  const hash = createHash("sha256");
  const hashed = async function* (source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(Readable.fromWeb(body as NodeReadableStream), hashed, createWriteStream(path, { mode: 0o600 }));
  return hash.digest("hex");
}

function refuseNewer(head: BackupHead): void {
  const unknown = head.migrations.find((name) => !(name in migrations));
  if (head.format <= backupFormat && !unknown) return;
  throw new OperatorError(
    `This backup is of a newer Clutchcast${unknown ? ` (${unknown})` : ""}. Restore it with that version.`,
  );
}

/** File with the id of the backup being restored: files from before an interruption belong to it. */
const markOf = (config: Config) => join(resolve(config.DATA_DIR), "unfinished-restore");

async function markUnfinished(config: Config, id: string): Promise<void> {
  await writeFile(markOf(config), id, { mode: 0o600, flush: true });
  await syncFolder(resolve(config.DATA_DIR));
}

/** @throws OperatorError when there are files, unless an earlier call restored them from the same backup */
async function refuseFilledFolder(config: Config, id: string): Promise<void> {
  const folder = blobFolder(config.DATA_DIR);
  if (config.S3_BUCKET || !existsSync(folder)) return;
  const begun = await readFile(markOf(config), "utf8").catch(() => null);
  if (begun === id) return;
  const store = await openBlobStore(config, folder);
  for await (const _ of store.list("")) {
    throw new OperatorError(
      `There are files in ${folder} already${begun === null ? "" : ", of another backup whose restore was cut off"}. ` +
        "Restore into an empty DATA_DIR; nothing was changed.",
    );
  }
}

async function halfRestoredIn(database: Kysely<Database>): Promise<string | null> {
  const isThere = await sql`SELECT to_regclass('public.settings') AS name`.execute(database);
  return (isThere.rows[0] as { name: string | null }).name === null ? null : await halfRestored(database);
}

async function refuseFilled(database: Kysely<Database>): Promise<void> {
  if ((await filledTable(database)) === null) return;
  throw new OperatorError(
    "There is something in this database already. Restore into an empty one (DATA_DIR or DATABASE_URL).",
  );
}

/**
 * Rows are inserted into the tables of the version that wrote them, and later migrations convert them there. A database that a newer
 * version has begun would have other rows, or count those migrations as done.
 */
async function refuseNewerVersion(database: Kysely<Database>, head: BackupHead): Promise<void> {
  const { rows } = await sql<{ isThere: boolean }>`
    SELECT to_regclass('public.kysely_migration') IS NOT NULL AS "isThere"
  `.execute(database);
  const applied = rows[0]?.isThere ? await appliedMigrations(database) : [];
  if (applied.every((name) => head.migrations.includes(name))) return;
  throw new OperatorError(
    "This database was begun by a newer version than the one that wrote the backup. Restore into one in which nothing was " +
      "started yet (DATA_DIR or DATABASE_URL), with the version that you have: it brings the rows up to itself. Nothing was changed.",
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
