import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "./schema.ts";
import { databaseBefore } from "./testing/database-before.ts";

for (const kind of ["embedded", "postgres"] as const) {
  test(`a ${kind} database of the version before keeps its clips, and small videos are their own share files`, async () => {
    const { database, upgrade, remove } = await databaseBefore(kind, "007-clip-formats");
    try {
      await storeClips(database);
      await upgrade();
      const clips = await database.selectFrom("clips").select(["status", "share_key"]).orderBy("id").execute();
      expect(clips).toEqual([
        { status: "completed", share_key: "small" },
        { status: "completed", share_key: null },
        { status: "completed", share_key: null },
        { status: "queued", share_key: null },
      ]);

      const format = { clip_id: 1, user_id: 1, format: "vertical" } as const;
      const insert = (values: object) => database.insertInto("clip_formats").values({ ...format, ...values });
      await expect(insert({}).execute()).rejects.toMatchObject({ constraint: "clip_formats_queue_slot_while_active" });
      await expect(insert({ status: "completed" }).execute()).rejects.toMatchObject({
        constraint: "clip_formats_completed_is_stored",
      });
      await insert({ queue_slot: 2 }).execute();
      await expect(insert({ clip_id: 2, queue_slot: 2 }).execute()).rejects.toMatchObject({ code: "23505" });
      await database.deleteFrom("clips").where("id", "=", 1).execute();
      expect(await database.selectFrom("clip_formats").selectAll().execute()).toEqual([]);
    } finally {
      await remove();
    }
  });
}

/** Two finished clips of known size, one of unknown size, and one in the queue, as the previous version wrote them. */
async function storeClips(database: Kysely<Database>): Promise<void> {
  await sql`
    INSERT INTO users (steam_id, steam_name) VALUES ('76561198000000001', 'Nova');
    INSERT INTO matches (id, user_id, source, status) VALUES ('match0000001', 1, 'upload', 'completed');
    INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, queue_slot, video_key, poster_key,
      thumbnail_key, video_bytes)
    VALUES
      (1, 'match0000001', repeat('a', 64), 'Ace', '{}', '{}', 'completed', NULL, 'small', 'p', 't', 9500000),
      (1, 'match0000001', repeat('a', 64), 'Ace', '{}', '{}', 'completed', NULL, 'large', 'p', 't', 9500001),
      (1, 'match0000001', repeat('a', 64), 'Ace', '{}', '{}', 'completed', NULL, 'unknown', 'p', 't', NULL),
      (1, 'match0000001', repeat('a', 64), 'Ace', '{}', '{}', 'queued', 1, NULL, NULL, NULL, NULL);
  `.execute(database);
}
