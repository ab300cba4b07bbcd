import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../config.ts";
import { openServices } from "../../open-services.ts";
import { DataDirectoryInUseError } from "../../storage/data-directory-lock.ts";
import { moveSchema } from "../../storage/half-moved.ts";
import { freshPlace, migratedPlace } from "../../storage/testing/fresh-database.ts";
import { moveToPostgres } from "./move-to-postgres.ts";
import { moveToPostgresCommand } from "./move-to-postgres-command.ts";

const log = pino({ level: "silent" });
let DATA_DIR: string;

beforeAll(async () => {
  ({ DATA_DIR } = await migratedPlace("embedded"));
});
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }));

async function emptyServer() {
  const { DATABASE_URL: url = "" } = await freshPlace("postgres");
  const at = (change: Partial<Pick<URL, "username" | "password" | "pathname" | "port">>) =>
    Object.assign(new URL(url), change).href;
  const query = async (...texts: string[]) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (const text of texts) await client.query(text);
    } finally {
      await client.end();
    }
  };
  return { url, at, query };
}

const refusal = async (url: string) =>
  moveToPostgres({ DATA_DIR }, log, url).then(
    () => "moved",
    (error: Error) => error.message,
  );

test("a database with something else in it is not moved into, and says what there is", async () => {
  const { url, query } = await emptyServer();
  await query("CREATE TABLE recipes (name text)", "CREATE VIEW cakes AS SELECT * FROM recipes");
  expect(await refusal(url)).toBe(
    "There is something else in that database already: cakes, recipes. Name an empty one (createdb clutchcast); nothing was changed.",
  );
  const used = await migratedPlace("postgres");
  const { services, close } = await openServices(readConfig({ ...used, LOG_LEVEL: "silent" }));
  expect(await refusal(used.DATABASE_URL!)).toMatch(/^Clutchcast runs on that database\. Stop it there/);
  await services.database.insertInto("users").values({ steam_id: "76561198000000001", steam_name: "device" }).execute();
  await close();
  expect(await refusal(used.DATABASE_URL!)).toMatch(
    /^A Clutchcast has used that database: there are users in it\..*nothing was changed\.$/,
  );
  expect(existsSync(join(DATA_DIR, "moved-to-postgres"))).toBe(false);
});

test("a database of another version, or that cannot keep every text, is told by its sentence", async () => {
  const newer = await migratedPlace("postgres");
  const client = new pg.Client({ connectionString: newer.DATABASE_URL });
  await client.connect();
  await client.query("INSERT INTO kysely_migration VALUES ('999-of-tomorrow', now()::text)");
  await client.end();
  expect(await refusal(newer.DATABASE_URL!)).toMatch(/^A newer Clutchcast has used this database: .*999-of-tomorrow/);

  const { url, at, query } = await emptyServer();
  const name = `${new URL(url).pathname.slice(1)}_latin`;
  await query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`);
  expect(await refusal(at({ pathname: `/${name}` }))).toMatch(/^That database keeps texts as LATIN1\. Make one/);
});

test("a server that cannot be reached, or does not let one in, is told by its sentence", async () => {
  const { at, query } = await emptyServer();
  expect(await refusal(at({ pathname: "/elsewhere" }))).toMatch(/^There is no database “elsewhere” at .*createdb/);
  expect(await refusal(at({ port: "1" }))).toBe(
    "Nothing answers at 127.0.0.1:1. Is the database running, and is the address right?",
  );
  expect(await refusal(at({ username: "stranger" }))).toMatch(/does not let “stranger” in\. Check the address/);
  await query("DROP ROLE IF EXISTS mover", "CREATE ROLE mover LOGIN", "REVOKE CREATE ON SCHEMA public FROM PUBLIC");
  expect(await refusal(at({ username: "mover" }))).toMatch(
    /^“mover” may not change the database .*ALTER SCHEMA public/,
  );
});

test("a wrong password is told as one", async () => {
  const { url, query } = await emptyServer();
  await query("DROP ROLE IF EXISTS secretive", "CREATE ROLE secretive LOGIN PASSWORD 'right'");
  const server = await passwordServer(url);
  expect(await refusal(server.url)).toMatch(
    /refuses the password of “secretive”\. Check DATABASE_PASSWORD, or the one in the address\.$/,
  );
  await server.restore();
});

/** The same server, which requires a password for that role until `restore`. */
async function passwordServer(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SHOW hba_file");
  const path = rows[0].hba_file as string;
  const before = readFileSync(path, "utf8");
  writeFileSync(path, `host all secretive 127.0.0.1/32 scram-sha-256\n${before}`);
  await client.query("SELECT pg_reload_conf()");
  return {
    url: Object.assign(new URL(url), { username: "secretive", password: "wrong" }).href,
    async restore() {
      writeFileSync(path, before);
      await client.query("SELECT pg_reload_conf()");
      await client.end();
    },
  };
}

test("a move that another version began, or that somebody else is at, is left alone", async () => {
  const { url, query } = await emptyServer();
  await query(
    `CREATE SCHEMA ${moveSchema}`,
    `CREATE TABLE ${moveSchema}.state (migrations text[], finished_at timestamptz)`,
    `INSERT INTO ${moveSchema}.state VALUES ('{001-initial}', NULL)`,
  );
  expect(await refusal(url)).toMatch(/^Another version of Clutchcast began this move\. Go on with that version/);
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query("SELECT pg_advisory_lock($1)", [Buffer.from("move").readUInt32BE()]);
  expect(await refusal(url)).toMatch(/^Another move into that database is at work\./);
  await other.end();
});

test("rows that are lost or changed in the database that is being filled are found, and the next call mends it", async () => {
  const { DATA_DIR: folder } = await migratedPlace("embedded");
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: "silent" });
  const { services, close } = await openServices(config);
  await services.database
    .insertInto("profiles")
    .values([1, 2, 3].map((number) => ({ steam_id: `7656119800000000${number}`, name: `Player ${number}` })))
    .execute();
  const { url, query } = await emptyServer();
  const call = (tell = (_: string) => {}) =>
    moveToPostgresCommand({ LOG_LEVEL: "silent", DATA_DIR: folder }, url, tell);
  await expect(call()).rejects.toThrow(`Clutchcast runs on ${folder}. Stop it first`);
  await close();

  const cutOff = (line: string) => {
    if (line.startsWith("Comparing")) throw new Error("cut off");
  };
  await expect(call(cutOff)).rejects.toThrow("cut off");
  await query("UPDATE profiles SET name = 'Somebody' WHERE name = 'Player 2'");
  await expect(call()).rejects.toThrow(/^Of profiles 3 rows are there and 3 were moved, or they are not the same/);
  expect(existsSync(join(folder, "moved-to-postgres"))).toBe(false);
  const lines: string[] = [];
  const meanwhile = (line: string) => {
    lines.push(line);
    if (lines.length === 1) starts.push(openServices(config).catch((error: unknown) => error));
  };
  const starts: Promise<unknown>[] = [];
  expect(await call(meanwhile)).toMatch(/^Moved \d+ rows of \d+ tables and 0 jobs\./);
  expect(lines).not.toContainEqual(expect.stringContaining("changed since"));
  expect(await Promise.all(starts)).toEqual([expect.any(DataDirectoryInUseError)]);
  await query("SELECT 1 / (count(*) = 3)::int FROM profiles WHERE name LIKE 'Player %'");
  rmSync(folder, { recursive: true });
});

test("a move that was cut off before its last steps is ended by the next call", async () => {
  const { DATA_DIR: folder } = await migratedPlace("embedded");
  const { url, query } = await emptyServer();
  const call = () => moveToPostgresCommand({ LOG_LEVEL: "silent", DATA_DIR: folder }, url, () => {});
  // As it is between the commit on the server and the mark here.
  const mark = join(folder, "moved-to-postgres");
  mkdirSync(`${mark}.new`);
  await expect(call()).rejects.toThrow(/EISDIR/);
  rmdirSync(`${mark}.new`);
  expect(await call()).toMatch(/^Everything was moved by the last call\./);
  expect(existsSync(mark)).toBe(true);
  await expect(query(`SELECT 1 FROM ${moveSchema}.state`)).rejects.toThrow("does not exist");
  rmSync(folder, { recursive: true });
});
