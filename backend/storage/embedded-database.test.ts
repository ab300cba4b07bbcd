import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { outageOf } from "../waits/outage.ts";
import { checkDurability, openEmbeddedDatabase } from "./embedded-database.ts";
import { EmbeddedPool } from "./embedded-pool.ts";
import { keepUp } from "./embedded-upkeep.ts";
import { openDatabase } from "./open-database.ts";
import { durableStartParameters, SyncedNodeFilesystem } from "./synced-node-filesystem.ts";
import { freshPlace, migratedPlace } from "./testing/fresh-database.ts";

const log = pino({ level: "silent" });

async function settingsTable(pool: EmbeddedPool): Promise<void> {
  await pool.query("CREATE TABLE IF NOT EXISTS settings (key text PRIMARY KEY, value text NOT NULL)");
}

test("every commit reaches the disk", async () => {
  const { DATA_DIR } = await freshPlace("embedded");
  const files = new SyncedNodeFilesystem(join(DATA_DIR, "postgres"));
  const pool = new EmbeddedPool(await PGlite.create({ fs: files, startParams: durableStartParameters }));
  await settingsTable(pool);
  await checkDurability(pool, files);
  const before = files.syncs;
  for (let n = 0; n < 100; n++) await pool.query("INSERT INTO settings VALUES ($1, 'x')", [`key ${n}`]);
  expect(files.syncs - before).toBeGreaterThanOrEqual(100);
  await pool.end();
  rmSync(DATA_DIR, { recursive: true });
});

test("the check at start notices a database that does not sync", async () => {
  const broken = {
    "PGlite as it comes": PGlite.defaultStartParams,
    "without -F only": PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  };
  for (const startParams of Object.values(broken)) {
    const { DATA_DIR } = await freshPlace("embedded");
    const files = new SyncedNodeFilesystem(join(DATA_DIR, "postgres"));
    const pool = new EmbeddedPool(await PGlite.create({ fs: files, startParams }));
    await settingsTable(pool);
    await expect(checkDurability(pool, files)).rejects.toThrow("did not reach the disk");
    await pool.end();
    rmSync(DATA_DIR, { recursive: true });
  }
});

test("who gets no turn on the one connection met an outage, and the next has theirs as soon as it is given back", async () => {
  const pool = new EmbeddedPool(await PGlite.create(), {}, 20);
  const holder = await pool.connect();
  const error = await pool.query("SELECT 1").catch((thrown: unknown) => thrown);
  expect(outageOf(error)).toBe("database");
  expect(String(error)).toContain("within 0.02 s: somebody keeps it");
  holder.release();
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

test("a start is refused whose database does not sync", async () => {
  const place = await migratedPlace("embedded");
  // Like a version of PGlite that does not call the hook.
  const broken = vi.spyOn(SyncedNodeFilesystem.prototype, "init").mockImplementation(NodeFS.prototype.init);
  try {
    const opened = openDatabase(place, log).then((database) => database.close());
    await expect(opened).rejects.toThrow("did not reach the disk");
  } finally {
    broken.mockRestore();
  }
  await (await openDatabase(place, log)).close();
  rmSync(place.DATA_DIR, { recursive: true });
});

test("a second opener of the directory is refused until the first one closed", async () => {
  const { DATA_DIR } = await freshPlace("embedded");
  const first = await openEmbeddedDatabase(DATA_DIR, log);
  await expect(openEmbeddedDatabase(DATA_DIR, log)).rejects.toThrow("choose another folder with DATA_DIR");
  await first.close();
  const second = await openEmbeddedDatabase(DATA_DIR, log);
  await second.close();
  rmSync(DATA_DIR, { recursive: true });
});

test("the one connection serves callers in their order, errors included", async () => {
  const { DATA_DIR } = await freshPlace("embedded");
  const { pool, close } = await openEmbeddedDatabase(DATA_DIR, log);
  await pool.query("CREATE TABLE turns (n integer)");
  const work = Array.from({ length: 50 }, async (_, n) => {
    const client = await pool.connect();
    try {
      await client.query("BEGIN");
      await client.query("INSERT INTO turns VALUES ($1)", [n]);
      if (n % 5 === 0) await client.query("SELECT 1 / 0");
      // Every seventh leaves its transaction open.
      if (n % 7 !== 0) await client.query("COMMIT");
    } finally {
      client.release();
    }
  });
  const results = await Promise.allSettled(work);
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(10);
  const { rows } = await pool.query("SELECT n FROM turns");
  const kept = Array.from({ length: 50 }, (_, n) => n).filter((n) => n % 5 !== 0 && n % 7 !== 0);
  expect(rows.map((row) => row.n)).toEqual(kept);
  await close();
  rmSync(DATA_DIR, { recursive: true });
});

test("upkeep vacuums a table sooner that says so itself", async () => {
  const { DATA_DIR } = await freshPlace("embedded");
  const { pool, guard, close } = await openEmbeddedDatabase(DATA_DIR, log);
  const upkeep = keepUp(pool, guard, log);
  for (const table of ["patient", "watched"]) {
    await pool.query(`CREATE TABLE ${table} AS SELECT n FROM generate_series(1, 3000) AS n`);
  }
  await pool.query("ALTER TABLE watched SET (autovacuum_vacuum_scale_factor = 0.02)");
  await upkeep.vacuum();
  // A twentieth of each.
  for (const table of ["patient", "watched"]) await pool.query(`UPDATE ${table} SET n = n + 1 WHERE n <= 150`);
  expect(await upkeep.vacuum()).toEqual(["public.watched"]);
  upkeep.stop();
  await close();
  rmSync(DATA_DIR, { recursive: true });
});

test("upkeep recycles the log and the space of dead rows", async () => {
  const { DATA_DIR } = await freshPlace("embedded");
  const { pool, guard, close } = await openEmbeddedDatabase(DATA_DIR, log);
  const upkeep = keepUp(pool, guard, log);
  const megabytes = async (what: string) =>
    Number((await pool.query(`SELECT ${what} AS bytes`)).rows[0].bytes) / 1024 ** 2;
  await pool.query("CREATE TABLE churn AS SELECT n, repeat('x', 2000) AS filling FROM generate_series(1, 4000) AS n");
  for (let round = 0; round < 12; round++) {
    await pool.query("UPDATE churn SET filling = repeat(chr(97 + $1::int), 2000)", [round]);
    await upkeep.checkpoint();
    if (round % 3 === 2) expect(await upkeep.vacuum()).toContain("public.churn");
  }
  const { rows } = await pool.query("SELECT n_dead_tup AS dead FROM pg_stat_user_tables WHERE relname = 'churn'");
  expect(rows[0].dead).toBe(0);
  // 12 rounds wrote more than 100 MB into both; without upkeep they would have stayed.
  expect(await megabytes("pg_total_relation_size('churn')")).toBeLessThan(60);
  expect(await megabytes("(SELECT sum(size) FROM pg_ls_waldir())")).toBeLessThan(160);
  upkeep.stop();
  await close();
  rmSync(DATA_DIR, { recursive: true });
});

test("room for a full disk is made while the database runs, where the start had no need to hurry", async () => {
  const { DATA_DIR } = await freshPlace("embedded");
  const { pool, guard, close } = await openEmbeddedDatabase(DATA_DIR, log);
  const ballast = join(DATA_DIR, "ballast");
  rmSync(ballast, { force: true });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const upkeep = keepUp(pool, guard, log);
    vi.advanceTimersByTime(15_000);
    upkeep.stop();
  } finally {
    vi.useRealTimers();
  }
  await vi.waitFor(() => expect(existsSync(ballast)).toBe(true), 20_000);
  expect(statSync(ballast).size).toBe(16 * 1024 ** 2);
  const logFiles = readdirSync(join(DATA_DIR, "postgres/pg_wal")).filter((name) => /^[0-9A-F]{24}$/.test(name));
  expect(logFiles.length).toBeGreaterThanOrEqual(4);
  await close();
  rmSync(DATA_DIR, { recursive: true });
});
