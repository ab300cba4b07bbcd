import { type Kysely, sql } from "kysely";

/**
 * A signature of the keys by which a clip is found, small enough for the index of every list: each key sets four of 64 bits. A clip that
 * lacks a bit of a wanted key does not match, so that lists skip it without reading its row. A trigger writes it, since the previous
 * version also writes rows while it is being replaced. Decision 151.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  // Rewrites the table and its indexes once: updating row by row takes several times as long, and leaves dead rows.
  await sql`
    CREATE FUNCTION signature_of(keys text[]) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT coalesce(bit_or(
        (1::bigint << (get_byte(hash, 0) & 63)) | (1::bigint << (get_byte(hash, 1) & 63))
        | (1::bigint << (get_byte(hash, 2) & 63)) | (1::bigint << (get_byte(hash, 3) & 63))
      ), 0)
      FROM (SELECT sha256(convert_to(key, 'UTF8')) AS hash FROM unnest(keys) AS key) AS hashes
    $$;
    ALTER TABLE clips ADD COLUMN found_signature bigint NOT NULL GENERATED ALWAYS AS (signature_of(found_by)) STORED;
    ALTER TABLE clips ALTER COLUMN found_signature DROP EXPRESSION;

    CREATE FUNCTION sign_clip() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.found_signature := signature_of(NEW.found_by);
      RETURN NEW;
    END $$;
    CREATE TRIGGER clips_signed BEFORE INSERT OR UPDATE OF found_by, found_signature ON clips
      FOR EACH ROW EXECUTE FUNCTION sign_clip();

    -- Lists are read in indexes alone as long as these know that nobody changed the rows: a like changes a row.
    ALTER TABLE clips SET (autovacuum_vacuum_scale_factor = 0.02);
  `.execute(database);
}
