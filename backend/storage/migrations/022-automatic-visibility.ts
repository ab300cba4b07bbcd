import { type Kysely, sql } from "kysely";

/** Whether a player's automatic clips are public, or only for those with their link. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE automation ADD COLUMN visibility text NOT NULL DEFAULT 'public'
      CHECK (visibility IN ('public', 'unlisted'));
  `.execute(database);
}
