import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import { signatureOf } from "../clips/lists/found-by.ts";
import type { Database } from "./schema.ts";
import { databaseBefore } from "./testing/database-before.ts";

const keys = ["map:de_nuke", "type:ace", "type:one_tap", "player:76561198000000001", "name:зірка ★"];

for (const kind of ["embedded", "postgres"] as const) {
  test(`clips of the version before, and of now, have the signature of all that they are found by, on ${kind}`, async () => {
    const { database, upgrade, remove } = await databaseBefore(kind, "030-found-signatures");
    try {
      await addClips(database, 300);
      await upgrade();
      expect(await unsigned(database)).toEqual([]);
      await addClips(database, 20);
      await sql`UPDATE clips SET found_by = ${keys}::text[] WHERE id = 7`.execute(database);
      // As a program that does not know about signatures would.
      await sql`UPDATE clips SET found_signature = 0 WHERE id = 8`.execute(database);
      expect(await unsigned(database)).toEqual([]);
      const wanted = signatureOf(["map:nowhere"]);
      const { rows } = await sql<{ id: number }>`
        SELECT id FROM clips WHERE id > 300 AND found_signature & ${wanted}::bigint = ${wanted}::bigint`.execute(
        database,
      );
      const signed = await sql<{ signature: string }>`SELECT signature_of(${keys}::text[])::text AS signature`.execute(
        database,
      );
      expect(signed.rows).toEqual([{ signature: signatureOf(keys) }]);
      // It is selective: of twenty clips hardly any is read in vain.
      expect(rows.length).toBeLessThan(3);
    } finally {
      await remove();
    }
  });
}

/** Each can be found by its number and by one to five keys. */
async function addClips(database: Kysely<Database>, count: number): Promise<void> {
  await sql`
    INSERT INTO users (steam_id, steam_name) VALUES ('76561198000000001', 'Nova') ON CONFLICT DO NOTHING;
    INSERT INTO matches (id, user_id, source, status) VALUES ('m1', 1, 'upload', 'completed') ON CONFLICT DO NOTHING`.execute(
    database,
  );
  await sql`
    INSERT INTO clips (user_id, match_id, demo_sha256, name, spec, settings, status, video_key, poster_key, thumbnail_key, found_by)
    SELECT 1, 'm1', repeat('a', 64), '', '{}', '{}', 'completed', 'v', 'p', 't', 'map:' || n || (${keys}::text[])[1 + n % 5:5]
    FROM generate_series(1, ${count}::int) n`.execute(database);
}

/** Clips that a list would miss although it looks for a key of theirs, alone or with the first of them. */
async function unsigned(database: Kysely<Database>): Promise<unknown[]> {
  const { rows } = await sql`
    SELECT clips.id, key FROM clips, unnest(found_by) AS key
    WHERE (found_signature & signature_of(ARRAY[key, found_by[1]]) = signature_of(ARRAY[key, found_by[1]])) IS NOT TRUE`.execute(
    database,
  );
  return rows;
}
