import { type Kysely, sql } from "kysely";

/** The same demo imported twice by one player stays one match; the second import's id points to it (decision 070). */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE matches ADD COLUMN alias_of text REFERENCES matches ON DELETE CASCADE`.execute(database);
  await sql`CREATE INDEX matches_alias_of ON matches (alias_of) WHERE alias_of IS NOT NULL`.execute(database);
}
