import { type Kysely, sql } from "kysely";

/** The network of a signed-out viewer, hashed as viewers are, so that one network cannot make many views. Decision 073. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE views ADD COLUMN network_hash text CHECK (char_length(network_hash) <= 64);
    CREATE INDEX views_clip_network ON views (clip_id, network_hash, viewed_at DESC) WHERE network_hash IS NOT NULL;
  `.execute(database);
}
