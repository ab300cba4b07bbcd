import { Migrator, sql } from "kysely";
import pg from "pg";
import { pino } from "pino";
import { expect, test } from "vitest";
import { statusCounts, userTotals } from "./counts.ts";
import { largeIndexes } from "./large-indexes.ts";
import { migrations } from "./migrations/index.ts";
import { openDatabase } from "./open-database.ts";
import { freshPlace, migratedPlace } from "./testing/fresh-database.ts";

const log = pino({ level: "silent" });
const names = largeIndexes.map(({ name }) => name).sort();

async function validIndexes({ database }: Awaited<ReturnType<typeof openDatabase>>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indisvalid AND relname = ANY (${names}::text[]) ORDER BY relname
  `.execute(database);
  return rows.map(({ name }) => name).sort();
}

for (const kind of ["embedded", "postgres"] as const) {
  test(`a ${kind} database of the version before has its rows counted and its indexes built at the next start`, async () => {
    const place = await freshPlace(kind);
    const first = await openDatabase(place, log);
    await sql`DROP SCHEMA public CASCADE; CREATE SCHEMA public`.execute(first.database);
    const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "015"));
    const migrator = new Migrator({ db: first.database, provider: { getMigrations: async () => before } });
    expect((await migrator.migrateToLatest()).error).toBeUndefined();
    await sql`
      INSERT INTO users (steam_id, steam_name) VALUES ('76561198000000001', 'Nova'), ('76561198000000002', 'Rio'),
        ('76561198000000003', 'Nobody');
      INSERT INTO matches (id, user_id, source, status, alias_of)
      VALUES ('m1', 1, 'upload', 'completed', NULL), ('m2', 1, 'upload', 'completed', 'm1'), ('m3', 2, 'url', 'failed', NULL);
      INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, video_key, poster_key, thumbnail_key,
        likes_count, views_count)
      VALUES (1, 'm1', repeat('a', 64), 'Ace', '{}', '{}', 'completed', 'v', 'p', 't', 3, 9),
        (1, 'm1', repeat('a', 64), 'Ace', '{}', '{}', 'failed', NULL, NULL, NULL, 0, 0);
    `.execute(first.database);
    await first.close();

    const opened = await openDatabase(place, log);
    try {
      const { database } = opened;
      expect(await userTotals(database, 1)).toEqual({
        clips: 2,
        finishedClips: 1,
        views: 9,
        likes: 3,
        matches: 1,
        bytes: 0,
        listChanges: 0,
      });
      expect(await userTotals(database, 2)).toMatchObject({ clips: 0, matches: 1 });
      expect(await userTotals(database, 3)).toMatchObject({ clips: 0, matches: 0 });
      expect(await statusCounts(database, "matches")).toEqual([
        { status: "completed", count: 2 },
        { status: "failed", count: 1 },
      ]);
      expect(await validIndexes(opened)).toEqual(names);
      const { rows } = await sql`SELECT 1 FROM pg_class WHERE relname = 'clips_user_newest'`.execute(database);
      expect(rows).toEqual([]);
    } finally {
      await opened.close();
    }
  });
}

for (const kind of ["embedded", "postgres"] as const) {
  test(`a large table that was written anew is vacuumed at the next start, on ${kind}`, async () => {
    const place = await migratedPlace(kind);
    const first = await openDatabase(place, log);
    const known = async ({ database }: typeof first) => {
      const { rows } = await sql<{ pages: number; visible: number }>`
        SELECT relpages AS pages, relallvisible AS visible FROM pg_class WHERE relname = 'profiles'`.execute(database);
      return rows[0]!;
    };
    await sql`INSERT INTO profiles (steam_id, name) SELECT n::text, 'Player' FROM generate_series(1, 20000) n`.execute(
      first.database,
    );
    // As after a migration by a process that was killed before it could vacuum.
    await sql`ALTER TABLE profiles ALTER COLUMN name TYPE text USING name || ' '; REINDEX TABLE profiles`.execute(
      first.database,
    );
    const written = await known(first);
    expect(written.pages).toBeGreaterThan(100);
    expect(written.visible).toBe(0);
    await first.close();
    const second = await openDatabase(place, log);
    try {
      const { pages, visible } = await known(second);
      expect(visible).toBe(pages);
    } finally {
      await second.close();
    }
  });
}

test("an index that a killed process left half built is built anew, by one of those that start at once", async () => {
  const place = await migratedPlace("postgres");
  const first = await openDatabase(place, log);
  expect(await validIndexes(first)).toEqual(names);
  await sql`
    UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'clips_unfinished'::regclass;
    DROP INDEX profiles_refreshed_at;
    -- One that was built, after which its process was killed before it dropped the older one.
    CREATE INDEX clips_user_walk ON clips (user_id);
  `.execute(first.database);
  expect(await validIndexes(first)).not.toEqual(names);
  const others = await Promise.all([1, 2, 3].map(() => openDatabase(place, log)));
  expect(await validIndexes(first)).toEqual(names);
  const { rows } = await sql`SELECT 1 FROM pg_class WHERE relname = 'clips_user_walk'`.execute(first.database);
  expect(rows).toEqual([]);
  for (const opened of [first, ...others]) await opened.close();
});

test("while an index is built others write to its table, and are not kept waiting", async () => {
  const place = await migratedPlace("postgres");
  const [holder, beside] = [await connectedTo(place), await connectedTo(place)];
  await holder.query("DROP INDEX profiles_refreshed_at");
  await holder.query("BEGIN; INSERT INTO profiles (steam_id, name) VALUES ('1', 'before')");
  let isOver = false;
  // The build waits for the transaction that began before it, and nobody waits for the build.
  const starting = openDatabase(place, log).then((opened) => {
    isOver = true;
    return opened;
  });
  const building = async () => (await beside.query("SELECT 1 FROM pg_stat_progress_create_index")).rowCount;
  await expect.poll(building, { timeout: 30_000 }).toBe(1);
  await beside.query("INSERT INTO profiles (steam_id, name) VALUES ('2', 'meanwhile')");
  expect(isOver).toBe(false);
  await holder.query("COMMIT");
  const started = await starting;
  expect(await validIndexes(started)).toEqual(names);
  await Promise.all([holder.end(), beside.end(), started.close()]);
});

async function connectedTo({ DATABASE_URL }: { DATABASE_URL: string | undefined }): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  return client;
}
