import { type Kysely, sql } from "kysely";

/**
 * The size of a user's files, stored like the counts of migration 015: the videos of their clips, in every format; uploads that are not
 * imported yet; and of each demo of their matches, the raw file and the replay track. A demo of two players counts for both. Decision 129.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE user_totals ADD COLUMN bytes bigint NOT NULL DEFAULT 0;
    ALTER TABLE user_total_changes ADD COLUMN bytes bigint NOT NULL DEFAULT 0;
    CREATE INDEX user_totals_bytes ON user_totals (bytes DESC) WHERE bytes > 0;
    -- Null: not known, of what is older than the column.
    ALTER TABLE demos ADD COLUMN track_bytes bigint CHECK (track_bytes >= 0);
    ALTER TABLE matches ADD COLUMN upload_bytes bigint CHECK (upload_bytes >= 0);
    -- What a video will take as far as can be told; read while it waits or is drawn.
    ALTER TABLE clips ADD COLUMN expected_bytes bigint CHECK (expected_bytes >= 0);
    ALTER TABLE clip_formats ADD COLUMN expected_bytes bigint CHECK (expected_bytes >= 0);

    CREATE FUNCTION add_new_video_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO user_total_changes (user_id, bytes)
        SELECT user_id, sum(video_bytes) FROM changed WHERE video_bytes > 0 GROUP BY user_id;
      RETURN NULL;
    END $$;
    CREATE FUNCTION take_deleted_video_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO user_total_changes (user_id, bytes)
        SELECT user_id, -sum(video_bytes) FROM changed WHERE video_bytes > 0 GROUP BY user_id;
      RETURN NULL;
    END $$;
    CREATE FUNCTION add_changed_video_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO user_total_changes (user_id, bytes)
        VALUES (NEW.user_id, coalesce(NEW.video_bytes, 0) - coalesce(OLD.video_bytes, 0));
      RETURN NULL;
    END $$;

    -- Locked until the end: whoever changes what the demo takes sees the match that came, or that it is gone.
    CREATE FUNCTION locked_demo_bytes(wanted text) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      found_bytes bigint;
    BEGIN
      IF wanted IS NULL THEN RETURN 0; END IF;
      SELECT coalesce(file_bytes, 0) + coalesce(track_bytes, 0) INTO found_bytes FROM demos WHERE sha256 = wanted FOR SHARE;
      RETURN coalesce(found_bytes, 0);
    END $$;
    CREATE FUNCTION count_match_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      delta bigint := 0;
      owner bigint;
    BEGIN
      IF TG_OP <> 'DELETE' THEN
        owner := NEW.user_id;
        IF NEW.upload_key IS NOT NULL THEN delta := delta + coalesce(NEW.upload_bytes, 0); END IF;
        IF TG_OP = 'INSERT' OR NEW.demo_sha256 IS DISTINCT FROM OLD.demo_sha256 THEN
          delta := delta + locked_demo_bytes(NEW.demo_sha256);
        END IF;
      END IF;
      IF TG_OP <> 'INSERT' THEN
        owner := OLD.user_id;
        IF OLD.upload_key IS NOT NULL THEN delta := delta - coalesce(OLD.upload_bytes, 0); END IF;
        IF TG_OP = 'DELETE' OR NEW.demo_sha256 IS DISTINCT FROM OLD.demo_sha256 THEN
          delta := delta - locked_demo_bytes(OLD.demo_sha256);
        END IF;
      END IF;
      IF delta <> 0 THEN INSERT INTO user_total_changes (user_id, bytes) VALUES (owner, delta); END IF;
      RETURN NULL;
    END $$;
    CREATE FUNCTION count_demo_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO user_total_changes (user_id, bytes)
        SELECT user_id, coalesce(NEW.file_bytes, 0) + coalesce(NEW.track_bytes, 0)
          - coalesce(OLD.file_bytes, 0) - coalesce(OLD.track_bytes, 0)
        FROM matches WHERE demo_sha256 = NEW.sha256;
      RETURN NULL;
    END $$;
  `.execute(database);
  for (const table of ["clips", "clip_formats"]) {
    await sql`
      CREATE TRIGGER ${sql.ref(`${table}_bytes_new`)} AFTER INSERT ON ${sql.table(table)}
        REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION add_new_video_bytes();
      CREATE TRIGGER ${sql.ref(`${table}_bytes_deleted`)} AFTER DELETE ON ${sql.table(table)}
        REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION take_deleted_video_bytes();
      CREATE TRIGGER ${sql.ref(`${table}_bytes_changed`)} AFTER UPDATE OF video_bytes ON ${sql.table(table)} FOR EACH ROW
        WHEN (OLD.video_bytes IS DISTINCT FROM NEW.video_bytes) EXECUTE FUNCTION add_changed_video_bytes();
    `.execute(database);
  }
  // As in 015, nobody else writes these tables from here until this ends.
  await sql`
    CREATE TRIGGER matches_bytes AFTER INSERT OR DELETE OR UPDATE OF upload_key, upload_bytes, demo_sha256 ON matches
      FOR EACH ROW EXECUTE FUNCTION count_match_bytes();
    CREATE TRIGGER demos_bytes AFTER UPDATE OF file_bytes, track_bytes ON demos FOR EACH ROW
      WHEN (OLD.file_bytes IS DISTINCT FROM NEW.file_bytes OR OLD.track_bytes IS DISTINCT FROM NEW.track_bytes)
      EXECUTE FUNCTION count_demo_bytes();

    INSERT INTO user_totals (user_id, bytes)
    SELECT user_id, sum(bytes) FROM (
      SELECT user_id, video_bytes AS bytes FROM clips WHERE video_bytes > 0
      UNION ALL
      SELECT user_id, video_bytes FROM clip_formats WHERE video_bytes > 0
      UNION ALL
      SELECT matches.user_id, file_bytes FROM matches JOIN demos ON demos.sha256 = matches.demo_sha256 WHERE file_bytes > 0
    ) AS stored GROUP BY user_id
    ON CONFLICT (user_id) DO UPDATE SET bytes = excluded.bytes;
  `.execute(database);
}
