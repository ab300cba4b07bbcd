import { sql } from "kysely";
import { expect, test } from "vitest";
import { databaseBefore } from "./testing/database-before.ts";

for (const kind of ["embedded", "postgres"] as const) {
  test(`what waits by itself in a ${kind} database of the version before gives the places of presses back`, async () => {
    const { database, upgrade, remove } = await databaseBefore(kind, "025-automatic-places");
    try {
      // The second player's third one was put back by the operator.
      await sql`
        INSERT INTO users (steam_id, steam_name)
        VALUES ('76561198000000001', 'Nova'), ('76561198000000002', 'Vega');
        INSERT INTO matches (id, user_id, source, status)
        VALUES ('match0000001', 1, 'upload', 'completed'), ('match0000002', 2, 'upload', 'completed');
        INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, queue_slot, made_for_you)
        SELECT player, 'match000000' || player, repeat('a', 64), '', '{}', '{}', status, slot, automatic FROM (VALUES
          (1, 'queued', 1, false), (1, 'processing', 2, true), (1, 'queued', 3, true), (1, 'failed', NULL, true),
          (2, 'queued', 1, true), (2, 'queued', 2, true), (2, 'queued', 3, true)
        ) AS stored (player, status, slot, automatic)`.execute(database);
      await upgrade();
      const clips = await database.selectFrom("clips").select(["user_id", "queue_slot"]).orderBy("id").execute();
      const places = (userId: number) => clips.filter((clip) => clip.user_id === userId).map((clip) => clip.queue_slot);
      expect(places(1)).toEqual([1, 4, 5, null]);
      expect(places(2)).toEqual([4, 5, 3]);
    } finally {
      await remove();
    }
  });
}
