import { type Kysely, sql } from "kysely";

/** The pictures of a match's highlights and its ground, in one file that is made after the import. Decision 131. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE demos
      ADD COLUMN pictures_key text CONSTRAINT demos_pictures_key_bounded CHECK (char_length(pictures_key) <= 200),
      ADD COLUMN pictures_tried_at timestamptz(3);
    CREATE INDEX demos_pictures_key ON demos (pictures_key) WHERE pictures_key IS NOT NULL;
  `.execute(database);
}
