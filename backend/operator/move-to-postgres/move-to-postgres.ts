import { type RawBuilder, sql, type Transaction } from "kysely";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import { carriedJobs } from "../../jobs/job-table.ts";
import { StartProblem } from "../../start-problem.ts";
import { databaseProblem } from "../../storage/database-problem.ts";
import { DatabaseUnavailableError, namedDatabaseError } from "../../storage/database-unavailable.ts";
import { migrations } from "../../storage/migrations/index.ts";
import { markMoved, movedTo, wayBack } from "../../storage/moved-mark.ts";
import { openDatabaseAt } from "../../storage/open-database.ts";
import type { Database } from "../../storage/schema.ts";
import { AtMostEvery } from "../../waits/at-most-every.ts";
import { OperatorError } from "../operator-error.ts";
import { keepClosed } from "../operator-socket.ts";
import {
  appliedMigrations,
  insertLines,
  linesOf,
  ownTableNames,
  RowHash,
  rowsOf,
  sequencesOf,
  setSequence,
  type TableCheck,
  writeTimesInUtc,
} from "../stored-tables.ts";
import { jobColumns, makeTables, type TargetDatabase, withTarget } from "./target-database.ts";

export interface MoveReport {
  tables: number;
  rows: number;
  jobs: number;
}

export interface MoveOptions {
  /** Called now and then with the progress: "12000 of 40000 rows: clips". */
  tell?: (line: string) => void;
  /** Rows, and about how many bytes of them, per write. */
  batch?: { rows: number; bytes: number };
}

type Reader = Transaction<Database>;

/** A table, or the queue's jobs that still matter. */
interface Part {
  name: string;
  /** The table in the target. */
  table: string;
  read(source: Reader): AsyncGenerator<string>;
  /** The rows that must be there at the end. */
  readMoved(target: Reader): AsyncGenerator<string>;
}

const tellEveryMs = 2000;
const usualBatch = { rows: 500, bytes: 4 * 1024 ** 2 };
const jobTable = "pgboss.job";

/**
 * Copies the embedded database of DATA_DIR into an empty one on a server, table by table, with each batch of rows and the progress in one
 * transaction. If interrupted, calling it again continues, and copies anew what changed in the embedded one meanwhile. At the end each
 * table is compared by count and hash of its rows; only then the database is completed, and the embedded one marked as moved. Nothing may
 * run on either.
 * @param url `postgres://…` of the server, including its password
 * @returns null when an earlier call did everything except the mark
 * @throws OperatorError, StartProblem with a sentence
 * @throws DataDirectoryInUseError when a server has the embedded one open
 */
export async function moveToPostgres(
  config: Pick<Config, "DATA_DIR">,
  log: Logger,
  url: string,
  options: MoveOptions = {},
): Promise<MoveReport | null> {
  const already = movedTo(config.DATA_DIR);
  if (already !== null) {
    throw new OperatorError(
      `It was moved to ${already} already: nothing is left to do. To move it again, ${wayBack(config.DATA_DIR)}.`,
    );
  }
  const latest = Object.keys(migrations).sort().at(-1)!;
  const source = await openDatabaseAt(latest, { DATABASE_URL: undefined, DATA_DIR: config.DATA_DIR }, log);
  let hasBegun = false;
  const closed = await keepClosed(
    config.DATA_DIR,
    log,
    "Its rows are being moved to PostgreSQL. Wait for that to end.",
  );
  try {
    const tables = await ownTableNames(source.database);
    const applied = await appliedMigrations(source.database);
    const standing = await withTarget(url, (target) => target.refuseUnfit(tables));
    if (standing === "none") await makeTables(url, config.DATA_DIR, log);
    const report = await withTarget(url, async (target) => {
      if ((await target.refuseUnfit(tables)) === "finished") return null;
      if (standing === "begun") await target.refuseOtherVersion(applied);
      else await target.begin(tables);
      hasBegun = true;
      return await source.database
        .transaction()
        .setIsolationLevel("repeatable read")
        .execute((reader) => moveRows(reader, target, tables, options));
    });
    // The mark comes first, then the end of the move on the server: if interrupted in between, a call finds what remains to be done.
    await markMoved(config.DATA_DIR, placeOf(url));
    await withTarget(url, (target) => target.forgetMove());
    return report;
  } catch (error) {
    throw withSentence(error, url, hasBegun);
  } finally {
    await closed.close();
    await source.close();
  }
}

async function moveRows(
  reader: Reader,
  target: TargetDatabase,
  tables: readonly string[],
  options: MoveOptions,
): Promise<MoveReport> {
  await writeTimesInUtc(reader);
  // Makes rows come in their physical order, the same in every call.
  await sql`SET LOCAL synchronize_seqscans = off`.execute(reader);
  const parts = [...tables.map(tablePart), await jobPart(reader, target)];
  const progress = await Progress.begin(reader, tables, options);
  const moved = new Map<string, TableCheck>();
  for (const part of parts) moved.set(part.name, await copyPart(reader, target, part, progress, options));
  const sequences = await sequencesOf(reader);
  progress.say("Comparing every table");
  try {
    await target.finish(tables, async (transaction) => {
      for (const part of parts) await prove(transaction, part, moved.get(part.name)!);
      for (const sequence of sequences) await setSequence(transaction, sequence);
    });
  } catch (error) {
    if (error instanceof NotTheSameError) await target.forget(error.part.name, error.part.table);
    throw error;
  }
  const rows = tables.reduce((sum, table) => sum + moved.get(table)!.rows, 0);
  return { tables: tables.length, rows, jobs: moved.get(jobTable)!.rows };
}

const tablePart = (table: string): Part => ({
  name: table,
  table,
  read: (source) => rowsOf(source, table),
  readMoved: (target) => rowsOf(target, table),
});

/** Jobs that wait; jobs that ran when their process ended, which wait again; and failed jobs, for `failures` and `requeue`. */
async function jobPart(reader: Reader, target: TargetDatabase): Promise<Part> {
  const { columns: theirs, queues } = await target.jobShape();
  const own = await jobColumns(reader);
  const columns = theirs.filter((column) => own.includes(column));
  const isRunning = sql`state = 'active'`;
  // Put back as if never taken: the end of its process says nothing about a job.
  const given: Record<string, RawBuilder<unknown>> = {
    state: sql`CASE WHEN ${isRunning} THEN 'created' ELSE state::text END`,
    started_on: sql`CASE WHEN ${isRunning} THEN NULL ELSE started_on END`,
    heartbeat_on: sql`CASE WHEN ${isRunning} THEN NULL ELSE heartbeat_on END`,
  };
  const asGiven = columns.map((column) => sql`${given[column] ?? sql.ref(column)} AS ${sql.ref(column)}`);
  return {
    name: jobTable,
    table: jobTable,
    read: (source) =>
      // A database that no queue ever opened has no queue tables.
      own.length === 0
        ? noLines()
        : linesOf(
            source,
            sql`
              SELECT ${sql.join(asGiven)} FROM ${sql.table(jobTable)}
              WHERE name IN (${sql.join(queues)})
                AND (state = 'failed' OR (state <= 'active' AND name IN (${sql.join(carriedJobs)})))`,
          ),
    readMoved: (target) =>
      linesOf(target, sql`SELECT ${sql.join(columns.map((column) => sql.ref(column)))} FROM ${sql.table(jobTable)}`),
  };
}

async function* noLines(): AsyncGenerator<string> {}

/** @returns count and hash of its rows in the embedded database */
async function copyPart(
  reader: Reader,
  target: TargetDatabase,
  part: Part,
  progress: Progress,
  { batch: { rows: mostRows, bytes: mostBytes } = usualBatch }: MoveOptions,
): Promise<TableCheck> {
  const known = await target.progressOf(part.name);
  const hash = new RowHash();
  let batch: string[] = [];
  let bytes = 0;
  const flush = async () => {
    const lines = batch;
    batch = [];
    bytes = 0;
    if (lines.length === 0) return;
    await target.add(part.name, hash.check, (transaction) => insertLines(transaction, part.table, lines));
  };
  const isKnown = () => hash.rows === known.rows && (known.rows === 0 || hash.check.hash === known.hash);
  const again = async () => {
    progress.say(`${part.name} changed since the last call and is copied anew`);
    progress.takeBack(hash.rows);
    await target.forget(part.name, part.table);
    return await copyPart(reader, target, part, progress, { batch: { rows: mostRows, bytes: mostBytes } });
  };
  for await (const row of part.read(reader)) {
    hash.add(row);
    progress.add(part.name);
    if (hash.rows < known.rows) continue;
    if (hash.rows === known.rows) {
      if (!isKnown()) return await again();
      continue;
    }
    bytes += row.length;
    if (batch.push(row) >= mostRows || bytes >= mostBytes) await flush();
  }
  if (hash.rows < known.rows) return await again();
  await flush();
  return hash.check;
}

/** Somebody else wrote into the database, or its server lost data that it had confirmed. */
class NotTheSameError extends OperatorError {
  readonly part: Part;

  constructor(part: Part, found: number, moved: number) {
    super(
      `Of ${part.name} ${found} rows are there and ${moved} were moved, or they are not the same: something else wrote into that ` +
        "database, or its server crashed. Call the same command: that table is copied anew.",
    );
    this.part = part;
  }
}

/** @throws NotTheSameError when the target's rows differ from those that were read */
async function prove(target: Reader, part: Part, moved: TableCheck): Promise<void> {
  const found = new RowHash();
  for await (const row of part.readMoved(target)) found.add(row);
  if (found.rows !== moved.rows || found.check.hash !== moved.hash) {
    throw new NotTheSameError(part, found.rows, moved.rows);
  }
}

/** Reports progress at most every two seconds. */
class Progress {
  readonly #total: number;
  readonly #tell: (line: string) => void;
  #rows = 0;
  readonly #telling = new AtMostEvery(tellEveryMs);

  private constructor(total: number, tell: (line: string) => void) {
    this.#total = total;
    this.#tell = tell;
    this.#telling.restart();
  }

  static async begin(reader: Reader, tables: readonly string[], { tell = () => {} }: MoveOptions): Promise<Progress> {
    let total = 0;
    for (const table of tables) {
      const { rows } = await sql<{ count: number }>`SELECT count(*)::float8 AS count FROM ${sql.table(table)}`.execute(
        reader,
      );
      total += rows[0]!.count;
    }
    tell(`${total} rows in ${tables.length} tables`);
    return new Progress(total, tell);
  }

  say(line: string): void {
    this.#tell(line);
  }

  takeBack(rows: number): void {
    this.#rows -= rows;
  }

  add(name: string): void {
    this.#rows++;
    if (this.#telling.isDue()) this.#tell(`${this.#rows} of ${this.#total} rows: ${name}`);
  }
}

/** Without its password. */
function placeOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = searchParams.get("host") ?? hostname;
  const day = new Date().toISOString().slice(0, 10);
  const database = decodeURIComponent(pathname.slice(1));
  return `PostgreSQL at ${host || "localhost"}:${port || "5432"}, database “${database}”, on ${day}`;
}

const goesOn = "What was copied stays there: the same command goes on where it was.";

function withSentence(error: unknown, url: string, hasBegun: boolean): unknown {
  if (error instanceof OperatorError || error instanceof StartProblem) return error;
  const words = {
    setting: "the address",
    again: hasBegun ? "call the same command: it goes on where it was" : "again",
  };
  const problem = databaseProblem(error, url, words);
  if (problem) return new OperatorError(problem.message, { cause: error });
  const named = namedDatabaseError(error);
  if (!(named instanceof DatabaseUnavailableError)) return error;
  return new OperatorError(`${named.message}. ${hasBegun ? goesOn : "Nothing was changed."}`, { cause: error });
}
