import { type Kysely, sql } from "kysely";

/**
 * Where players walk on each map, merged from all its matches, and which of these files a clip was planned with. Existing clips have none,
 * and are drawn on the walks of their match. Decision 123.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE map_footprints (
      map text NOT NULL CHECK (char_length(map) <= 64),
      valid_from timestamptz(3) NOT NULL,
      hash text CHECK (hash ~ '^[0-9a-f]{32}$'),
      matches integer NOT NULL,
      sources text NOT NULL CHECK (sources ~ '^[0-9a-f]{32}$'),
      made_at timestamptz(3) NOT NULL,
      PRIMARY KEY (map, valid_from)
    );
    CREATE INDEX map_footprints_hash ON map_footprints (hash) WHERE hash IS NOT NULL;
    ALTER TABLE clips ADD COLUMN map_hash text CONSTRAINT clips_map_hash_bounded CHECK (map_hash ~ '^[0-9a-f]{32}$');
    CREATE INDEX clips_map_hash ON clips (map_hash) WHERE map_hash IS NOT NULL;
    CREATE INDEX demos_map ON demos (map, created_at) WHERE track_key IS NOT NULL;
  `.execute(database);
}
