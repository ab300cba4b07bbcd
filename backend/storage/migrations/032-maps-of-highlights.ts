import { type Kysely, sql } from "kysely";

/**
 * Stores a highlight's map with it, so that the best of a map are read along an index, however many matches there are. The trigger that
 * maintains its player maintains this as well. When a demo is read anew its row changes first. Decision 152.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    LOCK TABLE highlights IN ACCESS EXCLUSIVE MODE;
    ALTER TABLE highlights ADD COLUMN map text CONSTRAINT highlights_map_bounded CHECK (char_length(map) <= 64);
    CREATE OR REPLACE FUNCTION player_of_highlight() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      SELECT substring(players -> NEW.player ->> 'steam_id' FROM '^[0-9]{17}$'), demos.map INTO NEW.steam_id, NEW.map
      FROM demos WHERE sha256 = NEW.demo_sha256;
      RETURN NEW;
    END $$;
    UPDATE highlights SET map = demos.map FROM demos WHERE demos.sha256 = highlights.demo_sha256;
  `.execute(database);
}
