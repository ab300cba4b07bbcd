import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import { counterSecretKey } from "../accounts/day-counter.ts";
import { viewSaltKey } from "../clips/views.ts";
import { holdKey } from "../storage/held-deletions.ts";
import type { Database } from "../storage/schema.ts";

/** Rows in memory at a time. */
const rowsAtOnce = 500;

/** What comparisons use: the number of rows, and the sum of their hashes. */
export interface TableCheck {
  rows: number;
  hash: string;
}

/** Our own tables: those of other programs or extensions may be in the same schema of a server's database. */
const own: Record<keyof Database, true> = {
  users: true,
  sessions: true,
  access_tokens: true,
  openid_nonces: true,
  demos: true,
  matches: true,
  uploads: true,
  highlights: true,
  clips: true,
  clip_formats: true,
  clip_highlights: true,
  clip_parts: true,
  likes: true,
  views: true,
  rate_counters: true,
  profiles: true,
  settings: true,
  held_deletions: true,
  job_turns: true,
  map_footprints: true,
  automation: true,
  automation_matches: true,
  automation_clips: true,
  webhooks: true,
  webhook_deliveries: true,
  user_totals: true,
  user_total_changes: true,
  status_counts: true,
  status_count_changes: true,
};

/** All tables of `public` except Kysely's own, which record the migrations: a restore runs those again. */
export async function tableNames(database: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'kysely%'
    ORDER BY table_name
  `.execute(database);
  return rows.map(({ name }) => name);
}

/** Clutchcast's tables of this version. */
export async function ownTableNames(database: Kysely<Database>): Promise<string[]> {
  return (await tableNames(database)).filter((name) => name in own);
}

/** Adds up hashes of rows, so that their order does not matter. */
export class RowHash {
  #sum = 0n;
  rows = 0;

  add(row: string): void {
    this.#sum = (this.#sum + BigInt(`0x${createHash("sha256").update(row).digest("hex")}`)) % (1n << 256n);
    this.rows++;
  }

  get check(): TableCheck {
    return { rows: this.rows, hash: this.#sum.toString(16).padStart(64, "0") };
  }
}

/** The mark of a running backup belongs to its own place and time. */
const isNoMark = sql`key NOT LIKE ${sql.lit(`${holdKey}%`)}`;

/** Every row of a table as JSON text, written by PostgreSQL, so that nothing is rounded. */
export async function* rowsOf(transaction: Transaction<Database>, table: string): AsyncGenerator<string> {
  const kept = table === "settings" ? sql`WHERE ${isNoMark}` : sql``;
  yield* linesOf(transaction, sql`SELECT * FROM ${sql.table(table)} ${kept}`);
}

/**
 * Tables of which a backup does not keep every row, since it may be kept for years. Records of who viewed what, with the salts that
 * identify them, are deleted from the database after two days (decision 073), and so are counters with visitors' networks, and the key of
 * the players' counters. The number of views is in the clip's own row. Of an unfinished upload a backup has no parts.
 */
const keptInBackups: Partial<Record<keyof Database, RawBuilder<unknown>>> = {
  settings: sql`${isNoMark} AND key NOT LIKE ${sql.lit(`${viewSaltKey}%`)} AND key <> ${sql.lit(counterSecretKey)}`,
  views: sql`false`,
  rate_counters: sql`false`,
  uploads: sql`false`,
};

function backupRowsOf(transaction: Transaction<Database>, table: string): AsyncGenerator<string> {
  const kept = keptInBackups[table as keyof Database] ?? sql`true`;
  return linesOf(transaction, sql`SELECT * FROM ${sql.table(table)} WHERE ${kept}`);
}

let cursors = 0;

/** As `rowsOf`, for any query. A cursor that is not read to its end is closed with the transaction. */
export async function* linesOf(transaction: Transaction<Database>, query: RawBuilder<unknown>): AsyncGenerator<string> {
  const cursor = sql.ref(`lines_${++cursors}`);
  await sql`DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT to_jsonb(each)::text AS row FROM (${query}) AS each`.execute(
    transaction,
  );
  for (;;) {
    const { rows } = await sql<{ row: string }>`FETCH ${sql.lit(rowsAtOnce)} FROM ${cursor}`.execute(transaction);
    for (const { row } of rows) yield row;
    if (rows.length < rowsAtOnce) break;
  }
  await sql`CLOSE ${cursor}`.execute(transaction);
}

/** Otherwise times are written in the session's time zone. */
export async function writeTimesInUtc(transaction: Transaction<Database>): Promise<void> {
  await sql`SET LOCAL TIME ZONE 'UTC'`.execute(transaction);
}

/**
 * Writes the part of a table that backups keep into a file of lines.
 * @param signal ends it with its reason
 */
export async function dumpTable(
  transaction: Transaction<Database>,
  table: string,
  path: string,
  signal?: AbortSignal,
): Promise<TableCheck> {
  const hash = new RowHash();
  const lines = async function* () {
    for await (const row of backupRowsOf(transaction, table)) {
      hash.add(row);
      yield `${row}\n`;
    }
  };
  // A pipeline handles a full disk at any time, even while rows are being read; an unhandled error would end the process.
  await pipeline(Readable.from(lines()), createWriteStream(path, { mode: 0o600 }), { signal });
  return hash.check;
}

/** Inserts the lines of a file into a table. The caller disables triggers and references. */
export async function loadTable(transaction: Transaction<Database>, table: string, path: string): Promise<void> {
  let batch: string[] = [];
  const flush = async () => {
    await insertLines(transaction, table, batch);
    batch = [];
  };
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (batch.push(line) >= rowsAtOnce) await flush();
  }
  await flush();
}

/**
 * Inserts rows from `rowsOf` into a table of "public" or of the named schema. All have the same columns; other columns get their defaults.
 */
export async function insertLines(
  transaction: Transaction<Database>,
  table: string,
  lines: readonly string[],
): Promise<void> {
  if (lines.length === 0) return;
  const columns = Object.keys(JSON.parse(lines[0]!) as object);
  const list = sql.join(columns.map((column) => sql.ref(column)));
  await sql`
    INSERT INTO ${sql.table(table)} (${list}) OVERRIDING SYSTEM VALUE
    SELECT ${list} FROM unnest(${lines}::text[]) AS line (text),
      LATERAL jsonb_populate_record(NULL::${sql.table(table)}, line.text::jsonb)
  `.execute(transaction);
}

export interface Sequence {
  name: string;
  /** The next value; numbers of deleted rows are in addresses and must not be reused. */
  next: number;
}

/** Sequences of columns, and independent ones. */
export async function sequencesOf(transaction: Transaction<Database>): Promise<Sequence[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT sequencename AS name FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1
  `.execute(transaction);
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const found = await sql<{ next: number }>`
      SELECT (CASE WHEN is_called THEN last_value + 1 ELSE last_value END)::float8 AS next FROM ${sql.table(name)}
    `.execute(transaction);
    sequences.push({ name, next: found.rows[0]!.next });
  }
  return sequences;
}

export async function setSequence(transaction: Transaction<Database>, { name, next }: Sequence): Promise<void> {
  await sql`SELECT setval(${name}::regclass, ${next}, false)`.execute(transaction);
}

/**
 * Name of a table that contains players' data; null if nobody has used this database. Not for use in a transaction, which a missing table
 * would end.
 */
export async function filledTable(database: Kysely<Database>): Promise<string | null> {
  for (const table of ["users", "demos", "matches", "clips"]) {
    const rows = await rowsIfThere(sql`SELECT 1 FROM ${sql.table(table)} LIMIT 1`.execute(database));
    if (rows.length > 0) return table;
  }
  return null;
}

/** Empty if the table does not exist: a new database, or an interrupted first start. */
async function rowsIfThere(asked: Promise<{ rows: unknown[] }>): Promise<unknown[]> {
  try {
    return (await asked).rows;
  } catch (error) {
    if ((error as { code?: string }).code === "42P01") return [];
    throw error;
  }
}

/** Lets rows be inserted unchanged in any order: no trigger counts them again. @returns a function that undoes it */
export async function disableChecks(
  transaction: Transaction<Database>,
  tables: readonly string[],
): Promise<() => Promise<void>> {
  const { rows: references } = await sql<{ table: string; name: string }>`
    SELECT conrelid::regclass::text AS "table", conname AS name FROM pg_constraint
    WHERE contype = 'f' AND conrelid::regclass::text = ANY(${tables}) AND NOT condeferrable
  `.execute(transaction);
  for (const { table, name } of references) {
    await sql`ALTER TABLE ${sql.table(table)} ALTER CONSTRAINT ${sql.ref(name)} DEFERRABLE INITIALLY DEFERRED`.execute(
      transaction,
    );
  }
  for (const table of tables) await sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER USER`.execute(transaction);
  return async () => {
    await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(transaction);
    for (const { table, name } of references) {
      await sql`ALTER TABLE ${sql.table(table)} ALTER CONSTRAINT ${sql.ref(name)} NOT DEFERRABLE`.execute(transaction);
    }
    for (const table of tables) await sql`ALTER TABLE ${sql.table(table)} ENABLE TRIGGER USER`.execute(transaction);
  };
}

export async function appliedMigrations(database: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(database);
  return rows.map(({ name }) => name);
}

export const tablePath = (folder: string, table: string) => join(folder, `${table}.jsonl`);
