import { type Kysely, sql } from "kysely";

/**
 * The loop of each clip for cards, which is made gradually for existing clips, and the poster in 16:9, which is the poster itself unless
 * the clip is upright. Decisions 121 and 122.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE clips
      ADD COLUMN wide_poster_key text CONSTRAINT clips_wide_poster_key_bounded CHECK (char_length(wide_poster_key) <= 200),
      ADD COLUMN loop_key text CONSTRAINT clips_loop_key_bounded CHECK (char_length(loop_key) <= 200),
      ADD COLUMN loop_tried_at timestamptz(3);
    UPDATE clips SET wide_poster_key = poster_key
    WHERE status = 'completed' AND (spec ->> 'height')::numeric <= (spec ->> 'width')::numeric;
    CREATE INDEX clips_wide_poster_key ON clips (wide_poster_key) WHERE wide_poster_key IS NOT NULL;
    CREATE INDEX clips_loop_key ON clips (loop_key) WHERE loop_key IS NOT NULL;
    CREATE INDEX clips_without_loop ON clips (id) WHERE status = 'completed' AND loop_key IS NULL;
  `.execute(database);
}
