import { type Kysely, sql } from "kysely";

/** The times of events in a clip's video: known once it is rendered, and not for existing clips. Decision 141. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE clips ADD COLUMN moments jsonb
      CONSTRAINT clips_moments_bounded CHECK (octet_length(moments::text) <= 40000)
  `.execute(database);
}
