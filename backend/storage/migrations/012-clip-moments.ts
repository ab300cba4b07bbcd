import { type Kysely, sql } from "kysely";

/** When a clip's video shows what: known once it is rendered. Of clips from before nothing is known. Decision 141. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE clips ADD COLUMN moments jsonb
      CONSTRAINT clips_moments_bounded CHECK (octet_length(moments::text) <= 40000)
  `.execute(database);
}
