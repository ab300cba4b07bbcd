import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { deadlines } from "../waits/deadlines.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { openDatabase } from "./open-database.ts";
import type { Database } from "./schema.ts";
import { forkSource } from "./testing/fork-source.ts";
import { freshDatabase, freshPlace } from "./testing/fresh-database.ts";
import { watchSyncs } from "./testing/watched-syncs.ts";
import { NestedQueryError } from "./transaction-guard.ts";

const log = pino({ level: "silent" });
const kinds = ["embedded", "postgres"] as const;

async function addUser(database: Kysely<Database>, steamId = "76561198000000001"): Promise<number> {
  const { id } = await database
    .insertInto("users")
    .values({ steam_id: steamId, steam_name: "s1mple" })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

async function addMatch(database: Kysely<Database>, userId: number): Promise<string> {
  await database.insertInto("matches").values({ id: "match0000001", user_id: userId, source: "url" }).execute();
  return "match0000001";
}

const clipOf = (userId: number, matchId: string, slot: number | null) => ({
  user_id: userId,
  match_id: matchId,
  demo_sha256: "0".repeat(64),
  name: "Ace on Mirage",
  spec: JSON.stringify({}),
  settings: JSON.stringify({}),
  queue_slot: slot,
});

for (const kind of kinds) {
  test(`five starters at once migrate one ${kind} database once`, async () => {
    const place = await freshPlace(kind);
    const opened = await Promise.allSettled(Array.from({ length: 5 }, () => openDatabase(place, log)));
    const open = opened.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    try {
      // Only one process can open the embedded database; the others get an error.
      expect(open).toHaveLength(kind === "embedded" ? 1 : 5);
      for (const result of opened) {
        if (result.status === "rejected") expect(String(result.reason)).toContain("already uses the data directory");
      }
      expect(await Promise.all(Array.from({ length: 5 }, () => migrate(open[0]!.database)))).toEqual([
        [],
        [],
        [],
        [],
        [],
      ]);
      const { rows } = await open[0]!.pool.query("SELECT name FROM kysely_migration ORDER BY name");
      expect(rows.map((row) => row.name)).toEqual(Object.keys(migrations));
    } finally {
      for (const database of open) await database.close();
      rmSync(place.DATA_DIR, { recursive: true });
    }
  });

  test(`a query around the open transaction is an error on ${kind}, and the next query works`, async () => {
    const opened = await freshDatabase(kind);
    const { database, pool } = opened;
    try {
      await expect(
        database.transaction().execute(async (transaction) => {
          await addUser(transaction);
          await database.selectFrom("users").selectAll().execute();
        }),
      ).rejects.toThrow(NestedQueryError);
      await expect(
        database
          .transaction()
          .setIsolationLevel("serializable")
          .execute(async () => await database.transaction().execute(async () => {})),
      ).rejects.toThrow(NestedQueryError);
      await expect(database.transaction().execute(async () => await pool.query("SELECT 1"))).rejects.toThrow(
        NestedQueryError,
      );
      expect(await database.selectFrom("users").selectAll().execute()).toEqual([]);

      // Concurrent is not nested: neither is refused, both are done.
      const sums = await Promise.all([
        database.transaction().execute((transaction) => addUser(transaction, "76561198000000002")),
        addUser(database, "76561198000000003"),
        database.transaction().execute((transaction) => addUser(transaction, "76561198000000004")),
      ]);
      expect(new Set(sums).size).toBe(3);
    } finally {
      await opened.remove();
    }
  });

  test(`a transaction left open by its client does not reach the next one on ${kind}`, async () => {
    const opened = await freshDatabase(kind);
    try {
      const failing = opened.database.transaction().execute(async (transaction) => {
        await addUser(transaction);
        await sql`SELECT 1 / 0`.execute(transaction);
      });
      await expect(failing).rejects.toMatchObject({ code: "22012" });
      await expect(opened.pool.query("BEGIN; INSERT INTO settings VALUES ('a', 'b'); SELECT 1 / 0")).rejects.toThrow();
      if (opened.kind === "embedded") {
        const client = await opened.connect!();
        await client.query("BEGIN");
        await client.query("INSERT INTO settings VALUES ('c', 'd')");
        client.release();
      }
      expect((await opened.pool.query("SELECT * FROM settings WHERE key IN ('a', 'c')")).rows).toEqual([]);
      expect(await opened.database.selectFrom("users").selectAll().execute()).toEqual([]);
    } finally {
      await opened.remove();
    }
  });

  test(`values come back as the same JavaScript types from ${kind}`, async () => {
    const opened = await freshDatabase(kind);
    const { database, pool } = opened;
    try {
      const { rows } = await pool.query(
        `SELECT 9007199254740991::int8 AS int8, ARRAY[1, NULL, 3]::int8[] AS int8s, count(*) AS count, 1.5::float8 AS float8,
           sum(2::int4) AS sum, 12.50::numeric AS numeric, '\\x00ff10'::bytea AS bytea, ARRAY['a', 'b,"c']::text[] AS texts,
           '{"a": [1, null]}'::jsonb AS object, '[1, "2"]'::jsonb AS list, true AS bool, NULL AS nothing,
           '2026-11-21 06:00:00.123+00'::timestamptz AS time`,
      );
      expect(rows[0]).toEqual({
        int8: 9007199254740991,
        int8s: [1, null, 3],
        count: 1,
        float8: 1.5,
        sum: 2,
        numeric: "12.50",
        bytea: Buffer.from([0, 255, 16]),
        texts: ["a", 'b,"c'],
        object: { a: [1, null] },
        list: [1, "2"],
        bool: true,
        nothing: null,
        time: new Date("2026-11-21T06:00:00.123Z"),
      });
      expect(Buffer.isBuffer(rows[0].bytea)).toBe(true);

      const userId = await addUser(database);
      const clip = await database
        .insertInto("clips")
        .values(clipOf(userId, await addMatch(database, userId), 2))
        .returningAll()
        .executeTakeFirstOrThrow();
      expect(clip).toMatchObject({ id: 1, user_id: 1, spec: {}, likes_count: 0 });
      expect(clip.created_at).toBeInstanceOf(Date);
      const changed = await database.updateTable("clips").set({ progress: 0.25 }).executeTakeFirst();
      expect(changed.numUpdatedRows).toBe(1n);
      const sameTime = await database
        .selectFrom("clips")
        .select("progress")
        .where("created_at", "=", clip.created_at)
        .executeTakeFirst();
      expect(sameTime).toEqual({ progress: 0.25 });
      await expect(addUser(database)).rejects.toMatchObject({ code: "23505", constraint: "users_steam_id_key" });
    } finally {
      await opened.remove();
    }
  });

  test(`twenty claims at once take the three places of the queue on ${kind}`, async () => {
    const opened = await freshDatabase(kind);
    const { database } = opened;
    try {
      const userId = await addUser(database);
      const matchId = await addMatch(database, userId);
      const claim = async (attempt: number) => {
        for (let slot = 1; slot <= 3; slot++) {
          const { numInsertedOrUpdatedRows } = await database
            .insertInto("clips")
            .values(clipOf(userId, matchId, 1 + ((slot + attempt) % 3)))
            .onConflict((conflict) => conflict.columns(["user_id", "queue_slot"]).doNothing())
            .executeTakeFirst();
          if (numInsertedOrUpdatedRows) return true;
        }
        return false;
      };
      const won = await Promise.all(Array.from({ length: 20 }, (_, attempt) => claim(attempt)));
      expect(won.filter(Boolean)).toHaveLength(3);
      await expect(
        database
          .insertInto("clips")
          .values(clipOf(userId, matchId, 6))
          .execute(),
      ).rejects.toMatchObject({
        code: "23514",
      });
      // A clip cannot be queued without a place, nor can a finished one keep its place.
      await expect(
        database
          .insertInto("clips")
          .values(clipOf(userId, matchId, null))
          .execute(),
      ).rejects.toMatchObject({
        constraint: "clips_queue_slot_while_active",
      });
      await expect(
        database.updateTable("clips").set({ status: "failed" }).where("queue_slot", "=", 1).execute(),
      ).rejects.toMatchObject({ constraint: "clips_queue_slot_while_active" });
      await database.updateTable("clips").set({ status: "failed", queue_slot: null }).execute();
      expect(await claim(0)).toBe(true);
    } finally {
      await opened.remove();
    }
  });
}

test("a PostgreSQL server that is there no longer is not waited for without an end", async () => {
  const place = await freshPlace("postgres");
  const address = new URL(place.DATABASE_URL!);
  const port = Number(address.port);
  let isLost = false;
  const sockets: Socket[] = [];
  // A network that, from some moment on, passes nothing on and reports no error.
  const network = createServer((socket) => {
    const server = connect(port, address.hostname);
    socket.on("data", (bytes) => isLost || server.write(bytes));
    server.on("data", (bytes) => isLost || socket.write(bytes));
    sockets.push(socket, server);
  });
  network.listen(0, "127.0.0.1");
  await once(network, "listening");
  address.port = String((network.address() as AddressInfo).port);
  const opened = await openDatabase({ ...place, DATABASE_URL: address.href }, log);
  isLost = true;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let answer: unknown;
  try {
    const asked = once(sockets[0]!, "data");
    opened.pool.query("SELECT 1").catch((error: unknown) => {
      answer = error;
    });
    await asked;
    vi.advanceTimersByTime(deadlines.database.answerMs);
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    vi.useRealTimers();
    for (const socket of sockets) socket.destroy();
    await opened.close();
    network.close();
    rmSync(place.DATA_DIR, { recursive: true });
  }
  expect(String(answer)).toContain("timeout");
});

test("a statement starts no further processes in the server, is not compiled, and pages are as near as on a solid disk, unless the address asks for it", async () => {
  const place = await freshPlace("postgres");
  const settingsOf = async (DATABASE_URL: string | undefined) => {
    const opened = await openDatabase({ ...place, DATABASE_URL }, log);
    const { rows } = await opened.pool.query(
      `SELECT current_setting('max_parallel_workers_per_gather') AS workers, current_setting('random_page_cost') AS page,
        current_setting('jit') AS jit`,
    );
    await opened.close();
    return rows[0];
  };
  try {
    expect(await settingsOf(place.DATABASE_URL)).toEqual({ workers: "0", page: "1.1", jit: "off" });
    const asking = new URL(place.DATABASE_URL ?? "");
    asking.searchParams.set("options", "-c max_parallel_workers_per_gather=3");
    expect(await settingsOf(asking.href)).toEqual({ workers: "3", page: "4", jit: "on" });
  } finally {
    rmSync(place.DATA_DIR, { recursive: true });
  }
});

test("a start killed while it creates the database leaves nothing in the way of the next one", async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
  const place = { DATA_DIR, DATABASE_URL: undefined };
  const starter = forkSource(new URL("./testing/committing-writer.ts", import.meta.url), [DATA_DIR, ""]);
  const creating = () => readdirSync(DATA_DIR).some((name) => name.startsWith("postgres.new-"));
  while (!creating()) await new Promise((resolve) => setTimeout(resolve, 10));
  starter.kill("SIGKILL");
  await once(starter, "exit");
  expect(existsSync(join(DATA_DIR, "postgres"))).toBe(false);

  const synced = process.platform === "linux" ? await watchSyncs() : null;
  const opened = await openDatabase(place, log);
  synced?.stop();
  await addUser(opened.database);
  await opened.close();
  // Its files were synced before they got their name, and that was before anybody was told that something is stored.
  if (synced) {
    const database = join(DATA_DIR, "postgres");
    const made = join(DATA_DIR, `postgres.new-${process.pid}`);
    const folders = readdirSync(database, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(database, name)).isDirectory())
      .map((name) => join(made, name));
    expect(folders.length).toBeGreaterThan(20);
    expect(folders.filter((folder) => !synced.paths.includes(folder))).toEqual([]);
    expect(synced.paths.filter((path) => path === made || path === DATA_DIR)).toEqual([made, DATA_DIR]);
  }
  const again = await openDatabase(place, log);
  expect(await again.database.selectFrom("users").select("steam_id").execute()).toHaveLength(1);
  await again.close();
  rmSync(DATA_DIR, { recursive: true });
});

test("files that are no whole database are not taken away", async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), "clutchcast-test-"));
  mkdirSync(join(DATA_DIR, "postgres/base"), { recursive: true });
  await expect(openDatabase({ DATA_DIR, DATABASE_URL: undefined }, log)).rejects.toThrow("PG_VERSION is missing");
  expect(readdirSync(DATA_DIR)).toEqual(["postgres"]);
  expect(readdirSync(join(DATA_DIR, "postgres"))).toEqual(["base"]);
  rmSync(DATA_DIR, { recursive: true });
});
