import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import pg from "pg";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { openServices } from "../../open-services.ts";
import type { Services } from "../../services.ts";
import { moveSchema } from "../../storage/half-moved.ts";
import { migrations } from "../../storage/migrations/index.ts";
import { openDatabaseAt } from "../../storage/open-database.ts";
import type { Database } from "../../storage/schema.ts";
import { programOf } from "../../storage/testing/fork-source.ts";
import { freshPlace, migratedPlace } from "../../storage/testing/fresh-database.ts";
import { oldPlace } from "../testing/old-place.ts";
import { configOf, withServices } from "../testing/with-services.ts";

const log = pino({ level: "silent" });
const folder = mkdtempSync(join(tmpdir(), "clutchcast-move-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** More rows than a batch, texts of all kinds, counts made by triggers, a failed job, and one that ran when its process died. */
async function fill({ database, jobs }: Services): Promise<void> {
  const clip = await database
    .selectFrom("clips")
    .select(["id", "user_id"])
    .where("status", "=", "completed")
    .executeTakeFirstOrThrow();
  await sql`
    INSERT INTO views (clip_id, viewer_hash, viewed_at)
    SELECT ${clip.id}, md5(number::text), now() - number * interval '1 second' FROM generate_series(1, 40000) AS number
  `.execute(database);
  const name = `zs ö 🏆 "quoted" \\ back \t tab \n line ' $1 {}`;
  await database.updateTable("clips").set({ name, views_count: 40_001 }).where("id", "=", clip.id).execute();
  await sql`
    INSERT INTO profiles (steam_id, name) SELECT (76561100000000000 + number)::text, 'Player ' || number
    FROM generate_series(1, 3000) AS number
  `.execute(database);
  // Moves a row after another one that refers to it.
  await sql`UPDATE users SET avatar_url = 'https://avatars.example/1.jpg'`.execute(database);
  for (const steps of [1, 2, 3]) await jobs.send("map", { map: `de_map${steps}` }, { ownerId: clip.user_id });
  await sql`UPDATE pgboss.job SET state = 'active', started_on = now() WHERE data ->> 'map' = 'de_map1'`.execute(
    database,
  );
  await sql`
    UPDATE pgboss.job SET state = 'failed', completed_on = now(), output = '{"message": "no luck"}'
    WHERE data ->> 'map' = 'de_map2'
  `.execute(database);
}

async function onServer(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Every row of every table as text, in order. */
async function allRows(database: Kysely<Database>): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT LIKE 'kysely%' ORDER BY 1
  `.execute(database);
  const all: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      SELECT to_jsonb(each)::text AS row FROM ${sql.table(name)} AS each ORDER BY 1
    `.execute(database);
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}

/** Everything in a database except its rows. */
async function shapeOf(url: string) {
  return {
    constraints: await onServer(
      url,
      `SELECT conrelid::regclass::text AS "table", conname, pg_get_constraintdef(oid) AS definition, convalidated
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`,
    ),
    triggers: await onServer(
      url,
      `SELECT tgrelid::regclass::text AS "table", tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2`,
    ),
    indexes: await onServer(url, "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1"),
    schemas: await onServer(url, "SELECT nspname FROM pg_namespace WHERE nspname NOT LIKE 'pg%' ORDER BY 1"),
  };
}

interface Run {
  child: ChildProcess;
  ended: Promise<{ code: number | null; output: string; told: string }>;
}

/** The operator's program as an operator runs it. */
function operator(environment: Record<string, string>, ...words: string[]): Run {
  const { BUILT_CHILDREN } = process.env;
  const program = BUILT_CHILDREN
    ? [join(BUILT_CHILDREN, "operator.js")]
    : programOf(new URL("../operator.ts", import.meta.url));
  const child = spawn(process.execPath, [...program, ...words], { env: { ...process.env, ...environment } });
  const texts = { output: "", told: "" };
  child.stdout.on("data", (chunk) => {
    texts.output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    texts.told += chunk;
  });
  return { child, ended: new Promise((resolve) => child.once("close", (code) => resolve({ code, ...texts }))) };
}

/** Kills a run once a part has this many rows. @returns how many there were then */
async function killAt({ child, ended }: Run, url: string, part: string, rows: number): Promise<number> {
  const arrived = async () => {
    const [found] = await onServer(
      url,
      `SELECT rows::int AS rows FROM ${moveSchema}.progress WHERE name = '${part}'`,
    ).catch(() => []);
    return (found?.rows as number | undefined) ?? 0;
  };
  while ((await arrived()) < rows) {
    if (child.exitCode !== null) throw new Error(`It ended before: ${JSON.stringify(await ended)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  child.kill("SIGKILL");
  await ended;
  return await arrived();
}

test("a move that is killed, and whose source goes on in between, ends with every row, reference, number and job", async () => {
  const place = oldPlace(folder);
  await withServices(place, fill);
  const { DATABASE_URL: url = "" } = await freshPlace("postgres");
  const move = () => operator(place, "move-to-postgres", url);

  // In the middle of the first tables, in the middle of a large one.
  await killAt(move(), url, "profiles", 1000);
  const kept = await killAt(move(), url, "views", 4000);
  expect(kept).toBeLessThan(40_001);
  await expect(openServices(configOf({ ...place, DATABASE_URL: url }))).rejects.toThrow("Only a part of the embedded");

  // The server of the embedded database is started once more: rows are deleted, changed and added.
  await withServices(place, async ({ database }) => {
    await sql`DELETE FROM profiles WHERE name = 'Player 7'`.execute(database);
    await sql`UPDATE profiles SET name = 'Player eight' WHERE name = 'Player 8'`.execute(database);
    await sql`INSERT INTO settings (key, value) VALUES ('between', 'two calls')`.execute(database);
  });
  const done = await move().ended;
  expect(done.code, done.told).toBe(0);
  expect(done.told).toContain("profiles changed since the last call and is copied anew");
  expect(done.told).not.toContain("views changed");
  expect(done.output).toMatch(/^Moved \d+ rows of \d+ tables and 4 jobs\. Every table is the same there/);
  expect(done.output).toContain(`Set DATABASE_URL=${url} and its password`);

  // The embedded database stays unchanged.
  const again = await move().ended;
  expect(again).toMatchObject({ code: 1, output: "" });
  expect(again.told).toMatch(
    /^It was moved to PostgreSQL at 127\.0\.0\.1:\d+, database “.*”, on \d{4}-\d\d-\d\d already: nothing is left/,
  );
  await expect(openServices(configOf(place))).rejects.toThrow(/was moved to PostgreSQL at .* Set DATABASE_URL to it\./);
  const failures = await operator(place, "failures").ended;
  expect(failures.told).toContain("To go back to the embedded one, as it was then, delete ");
  const mark = /delete (\S+)\.$/.exec(failures.told.trim())?.[1] ?? "";
  expect(readFileSync(mark, "utf8")).not.toContain("postgres@");

  // As it is there without its mark.
  const left = join(folder, "left");
  cpSync(place.DATA_DIR, left, { recursive: true, filter: (path) => path !== mark });
  const source = await openDatabaseAt(Object.keys(migrations).at(-1)!, configOf({ DATA_DIR: left }), log);
  const rows = await allRows(source.database);
  await source.close();
  expect(rows.views).toHaveLength(40_001);
  expect(rows.profiles).toContainEqual(expect.stringContaining("Player eight"));

  const { DATABASE_URL: empty = "" } = await migratedPlace("postgres");
  expect(await shapeOf(url)).toEqual(await shapeOf(empty));
  const target = await openDatabaseAt(Object.keys(migrations).at(-1)!, configOf({ ...place, DATABASE_URL: url }), log);
  expect(await allRows(target.database)).toEqual(rows);
  await target.close();

  await withServices({ ...place, DATABASE_URL: url }, async ({ database, jobs, blobs }) => {
    const clips = await database.selectFrom("clips").select(["id", "name", "video_key"]).orderBy("id").execute();
    const waiting = clips.find(({ name }) => name === "Still waiting")!;
    expect(await jobs.isOpen("render", { clipId: waiting.id })).toBe(true);
    const finished = clips.find((clip) => clip.video_key !== null)!;
    expect(await blobs.stat(finished.video_key!)).toMatchObject({ contentType: "video/mp4" });
    const [failed, ...others] = await jobs.failures(10);
    expect(others).toEqual([]);
    expect(failed).toMatchObject({ name: "map", payload: { map: "de_map2" }, error: "no luck" });
    await jobs.requeue(failed!.id);
    // Sent after the move, and taken after those that waited: the order continues.
    await jobs.send("map", { map: "de_last" }, { ownerId: null });
    const order = await sql<{ map: string; state: string }>`
      SELECT data ->> 'map' AS map, state FROM pgboss.job WHERE name = 'map' AND state < 'active' ORDER BY priority DESC
    `.execute(database);
    expect(order.rows.map(({ map }) => map)).toEqual(["de_map1", "de_map2", "de_map3", "de_last"]);
    const { id } = await database
      .insertInto("users")
      .values({ steam_id: "76561198999999999", steam_name: "new" })
      .returning("id")
      .executeTakeFirstOrThrow();
    expect(id).toBeGreaterThan(Math.max(...rows.users!.map((row) => JSON.parse(row).id as number)));
  });
});

/**
 * Needs a shell with its own mounts. Only root will do: for others it takes a namespace in which PostgreSQL would run as root, which it
 * refuses.
 */
const canMount = process.getuid?.() === 0 && spawnSync("unshare", ["--mount", "true"]).status === 0;

test.runIf(canMount)(
  "a server whose disk is full is told as that, and the next call goes on where there is room",
  async () => {
    const place = oldPlace(folder);
    await withServices(place, fill);
    // Accessible to the server's user.
    const disk = mkdtempSync(join(tmpdir(), "clutchcast-disk-"));
    const shell = `disk=$0 && mount -t tmpfs -o size=10m none "$disk" && "$@" "$disk"`;
    const program = programOf(new URL("../testing/move-to-small-server.ts", import.meta.url));
    const run = spawnSync(
      "unshare",
      ["--mount", "sh", "-c", shell, disk, process.execPath, ...program, place.DATA_DIR],
      {
        encoding: "utf8",
      },
    );
    rmSync(disk, { recursive: true });
    expect(run.stderr).toBe("");
    const { full, remounted, again } = JSON.parse(run.stdout);
    expect(full).toMatch(
      /^The disk of the database at 127\.0\.0\.1:\d+ is full\. Make room, then call the same command: it goes on where it was\.$/,
    );
    expect(remounted).toBe(0);
    expect(again).toMatchObject({ jobs: 4 });
    expect(again.rows).toBeGreaterThan(43_000);
  },
);
