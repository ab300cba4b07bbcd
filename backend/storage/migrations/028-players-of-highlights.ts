import { type Kysely, sql } from "kysely";

/**
 * Stores a highlight's player with it, so that a player's best are read along an index, however many matches there are: `player` is an
 * index into the demo's list. A trigger maintains it, also for rows that the previous version writes while it is being replaced. Decision
 * 152.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    -- All that this and the next one change: taken one after the other they could meet a process that holds the other one.
    LOCK TABLE clips, clip_highlights, highlights IN ACCESS EXCLUSIVE MODE;
    ALTER TABLE highlights ADD COLUMN steam_id text
      CONSTRAINT highlights_steam_id_bounded CHECK (char_length(steam_id) <= 17);
    CREATE FUNCTION player_of_highlight() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.steam_id := (
        SELECT substring(players -> NEW.player ->> 'steam_id' FROM '^[0-9]{17}$') FROM demos WHERE sha256 = NEW.demo_sha256
      );
      RETURN NEW;
    END $$;
    CREATE TRIGGER highlights_player BEFORE INSERT OR UPDATE OF player, demo_sha256 ON highlights FOR EACH ROW
      EXECUTE FUNCTION player_of_highlight();
    UPDATE highlights SET steam_id = substring(demos.players -> highlights.player ->> 'steam_id' FROM '^[0-9]{17}$')
    FROM demos WHERE demos.sha256 = highlights.demo_sha256;
  `.execute(database);
}
