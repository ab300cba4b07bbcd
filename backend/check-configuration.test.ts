import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { startS3 } from "../tests/services/s3.ts";
import { checkConfiguration, describeCheck } from "./check-configuration.ts";
import { readConfig } from "./config.ts";
import { moveSchema } from "./storage/half-moved.ts";
import { markMoved } from "./storage/moved-mark.ts";
import { migratedPlace } from "./storage/testing/fresh-database.ts";

const emptyFolder = () => mkdtempSync(join(tmpdir(), "clutchcast-check-"));
const check = async (environment: Record<string, string>) => {
  const parts = await checkConfiguration(readConfig(environment));
  return Object.fromEntries(parts.map(({ name, isFine, text }) => [name, isFine ? text : `FAULT ${text}`]));
};

test("an embedded place is looked at, and nothing is made in it", async () => {
  const DATA_DIR = emptyFolder();
  const said = await check({ DATA_DIR });
  expect(said["Data folder"]).toMatch(/GiB free\.$/);
  expect(said.Database).toMatch(/^Embedded, made at the first start/);
  expect(said.ffmpeg).toMatch(/ffmpeg/);
  expect(readdirSync(DATA_DIR)).toEqual([]);
  rmSync(DATA_DIR, { recursive: true });
});

test("a database that was moved, and one that was moved to by half, are told as that", async () => {
  const left = emptyFolder();
  await markMoved(left, "PostgreSQL at db:5432, database “clips”, on 2026-11-23");
  expect((await check({ DATA_DIR: left })).Database).toMatch(
    /^FAULT The database of .* was moved to PostgreSQL at db:5432, database “clips”, on 2026-11-23\. Set DATABASE_URL to it/,
  );
  rmSync(left, { recursive: true });
  const { DATABASE_URL = "", DATA_DIR } = await migratedPlace("postgres");
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  await client.query(`CREATE SCHEMA ${moveSchema}`);
  await client.query(`CREATE TABLE ${moveSchema}.state AS SELECT NULL::timestamptz AS finished_at`);
  expect((await check({ DATABASE_URL, DATA_DIR })).Database).toMatch(/^FAULT Only a part of the embedded database/);
  await client.query(`UPDATE ${moveSchema}.state SET finished_at = now()`);
  expect((await check({ DATABASE_URL, DATA_DIR })).Database).toMatch(/up to date\.$/);
  await client.end();
  rmSync(DATA_DIR, { recursive: true, force: true });
});

test("a server's database is looked at, and nothing is changed in it", async () => {
  const { DATABASE_URL = "", DATA_DIR } = await migratedPlace("postgres");
  expect((await check({ DATABASE_URL, DATA_DIR })).Database).toMatch(/^PostgreSQL \d+.*, up to date\.$/);
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  await client.query("UPDATE pgboss.version SET version = version + 1");
  expect((await check({ DATABASE_URL, DATA_DIR })).Database).toMatch(
    /^FAULT A newer Clutchcast has used this database: its queue has version \d+/,
  );
  await client.query("DROP SCHEMA pgboss CASCADE");
  expect((await check({ DATABASE_URL, DATA_DIR })).Database, "made at the start").toMatch(/up to date\.$/);
  await client.query("DELETE FROM kysely_migration WHERE name = (SELECT max(name) FROM kysely_migration)");
  expect((await check({ DATABASE_URL, DATA_DIR })).Database).toMatch(/1 change to make at the start\.$/);
  await client.query("INSERT INTO kysely_migration VALUES ('999-of-tomorrow', now()::text)");
  const { Database } = await check({ DATABASE_URL, DATA_DIR });
  expect(Database).toMatch(/^FAULT A newer Clutchcast has used this database: .*999-of-tomorrow/);
  await client.end();
  const url = new URL(DATABASE_URL);
  url.pathname = "/elsewhere";
  expect((await check({ DATABASE_URL: url.href, DATA_DIR })).Database).toMatch(
    /^FAULT There is no database “elsewhere”/,
  );
  rmSync(DATA_DIR, { recursive: true, force: true });
});

test("a store is written, read and cleaned; wrong keys and a missing bucket are told apart", async () => {
  const store = await startS3();
  const right = {
    DATA_DIR: emptyFolder(),
    S3_ENDPOINT: store.endpoint,
    S3_BUCKET: store.bucket,
    S3_REGION: store.region,
    S3_ACCESS_KEY_ID: store.accessKeyId,
    S3_SECRET_ACCESS_KEY: store.secretAccessKey,
  };
  expect((await check(right)).Store).toMatch(/written, read, deleted\.$/);
  expect(store.requests.at(-1)).toMatch(/^DELETE .*checks\//);
  expect((await check({ ...right, S3_SECRET_ACCESS_KEY: "wrong" })).Store).toMatch(/^FAULT .* refuses the keys/);
  expect((await check({ ...right, S3_BUCKET: "elsewhere" })).Store).toMatch(/^FAULT There is no bucket “elsewhere”/);
  await store.stop();
  expect((await check(right)).Store).toMatch(/^FAULT .* cannot be reached \(ECONNREFUSED\)/);
  rmSync(right.DATA_DIR, { recursive: true });
});

test("a terminal shows every part in a line", () => {
  const text = describeCheck([
    { name: "Store", isFine: true, text: "The folder data." },
    { name: "Database", isFine: false, text: "Nothing answers." },
  ]);
  expect(text).toBe("ok     Store        The folder data.\nFAULT  Database     Nothing answers.");
});
