import { type Kysely, sql } from "kysely";

/** A custom highlight has its own still, which is made after it. Decision 134. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE highlights
      ADD COLUMN still_key text CONSTRAINT highlights_still_key_bounded CHECK (char_length(still_key) <= 200),
      ADD COLUMN still_tried_at timestamptz(3);
  `.execute(database);
}
