import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import type { Logger } from "pino";
import { openJobQueue } from "../../jobs/pg-boss-queue.ts";
import { type MoveState, moveSchema, moveState } from "../../storage/half-moved.ts";
import { openDatabase } from "../../storage/open-database.ts";
import type { Database } from "../../storage/schema.ts";
import { serverTypes } from "../../storage/type-parsers.ts";
import { deadlines } from "../../waits/deadlines.ts";
import { OperatorError } from "../operator-error.ts";
import { refuseServed, waitForOthers } from "../served-database.ts";
import { appliedMigrations, filledTable, type TableCheck } from "../stored-tables.ts";

/** "move" in ASCII: allows one move at a time. */
const lock = 0x6d6f7665;

/**
 * Settings with which both databases write the same row as the same text, and no statement is ended for taking long, whatever the server's
 * configuration.
 */
const session = [
  "SET TIME ZONE 'UTC'",
  "SET datestyle = 'ISO'",
  "SET intervalstyle = 'postgres'",
  "SET bytea_output = 'hex'",
  "SET extra_float_digits = 1",
  "SET client_min_messages = 'warning'",
  "SET statement_timeout = 0",
  "SET idle_in_transaction_session_timeout = 0",
].join("; ");

const state = (name: "state" | "progress" | "held") => sql.table(`${moveSchema}.${name}`);

/** The database on a server that a move fills, by the only session on it. */
export class TargetDatabase {
  readonly #database: Kysely<Database>;

  constructor(session: Kysely<Database>) {
    this.#database = session;
  }

  /**
   * Checks the database before anything is changed.
   * @param tables those of this version
   * @returns whether a move into it has begun, or finished
   * @throws OperatorError for one that is in use, or holds anything else
   */
  async refuseUnfit(tables: readonly string[]): Promise<MoveState> {
    const moved = await moveState(this.#database);
    if (moved === "finished") return moved;
    const { rows } = await sql<{ encoding: string; version: string; number: number }>`
      SELECT current_setting('server_encoding') AS encoding, current_setting('server_version') AS version,
        current_setting('server_version_num')::int AS number
    `.execute(this.#database);
    const { encoding, version, number } = rows[0]!;
    if (number < 140_000) throw new OperatorError(`PostgreSQL ${version} is too old: 14 is the oldest that works.`);
    if (encoding !== "UTF8") {
      throw new OperatorError(
        `That database keeps texts as ${encoding}. Make one that keeps them all: createdb --encoding UTF8 --template template0`,
      );
    }
    await refuseServed(this.#database);
    await waitForOthers(
      () => this.#tryLock(),
      "Another move into that database is at work. Wait for it, or end it; nothing was changed.",
    );
    await this.#refuseOthers([...tables, "kysely_migration", "kysely_migration_lock"], moved);
    return moved;
  }

  async #tryLock(): Promise<boolean> {
    const { rows } = await sql<{ isMine: boolean }>`
      SELECT pg_try_advisory_lock(${sql.lit(lock)}) AS "isMine"
    `.execute(this.#database);
    return rows[0]?.isMine === true;
  }

  async #refuseOthers(known: readonly string[], moved: MoveState): Promise<void> {
    const { rows: found } = await sql<{ name: string }>`
      SELECT relname AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = 'public' AND relkind IN ('r', 'p', 'v', 'm', 'f')
        AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
      ORDER BY relname
    `.execute(this.#database);
    const names = found.map(({ name }) => name);
    const isOurs = names.includes("kysely_migration");
    const others = isOurs ? names.filter((name) => !known.includes(name)) : names;
    if (others.length > 0) {
      const more = others.length > 3 ? ` and ${others.length - 3} more` : "";
      throw new OperatorError(
        `There is something else in that database already: ${others.slice(0, 3).join(", ")}${more}. ` +
          "Name an empty one (createdb clutchcast); nothing was changed.",
      );
    }
    if (!isOurs || moved === "begun") return;
    const filled = await filledTable(this.#database);
    if (filled === null) return;
    throw new OperatorError(
      `A Clutchcast has used that database: there are ${filled} in it. Name an empty one (createdb clutchcast); nothing was changed.`,
    );
  }

  /** Before the first row: creates the move's own records, and disables triggers and references, so that rows may come in any order. */
  async begin(tables: readonly string[]): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      await sql`CREATE SCHEMA ${sql.ref(moveSchema)}`.execute(transaction);
      await sql`CREATE TABLE ${state("state")} (migrations text[] NOT NULL, finished_at timestamptz)`.execute(
        transaction,
      );
      await sql`CREATE TABLE ${state("progress")} (name text PRIMARY KEY, rows bigint NOT NULL, hash text NOT NULL)`.execute(
        transaction,
      );
      await sql`
        CREATE TABLE ${state("held")} AS
        SELECT conrelid::regclass::text AS table_name, conname::text AS name, pg_get_constraintdef(oid) AS definition
        FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace
      `.execute(transaction);
      for (const { table_name: table, name } of await heldReferences(transaction)) {
        await sql`ALTER TABLE ${sql.raw(table)} DROP CONSTRAINT ${sql.ref(name)}`.execute(transaction);
      }
      for (const table of tables) await sql`ALTER TABLE ${sql.table(table)} DISABLE TRIGGER USER`.execute(transaction);
      // Rows that migrations and a first start insert.
      await sql`TRUNCATE ${sql.join(tables.map((table) => sql.table(table)))}`.execute(transaction);
      await sql`DELETE FROM pgboss.job`.execute(transaction);
      const migrations = await appliedMigrations(transaction);
      await sql`INSERT INTO ${state("state")} (migrations) VALUES (${migrations}::text[])`.execute(transaction);
    });
  }

  /** @throws OperatorError when another version began this move */
  async refuseOtherVersion(migrations: readonly string[]): Promise<void> {
    const { rows } = await sql<{ migrations: string[] }>`SELECT migrations FROM ${state("state")}`.execute(
      this.#database,
    );
    if (rows[0]?.migrations.join() === migrations.join()) return;
    throw new OperatorError(
      "Another version of Clutchcast began this move. Go on with that version, or name an empty database; nothing was changed.",
    );
  }

  /** The progress of a part, and the hash of its rows. */
  async progressOf(name: string): Promise<TableCheck> {
    const { rows } = await sql<TableCheck>`SELECT rows, hash FROM ${state("progress")} WHERE name = ${name}`.execute(
      this.#database,
    );
    return rows[0] ?? { rows: 0, hash: "" };
  }

  /** Deletes the copied rows of a part. */
  async forget(name: string, table: string): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      await sql`DELETE FROM ${sql.table(table)}`.execute(transaction);
      await sql`DELETE FROM ${state("progress")} WHERE name = ${name}`.execute(transaction);
    });
  }

  /** Adds rows to a part and records the progress, both or neither. */
  async add(
    name: string,
    check: TableCheck,
    insert: (transaction: Transaction<Database>) => Promise<void>,
  ): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      await insert(transaction);
      await sql`
        INSERT INTO ${state("progress")} (name, rows, hash) VALUES (${name}, ${check.rows}, ${check.hash})
        ON CONFLICT (name) DO UPDATE SET rows = excluded.rows, hash = excluded.hash
      `.execute(transaction);
    });
  }

  /** Checks everything once more, then completes the database: all or nothing. */
  async finish(tables: readonly string[], prove: (transaction: Transaction<Database>) => Promise<void>): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      await prove(transaction);
      for (const { table_name: table, name, definition } of await heldReferences(transaction)) {
        await sql`ALTER TABLE ${sql.raw(table)} ADD CONSTRAINT ${sql.ref(name)} ${sql.raw(definition)}`.execute(
          transaction,
        );
      }
      for (const table of tables) await sql`ALTER TABLE ${sql.table(table)} ENABLE TRIGGER USER`.execute(transaction);
      await sql`UPDATE ${state("state")} SET finished_at = now()`.execute(transaction);
    });
    for (const table of [...tables, "pgboss.job"]) await sql`ANALYZE ${sql.table(table)}`.execute(this.#database);
  }

  /** The last step of a move: deletes its own records. */
  async forgetMove(): Promise<void> {
    await sql`DROP SCHEMA ${sql.ref(moveSchema)} CASCADE`.execute(this.#database);
  }

  /** Columns of the queue's table, so that one of an earlier version can be read into it, and the names of its queues. */
  async jobShape(): Promise<{ columns: string[]; queues: string[] }> {
    const { rows: queues } = await sql<{ name: string }>`SELECT name FROM pgboss.queue`.execute(this.#database);
    return { columns: await jobColumns(this.#database), queues: queues.map(({ name }) => name) };
  }
}

export async function jobColumns(database: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = 'pgboss' AND table_name = 'job' AND is_generated = 'NEVER' ORDER BY column_name
  `.execute(database);
  return rows.map(({ name }) => name);
}

interface HeldReference {
  table_name: string;
  name: string;
  definition: string;
}

async function heldReferences(database: Kysely<Database>): Promise<HeldReference[]> {
  const { rows } = await sql<HeldReference>`SELECT table_name, name, definition FROM ${state("held")}`.execute(
    database,
  );
  return rows;
}

/** Works on a database in one session, which is closed afterwards. */
export async function withTarget<Result>(
  url: string,
  work: (target: TargetDatabase) => Promise<Result>,
): Promise<Result> {
  const pool = new pg.Pool({
    connectionString: url,
    types: serverTypes,
    max: 1,
    connectionTimeoutMillis: deadlines.database.connectMs,
    keepAlive: true,
    application_name: "clutchcast move",
  });
  // The current statement reports it as well.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const database = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  try {
    return await database.connection().execute(async (connection) => {
      await sql.raw(session).execute(connection);
      return await work(new TargetDatabase(connection));
    });
  } finally {
    await database.destroy();
  }
}

/** Creates tables and indexes of this version, including the queue's, as a first start does. */
export async function makeTables(url: string, dataDirectory: string, log: Logger): Promise<void> {
  const place = { DATABASE_URL: url, DATA_DIR: dataDirectory };
  const opened = await openDatabase(place, log);
  try {
    await (await openJobQueue(opened, place, log)).stop();
  } finally {
    await opened.close();
  }
}
