import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { type Kysely, sql } from "kysely";
import { createTarDecoder } from "modern-tar";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import type { JobName, JobPayloads, OpenJob } from "../../jobs/job-queue.ts";
import { keepRestoredJobs } from "../../jobs/restored-jobs.ts";
import { openServices } from "../../open-services.ts";
import { migrations } from "../../storage/migrations/index.ts";
import { openBlobStore } from "../../storage/open-blob-store.ts";
import { openDatabaseAt } from "../../storage/open-database.ts";
import type { Database } from "../../storage/schema.ts";
import { OperatorError } from "../operator-error.ts";
import {
  filledTable,
  holdOffChecks,
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
 * Fills an empty place with a backup: the blobs first, then all rows and open jobs in one transaction, rows compared with the hashes of the
 * backup; then the database is brought up to this version and the jobs go into its queue. Works on what the configuration names, embedded or not, whatever the backup
 * was made of. Nothing may run on it.
 * @throws OperatorError with a sentence; the database is then as empty as before
 */
export async function restoreBackup(config: Config, log: Logger, path: string): Promise<BackupReport> {
  if (!existsSync(path)) throw new OperatorError(`There is no file ${path}.`);
  await mkdir(resolve(config.DATA_DIR), { recursive: true });
  const folder = await mkdtemp(join(tmpdir(), "clutchcast-restore-"));
  try {
    const unpacked = await unpack(config, folder, path);
    const report = await fillDatabase(config, log, folder, unpacked);
    // Opening brings the database up to this version, and sends the jobs.
    const { close } = await openServices(config);
    await close();
    return report;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Unpacked {
  head: BackupHead;
  check: BackupCheck;
  blobBytes: number;
}

async function unpack(config: Config, folder: string, path: string): Promise<Unpacked> {
  const store = await openBlobStore(config, folder);
  const contentTypes = new Map<string, string>();
  const found: BackupCheck["blobs"] = {};
  let head: BackupHead | null = null;
  let check: BackupCheck | null = null;
  let blobBytes = 0;
  try {
    const file = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
    const entries = file.pipeThrough(createTarDecoder()).getReader();
    // One after the other: the next begins where the body of this one ended.
    for (let entry = await entries.read(); !entry.done; entry = await entries.read()) {
      const { header, body } = entry.value;
      const { name } = header;
      const text = () => new Response(body).text();
      if (head === null && name !== names.head) throw new OperatorError(`${damaged}: ${path}.`);
      if (name === names.head) {
        head = headSchema.parse(JSON.parse(await text()));
        await refuseUnfit(config, head);
      } else if (name === names.check) check = checkSchema.parse(JSON.parse(await text()));
      else if (name === names.blobList) {
        for (const line of (await text()).split("\n").filter(Boolean)) {
          const { key, content_type: type } = blobLineSchema.parse(JSON.parse(line));
          contentTypes.set(key, type);
        }
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
    if (error instanceof OperatorError || (error as NodeJS.ErrnoException).code) throw error;
    throw new OperatorError(`${damaged}: ${path} (${error instanceof Error ? error.message.split("\n")[0] : error}).`);
  }
  if (!head || !check) throw new OperatorError(`${damaged}: the end of ${path} is missing.`);
  const broken = Object.keys({ ...check.blobs, ...found }).filter((key) => check.blobs[key] !== found[key]);
  if (broken.length > 0) {
    throw new OperatorError(`${damaged}: ${broken.length} of its files are not as they were, for one ${broken[0]}.`);
  }
  return { head, check, blobBytes };
}

/** @returns the SHA-256 of what was written */
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

/** Before anything is written: the version, and that the place is empty. */
async function refuseUnfit(config: Config, head: BackupHead): Promise<void> {
  const unknown = head.migrations.find((name) => !(name in migrations));
  if (head.format > backupFormat || unknown) {
    throw new OperatorError(
      `This backup is of a newer Clutchcast${unknown ? ` (${unknown})` : ""}. Restore it with that version.`,
    );
  }
  const folder = join(resolve(config.DATA_DIR), "blobs");
  if (!config.S3_BUCKET && existsSync(folder)) {
    const store = await openBlobStore(config, folder);
    for await (const _ of store.list("")) {
      throw new OperatorError(
        `There are files in ${folder} already. Restore into an empty DATA_DIR; nothing was changed.`,
      );
    }
  }
}

async function refuseFilled(database: Kysely<Database>): Promise<void> {
  if ((await filledTable(database)) === null) return;
  throw new OperatorError(
    "There is something in this database already. Restore into an empty one (DATA_DIR or DATABASE_URL).",
  );
}

async function fillDatabase(
  config: Config,
  log: Logger,
  folder: string,
  { head, check, blobBytes }: Unpacked,
): Promise<BackupReport> {
  const { database, close } = await openDatabaseAt(head.migrations.at(-1)!, config, log);
  try {
    await refuseFilled(database);
    const tables = await tableNames(database);
    const missing = Object.keys(check.tables).find((table) => !tables.includes(table));
    if (missing) throw new OperatorError(`${damaged}: its version knows no table ${missing}.`);
    let rows = 0;
    await database.transaction().execute(async (transaction) => {
      await writeTimesInUtc(transaction);
      const holdOn = await holdOffChecks(transaction, tables);
      // What migrations put there themselves.
      for (const table of tables) await sql`DELETE FROM ${sql.table(table)}`.execute(transaction);
      for (const [table, { rows: expected, hash }] of Object.entries(check.tables)) {
        await loadTable(transaction, table, tablePath(folder, table));
        const loaded = new RowHash();
        for await (const row of rowsOf(transaction, table)) loaded.add(row);
        if (loaded.rows !== expected || loaded.check.hash !== hash) {
          throw new OperatorError(`${damaged}: of ${table} ${loaded.rows} of ${expected} rows came back, or changed.`);
        }
        rows += loaded.rows;
      }
      for (const sequence of head.sequences) await setSequence(transaction, sequence);
      await keepRestoredJobs(transaction, head.made_at, await openJobs(join(folder, names.jobs)));
      await holdOn();
    });
    return { rows, blobs: Object.keys(check.blobs).length, blobBytes };
  } finally {
    await close();
  }
}

/** What waited or ran, which goes on, each for its owner. */
async function openJobs(path: string): Promise<OpenJob[]> {
  return (await readFile(path, "utf8"))
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const { name, payload, owner_id: ownerId, automatic: isAutomatic } = jobLineSchema.parse(JSON.parse(line));
      return { name: name as JobName, payload: payload as JobPayloads[JobName], ownerId, isAutomatic };
    });
}
