import { type Kysely, sql } from "kysely";

/** A part of a compilation lists its highlights, even after its clip is deleted: their marks are within it. Decision 150. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE clip_parts ADD COLUMN highlight_ids jsonb
      CONSTRAINT clip_parts_highlight_ids_bounded CHECK (octet_length(highlight_ids::text) <= 500);
    UPDATE clip_parts SET highlight_ids = (
      SELECT coalesce(jsonb_agg(highlight_id ORDER BY clip_highlights.position), '[]'::jsonb)
      FROM clip_highlights WHERE clip_highlights.clip_id = part_id
    ) WHERE part_id IS NOT NULL;
  `.execute(database);
}
