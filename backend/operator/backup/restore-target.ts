import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Kysely, sql } from "kysely";
import type { Config } from "../../config.ts";
import { halfRestored } from "../../jobs/restored-jobs.ts";
import type { BlobStore } from "../../storage/blob-store.ts";
import { syncFolder } from "../../storage/durable-files.ts";
import { blobFolder, openBlobStore } from "../../storage/open-blob-store.ts";
import { ownBlobs } from "../../storage/own-blobs.ts";
import type { Database } from "../../storage/schema.ts";
import { OperatorError } from "../operator-error.ts";
import { appliedMigrations, filledTable } from "../stored-tables.ts";
import type { BackupHead } from "./backup-format.ts";

// What a backup may be restored into: an empty place, or one that an interrupted restore of the same backup began to fill.

/** File with the id of the backup being restored: files from before an interruption belong to it. */
const markOf = (config: Config) => join(resolve(config.DATA_DIR), "unfinished-restore");

export async function markUnfinished(config: Config, id: string): Promise<void> {
  await writeFile(markOf(config), id, { mode: 0o600, flush: true });
  await syncFolder(resolve(config.DATA_DIR));
}

export async function unmarkUnfinished(config: Config): Promise<void> {
  await rm(markOf(config), { force: true });
}

/** @throws OperatorError when there are files, unless an earlier call restored them from the same backup */
export async function refuseFilledFolder(config: Config, id: string): Promise<void> {
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

/** Blobs that no row names are deleted after a day: in a bucket that another server uses, all that it stored since the backup. */
export async function refuseFilledBucket(bucket: string, store: BlobStore, own: ReadonlySet<string>): Promise<void> {
  for await (const { key } of ownBlobs(store)) {
    if (own.has(key)) continue;
    throw new OperatorError(
      `The bucket ${bucket} has files that this backup does not know, for one ${key}. Whoever runs on what is restored deletes them after a day. ` +
        "Name an empty bucket; or, if no other server uses this one, call the same command with --beside-other-files. Nothing was changed.",
    );
  }
}

export async function refuseFilled(database: Kysely<Database>): Promise<void> {
  if ((await filledTable(database)) === null) return;
  throw new OperatorError(
    "There is something in this database already. Restore into an empty one (DATA_DIR or DATABASE_URL).",
  );
}

/**
 * Rows are inserted into the tables of the version that wrote them, and later migrations convert them there. A database that a newer
 * version has begun would have other rows, or count those migrations as done.
 */
export async function refuseNewerVersion(database: Kysely<Database>, head: BackupHead): Promise<void> {
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

/** Name of the backup whose restore was cut off after its rows were in the database; null if there is none. */
export async function halfRestoredIn(database: Kysely<Database>): Promise<string | null> {
  const isThere = await sql`SELECT to_regclass('public.settings') AS name`.execute(database);
  return (isThere.rows[0] as { name: string | null }).name === null ? null : await halfRestored(database);
}
