import { type Kysely, sql } from "kysely";

/**
 * Stored counts instead of counting: totals of a user (clips, finished ones, their views and likes, matches), and clips and matches by
 * status. Every change of a row adds a line to a table of changes, in the same transaction, so that two changes of one user's counts never
 * wait for each other, as they would for one row with the count. `storage/counts.ts` adds them up. Decision 154.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE user_totals (
      user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
      clips bigint NOT NULL DEFAULT 0,
      finished_clips bigint NOT NULL DEFAULT 0,
      views bigint NOT NULL DEFAULT 0,
      likes bigint NOT NULL DEFAULT 0,
      matches bigint NOT NULL DEFAULT 0
    );
    -- Without a reference: a line of a user who is being deleted must not wait for that.
    CREATE TABLE user_total_changes (
      user_id bigint NOT NULL,
      clips bigint NOT NULL DEFAULT 0,
      finished_clips bigint NOT NULL DEFAULT 0,
      views bigint NOT NULL DEFAULT 0,
      likes bigint NOT NULL DEFAULT 0,
      matches bigint NOT NULL DEFAULT 0
    );
    CREATE INDEX user_total_changes_user ON user_total_changes (user_id);

    CREATE TABLE status_counts (
      kind text NOT NULL CHECK (kind IN ('clips', 'matches')),
      status text NOT NULL CHECK (char_length(status) <= 64),
      count bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (kind, status)
    );
    CREATE TABLE status_count_changes (
      kind text NOT NULL CHECK (kind IN ('clips', 'matches')),
      status text NOT NULL CHECK (char_length(status) <= 64),
      count bigint NOT NULL
    );

    CREATE FUNCTION count_new_clips() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO user_total_changes (user_id, clips, finished_clips, views, likes)
        SELECT user_id, count(*), count(*) FILTER (WHERE status = 'completed'), sum(views_count), sum(likes_count)
        FROM changed GROUP BY user_id;
      INSERT INTO status_count_changes SELECT 'clips', status, count(*) FROM changed GROUP BY status;
      RETURN NULL;
    END $$;
    CREATE FUNCTION count_deleted_clips() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO user_total_changes (user_id, clips, finished_clips, views, likes)
        SELECT user_id, -count(*), -count(*) FILTER (WHERE status = 'completed'), -sum(views_count), -sum(likes_count)
        FROM changed GROUP BY user_id;
      INSERT INTO status_count_changes SELECT 'clips', status, -count(*) FROM changed GROUP BY status;
      RETURN NULL;
    END $$;
    CREATE FUNCTION count_changed_clip() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO user_total_changes (user_id, finished_clips, views, likes) VALUES (NEW.user_id,
        (NEW.status = 'completed')::int - (OLD.status = 'completed')::int,
        NEW.views_count - OLD.views_count, NEW.likes_count - OLD.likes_count);
      IF NEW.status <> OLD.status THEN
        INSERT INTO status_count_changes VALUES ('clips', OLD.status, -1), ('clips', NEW.status, 1);
      END IF;
      RETURN NULL;
    END $$;
    CREATE FUNCTION count_new_matches() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO user_total_changes (user_id, matches)
        SELECT user_id, count(*) FROM changed WHERE alias_of IS NULL GROUP BY user_id;
      INSERT INTO status_count_changes SELECT 'matches', status, count(*) FROM changed GROUP BY status;
      RETURN NULL;
    END $$;
    CREATE FUNCTION count_deleted_matches() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO user_total_changes (user_id, matches)
        SELECT user_id, -count(*) FROM changed WHERE alias_of IS NULL GROUP BY user_id;
      INSERT INTO status_count_changes SELECT 'matches', status, -count(*) FROM changed GROUP BY status;
      RETURN NULL;
    END $$;
    CREATE FUNCTION count_changed_match() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF (NEW.alias_of IS NULL) <> (OLD.alias_of IS NULL) THEN
        INSERT INTO user_total_changes (user_id, matches)
          VALUES (NEW.user_id, (NEW.alias_of IS NULL)::int - (OLD.alias_of IS NULL)::int);
      END IF;
      IF NEW.status <> OLD.status THEN
        INSERT INTO status_count_changes VALUES ('matches', OLD.status, -1), ('matches', NEW.status, 1);
      END IF;
      RETURN NULL;
    END $$;
  `.execute(database);
  // From the first trigger until this ends nobody else writes clips or matches, so that none is counted twice or never.
  await sql`
    CREATE TRIGGER clips_counted_new AFTER INSERT ON clips
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_new_clips();
    CREATE TRIGGER clips_counted_deleted AFTER DELETE ON clips
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_clips();
    CREATE TRIGGER clips_counted_changed AFTER UPDATE OF status, views_count, likes_count ON clips FOR EACH ROW
      WHEN (OLD.status <> NEW.status OR OLD.views_count <> NEW.views_count OR OLD.likes_count <> NEW.likes_count)
      EXECUTE FUNCTION count_changed_clip();
    CREATE TRIGGER matches_counted_new AFTER INSERT ON matches
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_new_matches();
    CREATE TRIGGER matches_counted_deleted AFTER DELETE ON matches
      REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_matches();
    CREATE TRIGGER matches_counted_changed AFTER UPDATE OF status, alias_of ON matches FOR EACH ROW
      WHEN (OLD.status <> NEW.status OR OLD.alias_of IS DISTINCT FROM NEW.alias_of)
      EXECUTE FUNCTION count_changed_match();

    INSERT INTO user_totals (user_id, clips, finished_clips, views, likes, matches)
    SELECT users.id, coalesce(clips, 0), coalesce(finished, 0), coalesce(views, 0), coalesce(likes, 0), coalesce(matches, 0)
    FROM users
    LEFT JOIN (
      SELECT user_id, count(*) AS clips, count(*) FILTER (WHERE status = 'completed') AS finished, sum(views_count) AS views,
        sum(likes_count) AS likes
      FROM clips GROUP BY user_id
    ) AS of_clips ON of_clips.user_id = users.id
    LEFT JOIN (
      SELECT user_id, count(*) AS matches FROM matches WHERE alias_of IS NULL GROUP BY user_id
    ) AS of_matches ON of_matches.user_id = users.id
    WHERE clips IS NOT NULL OR matches IS NOT NULL;
    INSERT INTO status_counts SELECT 'clips', status, count(*) FROM clips GROUP BY status;
    INSERT INTO status_counts SELECT 'matches', status, count(*) FROM matches GROUP BY status;
  `.execute(database);
}
