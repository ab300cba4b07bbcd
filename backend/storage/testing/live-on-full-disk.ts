/**
 * Fills the small disk of its database to the last byte, several times, and goes on working; writes the results to stdout as JSON.
 * Argument: DATA_DIR.
 */
import { readdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { pino } from "pino";
import { isDiskFull } from "../disk-full.ts";
import { openDatabase } from "../open-database.ts";
import { fillDisk, filling } from "./fill-disk.ts";

const [DATA_DIR = ""] = process.argv.slice(2);
const place = { DATA_DIR, DATABASE_URL: undefined };
const log = pino({ level: "silent" });

const rowsUpTo = (count: number) => `n, repeat('x', 1000) FROM generate_series(1, ${count}) AS n`;

let opened = await openDatabase(place, log);
const run = (text: string) => sql.raw(text).execute(opened.database);
await run("CREATE TABLE stored (n integer PRIMARY KEY, filling text NOT NULL)");
await run(`INSERT INTO stored SELECT ${rowsUpTo(3000)}`);
await run("CREATE TABLE counters (id integer PRIMARY KEY, n integer NOT NULL)");
await run("INSERT INTO counters VALUES (1, 0)");
const free = () => statfsSync(DATA_DIR).bavail;
const outcome = {
  freeBlocks: [] as number[],
  refused: 0,
  read: 0,
  deleted: 0,
  large: 0,
  numbered: false,
  copied: false,
  loggedMiB: 0,
  lost: 0,
  other: [] as string[],
};
const acknowledged = new Set<number>();
const attempt = async (text: string) => {
  try {
    await run(text);
    return true;
  } catch (error) {
    if (!isDiskFull(error)) outcome.other.push(String(error));
    return false;
  }
};
const logged = async () =>
  Number(
    (await sql<{ at: number }>`SELECT (pg_current_wal_insert_lsn() - '0/0')::int8 AS at`.execute(opened.database))
      .rows[0]!.at,
  );

const logging = (bytes: number) => `SELECT pg_logical_emit_message(false, 'filling', repeat('x', ${bytes}))`;

/** This many transactions: nested ones also take a number each. */
const transactions = (count: number) => `DO $$ BEGIN
  FOR n IN 1..${count} LOOP
    BEGIN PERFORM pg_logical_emit_message(true, 'filling', ''); EXCEPTION WHEN data_exception THEN NULL; END;
  END LOOP;
END $$`;

/** More log than all the room for it, in steps of a megabyte, with everything else in between. */
async function work(from: number): Promise<void> {
  const before = await logged();
  for (let n = from; n < from + 100; n++) {
    fillDisk(DATA_DIR);
    outcome.freeBlocks.push(free());
    await attempt(logging(1_000_000));
    if (
      await attempt(`INSERT INTO stored SELECT ${n}, string_agg(md5(random()::text), '') FROM generate_series(1, 90)`)
    )
      acknowledged.add(n);
    else outcome.refused++;
    await attempt("UPDATE counters SET n = n + 1");
    // About as much as a turn may write, from any position in the log's file.
    if (n % 25 === 0 && (await attempt(logging(20_000_000)))) outcome.large++;
    if (n % 10 === 0 && (await attempt(`DELETE FROM stored WHERE n = ${n / 10}`))) outcome.deleted++;
    const { rows } = await sql`SELECT n FROM stored WHERE n < 3000 ORDER BY n`.execute(opened.database);
    if (rows.length > 2900) outcome.read++;
  }
  outcome.loggedMiB += Math.round(((await logged()) - before) / 1024 ** 2);
}

await work(10_000);
await opened.close();
fillDisk(DATA_DIR);
// The next start finds no free byte, and everything that only reserves room has been given up.
opened = await openDatabase(place, log);
fillDisk(DATA_DIR);
// More than fit into one of PostgreSQL's files. The checkpoints that the rest needs write them.
outcome.numbered = await attempt(transactions(70_000));
// It takes 3 MiB, and has to fail as it grows: if it were written later, it would stop every checkpoint.
fillDisk(DATA_DIR, 2 * 1024 ** 2);
outcome.copied = await attempt(`CREATE TABLE copied AS SELECT ${rowsUpTo(3000)}`);
await work(20_000);
rmSync(join(DATA_DIR, filling));
await new Promise((resolve) => setTimeout(resolve, 1100));
if (!(await attempt("INSERT INTO stored VALUES (99999, 'there is room again')"))) outcome.other.push("no room again");
await opened.close();
opened = await openDatabase(place, log);
const { rows } = await sql<{ n: number }>`SELECT n FROM stored`.execute(opened.database);
const stored = new Set(rows.map((row) => row.n));
for (const n of acknowledged) if (!stored.has(n)) outcome.lost++;
await opened.close();
const max = Math.max(...outcome.freeBlocks);
process.stdout.write(`${JSON.stringify({ ...outcome, freeBlocks: max, files: readdirSync(DATA_DIR) })}\n`);
