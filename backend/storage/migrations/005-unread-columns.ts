import { type Kysely, sql } from "kysely";

/**
 * Drops what was written and never read. The top lists rank by the highlights themselves: a clip's own copy of their best
 * score and of their types only cost a write and two indexes. A demo's rounds are in its timing, and nobody asked when a
 * player's profile was refreshed.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    DROP INDEX clips_best;
    DROP INDEX clips_highlight_types;
    ALTER TABLE clips DROP COLUMN score, DROP COLUMN highlight_types;
    ALTER TABLE demos DROP COLUMN rounds;
    ALTER TABLE users DROP COLUMN profile_refreshed_at;
  `.execute(database);
}
