import { type Kysely, sql } from "kysely";

/** Moments that players mark themselves become highlights with a name and an owner. Decision 134. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE highlights
      ADD COLUMN name text CONSTRAINT highlights_name_bounded CHECK (char_length(name) <= 40),
      ADD COLUMN made_by bigint REFERENCES users ON DELETE SET NULL;
    CREATE INDEX highlights_made_by ON highlights (made_by) WHERE made_by IS NOT NULL;
  `.execute(database);
}
