import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "./schema.ts";
import { databaseBefore } from "./testing/database-before.ts";

for (const kind of ["embedded", "postgres"] as const) {
  test(`a ${kind} database of the version before learns whose highlights are and how clips rank, and keeps it true`, async () => {
    const { database, upgrade, remove } = await databaseBefore(kind, "028-players-of-highlights");
    try {
      await sql`
        INSERT INTO users (steam_id, steam_name) VALUES ('76561198000000001', 'Nova');
        INSERT INTO demos (sha256, map, game_mode, server_name, players, teams, timing, detector_version)
        VALUES (repeat('a', 64), 'de_nuke', 'Premier', '',
          '[{"name": "Nova", "steam_id": "76561198000000001", "team": 0}, {"name": "Bot", "steam_id": null, "team": 1},
            {"name": "Wrong", "steam_id": "76561198000000001; and more than a Steam ID", "team": 1}]',
          '[]', '{"tickRate": 64, "rounds": []}', 1);
        INSERT INTO matches (id, user_id, source, status, demo_sha256)
        VALUES ('match0000001', 1, 'upload', 'completed', repeat('a', 64));
        INSERT INTO highlights (demo_sha256, type, round, player, kills_count, score, reason, start_tick, end_tick, moments)
        SELECT repeat('a', 64), type, 1, player, 1, score, '', 1, 2, '[]' FROM (VALUES ('ace', 0, 90), ('triple_kill', 0, 120),
          ('clutch_1v3', 1, 70.5), ('wallbang', 2, 14), ('custom', 0, 0)) AS given (type, player, score);
        INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, video_key, poster_key, thumbnail_key)
        SELECT 1, 'match0000001', repeat('a', 64), name, '{"width": 1280, "height": 720}', '{}', 'completed', name, 'p', 't'
        FROM unnest(ARRAY['All', 'Marked by hand', 'Later']) AS name;
        INSERT INTO clips (user_id, name, spec, settings, status, video_key, poster_key, thumbnail_key)
        VALUES (1, 'Joined', '{"width": 1280, "height": 720}', '{}', 'completed', 'v', 'p', 't');
        INSERT INTO clip_highlights (clip_id, highlight_id, position)
        VALUES (1, 1, 0), (1, 2, 1), (1, 3, 2), (1, 4, 3), (2, 5, 0), (4, 1, 0);
      `.execute(database);
      await upgrade();
      expect(await playersOfHighlights(database)).toEqual([
        ...["76561198000000001", "76561198000000001", null, null, "76561198000000001"],
      ]);
      const none = { clutch: null, multikill: null, noscope: null };
      const all = { clutch: 70.5, multikill: 120, noscope: 14 };
      expect(await ranks(database)).toEqual({ All: all, "Marked by hand": none, Later: none, Joined: none });

      // Rows that either version writes from then on, and those that are scored anew.
      await sql`
        INSERT INTO highlights (demo_sha256, type, round, player, kills_count, score, reason, start_tick, end_tick, moments)
        VALUES (repeat('a', 64), 'ace', 2, 0, 5, 101, '', 1, 2, '[]');
        INSERT INTO clip_highlights (clip_id, highlight_id, position) VALUES (3, 6, 0), (3, 4, 1);
        UPDATE highlights SET score = 15 WHERE type = 'wallbang';
        UPDATE highlights SET score = 80 WHERE type = 'triple_kill';
      `.execute(database);
      expect((await playersOfHighlights(database)).at(-1)).toBe("76561198000000001");
      expect(await ranks(database)).toEqual({
        All: { ...all, multikill: 90, noscope: 15 },
        "Marked by hand": none,
        Later: { clutch: null, multikill: 101, noscope: 15 },
        Joined: none,
      });
    } finally {
      await remove();
    }
  });
}

async function playersOfHighlights(database: Kysely<Database>): Promise<(string | null)[]> {
  const rows = await database.selectFrom("highlights").select("steam_id").orderBy("id").execute();
  return rows.map(({ steam_id }) => steam_id);
}

async function ranks(database: Kysely<Database>) {
  const rows = await database
    .selectFrom("clips")
    .select(["name", "best_clutch as clutch", "best_multikill as multikill", "best_noscope as noscope"])
    .execute();
  return Object.fromEntries(rows.map(({ name, ...ranks }) => [name, ranks]));
}
