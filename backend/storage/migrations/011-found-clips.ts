import { type Kysely, sql } from "kysely";

/**
 * By what a clip is found (map, types of its highlights, their players) in a column of its own with one index for every
 * combination, and an index that ranks highlights of a type. Decision 151. And the name of an uploaded file, which stands for the match
 * until its map is known.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE clips ADD COLUMN found_by text[] NOT NULL DEFAULT '{}'
      CONSTRAINT clips_found_by_bounded CHECK (octet_length(array_to_string(found_by, ',')) <= 16384);
    UPDATE clips SET found_by = found.keys
    FROM (
      SELECT clip_id, array_agg(DISTINCT key) AS keys
      FROM clip_highlights
      JOIN highlights ON highlights.id = clip_highlights.highlight_id
      JOIN demos ON demos.sha256 = highlights.demo_sha256
      CROSS JOIN LATERAL (VALUES
        ('map:' || demos.map),
        ('type:' || highlights.type),
        ('player:' || (demos.players -> highlights.player ->> 'steam_id')),
        ('name:' || lower(demos.players -> highlights.player ->> 'name'))
      ) AS found (key)
      WHERE key IS NOT NULL
      GROUP BY clip_id
    ) AS found
    WHERE found.clip_id = clips.id;
    CREATE INDEX clips_found_by ON clips USING gin (found_by) WHERE status = 'completed';
    ALTER TABLE matches ADD COLUMN file_name text CONSTRAINT matches_file_name_bounded CHECK (char_length(file_name) <= 200);
    CREATE INDEX highlights_best ON highlights (type, score DESC, id DESC);
  `.execute(database);
}
