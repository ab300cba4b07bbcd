import { sql } from "kysely";
import { expect, test } from "vitest";
import { databaseBefore } from "./testing/database-before.ts";

for (const kind of ["embedded", "postgres"] as const) {
  test(`a ${kind} database of the version before keeps its clips, which are found by map, types and players`, async () => {
    const { database, upgrade, remove } = await databaseBefore(kind, "010-compilations");
    try {
      await sql`
        INSERT INTO users (steam_id, steam_name) VALUES ('76561198000000001', 'Nova');
        INSERT INTO demos (sha256, map, game_mode, server_name, players, teams, timing, detector_version)
        VALUES (repeat('a', 64), 'de_nuke', 'Premier', '',
          '[{"name": "NOVA", "steam_id": "76561198000000001", "team": 0}, {"name": "Bot Ärger", "steam_id": null, "team": 1}]',
          '[]', '{"tickRate": 64, "rounds": []}', 1);
        INSERT INTO matches (id, user_id, source, status, demo_sha256)
        VALUES ('match0000001', 1, 'upload', 'completed', repeat('a', 64));
        INSERT INTO highlights (demo_sha256, type, round, player, kills_count, score, reason, start_tick, end_tick, moments)
        VALUES (repeat('a', 64), 'ace', 1, 0, 5, 9, '', 1, 2, '[]'), (repeat('a', 64), 'wallbang', 2, 1, 1, 3, '', 1, 2, '[]');
        INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, video_key, poster_key, thumbnail_key)
        VALUES
          (1, 'match0000001', repeat('a', 64), 'Both', '{"width": 1280, "height": 720}', '{}', 'completed', 'v', 'p', 't'),
          (1, 'match0000001', repeat('a', 64), 'None', '{"width": 1280, "height": 720}', '{}', 'completed', 'v', 'p', 't');
        INSERT INTO clip_highlights (clip_id, highlight_id, position) VALUES (1, 1, 0), (1, 2, 1);
      `.execute(database);
      await upgrade();
      const clips = await database.selectFrom("clips").select(["match_id", "found_by"]).orderBy("id").execute();
      expect(clips.map(({ match_id, found_by }) => [match_id, [...found_by].sort()])).toEqual([
        [
          "match0000001",
          [
            ...["map:de_nuke", "name:bot ärger", "name:nova", "player:76561198000000001"],
            ...["type:ace", "type:wallbang"],
          ],
        ],
        ["match0000001", []],
      ]);
      // A clip has a match and its demo, or neither.
      const half = sql`UPDATE clips SET match_id = NULL WHERE id = 1`.execute(database);
      await expect(half).rejects.toThrow(/clips_of_a_match_or_joined/);
    } finally {
      await remove();
    }
  });
}
