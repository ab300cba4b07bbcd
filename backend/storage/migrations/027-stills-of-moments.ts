import { type Kysely, sql } from "kysely";

/** A moment that a player marked by hand has a still of its own, which follows the mark. Decision 134. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE highlights
      ADD COLUMN still_key text CONSTRAINT highlights_still_key_bounded CHECK (char_length(still_key) <= 200),
      ADD COLUMN still_tried_at timestamptz(3);
  `.execute(database);
}
