import { type Kysely, sql } from "kysely";

/**
 * Clips that are joined from other clips: they have no match, and list their parts in order. A deleted part leaves its name and its length.
 * Decision 150.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE clips
      ALTER COLUMN match_id DROP NOT NULL,
      ALTER COLUMN demo_sha256 DROP NOT NULL,
      ADD CONSTRAINT clips_of_a_match_or_joined CHECK ((match_id IS NULL) = (demo_sha256 IS NULL));

    CREATE TABLE clip_parts (
      clip_id bigint NOT NULL REFERENCES clips ON DELETE CASCADE,
      position integer NOT NULL CHECK (position BETWEEN 0 AND 99),
      part_id bigint REFERENCES clips ON DELETE SET NULL,
      name text NOT NULL CHECK (char_length(name) <= 200),
      duration_seconds double precision NOT NULL CHECK (duration_seconds >= 0),
      start_seconds double precision CHECK (start_seconds >= 0),
      PRIMARY KEY (clip_id, position)
    );
    CREATE INDEX clip_parts_part ON clip_parts (part_id) WHERE part_id IS NOT NULL;
  `.execute(database);
}
