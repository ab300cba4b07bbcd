import { type Kysely, sql } from "kysely";

/**
 * Drops columns that were written but never read. The top lists rank by the highlights themselves: a clip's own copy of their best score
 * and types only cost a write and two indexes. A demo's rounds are in its timing, and the time of a profile's refresh was not used.
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
