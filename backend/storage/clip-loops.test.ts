import { sql } from "kysely";
import { expect, test } from "vitest";
import { databaseBefore } from "./testing/database-before.ts";

for (const kind of ["embedded", "postgres"] as const) {
  test(`a ${kind} database of the version before keeps its clips, whose posters are in 16:9 where they are not upright`, async () => {
    const { database, upgrade, remove } = await databaseBefore(kind, "008-clip-loops");
    try {
      await sql`
        INSERT INTO users (steam_id, steam_name) VALUES ('76561198000000001', 'Nova');
        INSERT INTO matches (id, user_id, source, status) VALUES ('match0000001', 1, 'upload', 'completed');
        INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, queue_slot, video_key, poster_key,
          thumbnail_key)
        VALUES
          (1, 'match0000001', repeat('a', 64), 'Ace', '{"width": 1920, "height": 1080}', '{}', 'completed', NULL, 'v', 'p', 't'),
          (1, 'match0000001', repeat('a', 64), 'Ace', '{"width": 1080, "height": 1920}', '{}', 'completed', NULL, 'v', 'p', 't'),
          (1, 'match0000001', repeat('a', 64), 'Ace', '{"width": 1280, "height": 720}', '{}', 'queued', 1, NULL, NULL, NULL);
      `.execute(database);
      await upgrade();
      const clips = await database.selectFrom("clips").select(["wide_poster_key", "loop_key"]).orderBy("id").execute();
      expect(clips).toEqual([
        { wide_poster_key: "p", loop_key: null },
        { wide_poster_key: null, loop_key: null },
        { wide_poster_key: null, loop_key: null },
      ]);
    } finally {
      await remove();
    }
  });
}
