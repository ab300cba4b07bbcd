import { createServer } from "node:net";
import pg from "pg";
import { pino } from "pino";
import { expect, test } from "vitest";
import { openJobQueue } from "../jobs/pg-boss-queue.ts";
import { StartProblem } from "../start-problem.ts";
import { deadlines } from "../waits/deadlines.ts";
import { openDatabase } from "./open-database.ts";
import { migratedPlace } from "./testing/fresh-database.ts";

const log = pino({ level: "silent" });
const open = (DATABASE_URL: string | undefined, DATA_DIR = "unused") =>
  openDatabase({ DATABASE_URL, DATA_DIR }, log).then(
    ({ close }) => close(),
    (error: unknown) => error,
  );

async function server() {
  const { DATABASE_URL } = await migratedPlace("postgres");
  const address = new URL(DATABASE_URL!);
  const at = (change: Partial<Pick<URL, "hostname" | "port" | "username" | "password" | "pathname">>) =>
    Object.assign(new URL(DATABASE_URL!), change).href;
  const query = async (...texts: string[]) => {
    const client = new pg.Client({ connectionString: DATABASE_URL! });
    await client.connect();
    for (const text of texts) await client.query(text);
    await client.end();
  };
  return { url: DATABASE_URL!, address, at, query };
}

test("a start says what is wrong with the place of the database", async () => {
  const { at } = await server();
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address() as { port: number };
  await new Promise((resolve) => taken.close(resolve));
  const said = async (url: string) => {
    const problem = await open(url);
    expect(problem).toBeInstanceOf(StartProblem);
    return (problem as Error).message;
  };
  expect(await said(at({ hostname: "127.0.0.1", port: String(port) }))).toBe(
    `Nothing answers at 127.0.0.1:${port}. Is the database running, and is DATABASE_URL right?`,
  );
  expect(await said(at({ hostname: "no-such-host.invalid" }))).toMatch(/no-such-host\.invalid/);
  expect(await said(at({ pathname: "/elsewhere" }))).toMatch(
    /^There is no database “elsewhere” at .*createdb elsewhere$/,
  );
  expect(await said(at({ username: "nobody" }))).toMatch(/does not let “nobody” in/);
});

test("a start says whose rights are missing, and how to give them", async () => {
  const { at, query, address } = await server();
  await query(
    "DROP ROLE IF EXISTS reader",
    "CREATE ROLE reader LOGIN",
    "DROP SCHEMA public CASCADE",
    "CREATE SCHEMA public",
  );
  const database = address.pathname.slice(1);
  const sentence = `“reader” may not change the database “${database}”. Make it its owner: ALTER DATABASE "${database}" OWNER TO "reader"; and, in it, ALTER SCHEMA public OWNER TO "reader";`;
  expect(await open(at({ username: "reader" }))).toEqual(new StartProblem(sentence));
  await query("GRANT USAGE ON SCHEMA public TO reader");
  expect(await open(at({ username: "reader" }))).toEqual(new StartProblem(sentence));
});

test("a start says it as well of who may write tables and make no schema for the queue", async () => {
  const { url, at, query, address } = await server();
  await query("DROP ROLE IF EXISTS writer", "CREATE ROLE writer LOGIN", "DROP SCHEMA pgboss CASCADE");
  const opened = await openDatabase({ DATABASE_URL: url, DATA_DIR: "unused" }, log);
  const problem = await openJobQueue(opened, { DATABASE_URL: at({ username: "writer" }) }, log).catch(
    (error: unknown) => error,
  );
  expect(problem).toBeInstanceOf(StartProblem);
  expect((problem as Error).message).toContain(`“writer” may not change the database “${address.pathname.slice(1)}”`);
  await opened.close();
});

/** Kysely's lock for migrations: of several starts one works and the others wait. */
const migrationLock = "3853314791062309107";

test("a start waits for the migrations of another one, longer than any statement of a page may take", async () => {
  const { url } = await server();
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query(`SELECT pg_advisory_lock(${migrationLock})`);
  const { statementMs, answerMs } = deadlines.database;
  const adjustable = deadlines.database as { statementMs: number; answerMs: number };
  Object.assign(adjustable, { statementMs: 2000, answerMs: 20_000 });
  try {
    const opened = open(url);
    const waits = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'";
    while ((await other.query(waits)).rows.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    await new Promise((resolve) => setTimeout(resolve, 5000));
    await other.query(`SELECT pg_advisory_unlock(${migrationLock})`);
    expect(await opened).toBeUndefined();
  } finally {
    Object.assign(adjustable, { statementMs, answerMs });
    await other.end();
  }
});

test("a start says that the server ended a migration's statement", async () => {
  const { url, query, address } = await server();
  await query(`ALTER DATABASE "${address.pathname.slice(1)}" SET statement_timeout = '1s'`);
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query(`SELECT pg_advisory_lock(${migrationLock})`);
  try {
    const problem = await open(url);
    expect(problem).toBeInstanceOf(StartProblem);
    expect((problem as Error).message).toMatch(
      /^The database at .* ended a statement before it was done: .*ALTER ROLE "postgres" SET statement_timeout = 0/,
    );
  } finally {
    await other.end();
  }
});

test.each(["embedded", "postgres"] as const)("a newer %s database is left alone", async (kind) => {
  const place = await migratedPlace(kind);
  const opened = await openDatabase(place, log);
  await opened.pool.query("INSERT INTO kysely_migration VALUES ('999-of-tomorrow', now()::text)");
  await opened.close();
  const problem = await open(place.DATABASE_URL, place.DATA_DIR);
  expect(problem).toBeInstanceOf(StartProblem);
  expect((problem as Error).message).toMatch(
    /^A newer Clutchcast has used this database: it knows the change 999-of-tomorrow/,
  );
});

test("a queue of a newer version is left alone", async () => {
  const place = await migratedPlace("postgres");
  const opened = await openDatabase(place, log);
  const first = await openJobQueue(opened, place, log);
  await first.stop();
  await opened.pool.query("UPDATE pgboss.version SET version = version + 1");
  await expect(openJobQueue(opened, place, log)).rejects.toThrow(/its queue has version \d+, this one knows \d+/);
  await opened.close();
});
