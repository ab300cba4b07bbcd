import { type Kysely, Migrator, sql } from "kysely";
import { expect, test } from "vitest";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import type { Database } from "./schema.ts";
import { freshDatabase } from "./testing/fresh-database.ts";

const kinds = ["embedded", "postgres"] as const;

/** Columns of text, JSON or lists without a check of their size, as `table.column`. */
async function unboundedColumns(database: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string; column: string; checks: string[] }>`
    SELECT columns.table_name || '.' || columns.column_name AS name, columns.column_name AS column, ARRAY(
      SELECT pg_get_constraintdef(checked.oid)
      FROM pg_constraint checked
      JOIN pg_attribute attribute ON attribute.attrelid = checked.conrelid AND attribute.attnum = ANY (checked.conkey)
      WHERE checked.contype = 'c' AND checked.conrelid = columns.table_name::regclass
        AND attribute.attname = columns.column_name
    ) AS checks
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'kysely\_%'
      AND data_type NOT IN ('bigint', 'integer', 'smallint', 'boolean', 'double precision', 'uuid', 'date',
        'timestamp with time zone')
    ORDER BY 1`.execute(database);
  const isBounded = (column: string, check: string) =>
    new RegExp(`(char|octet)_length\\(.*\\b${column}\\b.*<= \\d+`).test(check) ||
    new RegExp(`\\b${column} = ANY \\(ARRAY\\[`).test(check) ||
    new RegExp(`\\b${column} ~ '\\^\\[[^\\]]+\\]\\{\\d+\\}\\$'`).test(check);
  return rows.filter(({ column, checks }) => !checks.some((check) => isBounded(column, check))).map(({ name }) => name);
}

for (const kind of kinds) {
  test(`no column of a ${kind} database takes a text, a document or a list without end`, async () => {
    const { database, remove } = await freshDatabase(kind);
    try {
      expect(await unboundedColumns(database)).toEqual([]);
      await sql`ALTER TABLE users ADD COLUMN motto text CHECK (motto <> ''), ADD COLUMN links jsonb`.execute(database);
      expect(await unboundedColumns(database)).toEqual(["users.links", "users.motto"]);
      const tooLong = database.insertInto("settings").values({ key: "greeting", value: "x".repeat(2000) });
      await expect(tooLong.execute()).rejects.toThrow("settings_value_bounded");
    } finally {
      await remove();
    }
  });

  test(`what a ${kind} database stored before it had limits is cut to them, and nothing goes`, async () => {
    const { database, remove } = await freshDatabase(kind);
    try {
      await sql`DROP SCHEMA public CASCADE; CREATE SCHEMA public`.execute(database);
      const first = Object.fromEntries(Object.entries(migrations).slice(0, 1));
      const migrator = new Migrator({ db: database, provider: { getMigrations: async () => first } });
      expect((await migrator.migrateToLatest()).error).toBeUndefined();
      await storeHostileMatch(database);

      expect(await migrate(database)).toEqual(Object.keys(migrations).slice(1));
      const demo = await database.selectFrom("demos").selectAll().executeTakeFirstOrThrow();
      expect(demo.map).toBe(`de_${"m".repeat(61)}`);
      expect(demo.server_name).toHaveLength(128);
      expect(demo.players).toHaveLength(256);
      expect(demo.players[0]).toEqual({ name: "🦊".repeat(64), steam_id: "76561199999900001", team: 0 });
      expect(demo.teams).toEqual([
        { name: "two words", score: 13 },
        { name: "b", score: 9 },
      ]);
      expect(demo.timing.rounds).toHaveLength(2);
      const highlight = await database.selectFrom("highlights").selectAll().executeTakeFirstOrThrow();
      expect(highlight.reason).toHaveLength(200);
      expect(highlight.moments).toHaveLength(32);
      expect(highlight.moments[0]).toMatchObject({
        tick: 0,
        weapon: "w".repeat(64),
        flags: ["headshot"],
        victim: null,
      });
      const clip = await database.selectFrom("clips").selectAll().executeTakeFirstOrThrow();
      expect(clip.name).toBe("evil name");
      expect(clip.spec.segments[0]?.captions[0]?.reason).toHaveLength(200);
      expect(clip).toMatchObject({ status: "queued", queue_slot: 1, likes_count: 3 });
      const match = await database.selectFrom("matches").selectAll().executeTakeFirstOrThrow();
      expect(match).toMatchObject({ id: "match0000001", status: "completed", provider_map: null });
      expect(match.demo_url).toHaveLength(2048);
      const { steam_name } = await database.selectFrom("users").selectAll().executeTakeFirstOrThrow();
      expect(steam_name).toBe("76561198000000001");
      const { rows } = await sql`SELECT proname FROM pg_proc WHERE proname LIKE 'cut_text%'`.execute(database);
      expect(rows).toEqual([]);
    } finally {
      await remove();
    }
  });
}

async function storeHostileMatch(database: Kysely<Database>): Promise<void> {
  const million = 1_000_000;
  const sha256 = "0".repeat(64);
  const player = { name: "🦊".repeat(100_000), steam_id: "76561199999900001", team: 0 as const };
  const moment = { tick: 0, kind: "kill", weapon: "w".repeat(million), flags: ["headshot"], victim: null };
  const caption = {
    label: "Wallbang",
    reason: "r".repeat(million),
    startTick: 0,
    endTick: 9,
    player: 0,
    momentTicks: [4],
  };
  await database.insertInto("users").values({ steam_id: "76561198000000001", steam_name: "\u202e\u0007" }).execute();
  await database
    .insertInto("demos")
    .values({
      sha256,
      map: `de_${"m".repeat(12 * million)}`,
      game_mode: "Competitive",
      server_name: "s".repeat(million),
      ...({ rounds: 2 } as object),
      players: JSON.stringify([player, ...Array.from({ length: 400 }, () => ({ ...player, name: "x" }))]),
      teams: JSON.stringify([
        { name: "two\n\u202ewords\u0007", score: 13 },
        { name: "b", score: 9 },
      ]),
      timing: JSON.stringify({ tickRate: 64, rounds: [{ number: 1 }, { number: 2 }] }),
      detector_version: 1,
    })
    .execute();
  const user_id = (await database.selectFrom("users").select("id").executeTakeFirstOrThrow()).id;
  await database
    .insertInto("matches")
    .values({
      id: "match0000001",
      user_id,
      demo_sha256: sha256,
      demo_url: `https://demos.example/${"%20".repeat(2000)}`,
      source: "url",
      status: "completed",
    })
    .execute();
  await database
    .insertInto("highlights")
    .values({
      demo_sha256: sha256,
      type: "wallbang",
      round: 1,
      player: 0,
      kills_count: 1,
      score: 1,
      reason: "r".repeat(million),
      start_tick: 0,
      end_tick: 9,
      moments: JSON.stringify([moment, ...Array.from({ length: 99 }, () => ({ ...moment, weapon: "ak47" }))]),
    })
    .execute();
  await database
    .insertInto("clips")
    .values({
      user_id,
      match_id: "match0000001",
      demo_sha256: sha256,
      name: "\u202eevil\tname",
      spec: JSON.stringify({ version: 1, segments: [{ round: 1, startTick: 0, endTick: 9, captions: [caption] }] }),
      settings: JSON.stringify({}),
      ...({ highlight_types: ["wallbang"] } as object),
      queue_slot: 1,
      likes_count: 3,
    })
    .execute();
}
