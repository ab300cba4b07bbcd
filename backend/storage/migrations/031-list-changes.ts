import { type Kysely, sql } from "kysely";

/**
 * How often the list of a user's clips has changed, stored like the counts of migration 015, so that a cached list can be checked. Likes
 * and views do not change the list. Decision 154.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE user_totals ADD COLUMN list_changes bigint NOT NULL DEFAULT 0;
    ALTER TABLE user_total_changes ADD COLUMN list_changes bigint NOT NULL DEFAULT 0;

    CREATE OR REPLACE FUNCTION count_new_clips() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO user_total_changes (user_id, clips, finished_clips, views, likes, list_changes)
        SELECT user_id, count(*), count(*) FILTER (WHERE status = 'completed' AND link_key IS NULL),
          coalesce(sum(views_count) FILTER (WHERE link_key IS NULL), 0), coalesce(sum(likes_count) FILTER (WHERE link_key IS NULL), 0), 1
        FROM changed GROUP BY user_id;
      INSERT INTO status_count_changes SELECT 'clips', status, count(*) FROM changed GROUP BY status;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE FUNCTION count_deleted_clips() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO user_total_changes (user_id, clips, finished_clips, views, likes, list_changes)
        SELECT user_id, -count(*), -count(*) FILTER (WHERE status = 'completed' AND link_key IS NULL),
          -coalesce(sum(views_count) FILTER (WHERE link_key IS NULL), 0), -coalesce(sum(likes_count) FILTER (WHERE link_key IS NULL), 0), 1
        FROM changed GROUP BY user_id;
      INSERT INTO status_count_changes SELECT 'clips', status, -count(*) FROM changed GROUP BY status;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE FUNCTION count_changed_clip() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      is_listed int := (NEW.link_key IS NULL)::int;
      was_listed int := (OLD.link_key IS NULL)::int;
    BEGIN
      INSERT INTO user_total_changes (user_id, finished_clips, views, likes, list_changes) VALUES (NEW.user_id,
        is_listed * (NEW.status = 'completed')::int - was_listed * (OLD.status = 'completed')::int,
        is_listed * NEW.views_count - was_listed * OLD.views_count, is_listed * NEW.likes_count - was_listed * OLD.likes_count,
        (NEW.status <> OLD.status OR is_listed <> was_listed OR NEW.found_by <> OLD.found_by OR NEW.created_at <> OLD.created_at
          OR NEW.match_id IS DISTINCT FROM OLD.match_id)::int);
      IF NEW.status <> OLD.status THEN
        INSERT INTO status_count_changes VALUES ('clips', OLD.status, -1), ('clips', NEW.status, 1);
      END IF;
      RETURN NULL;
    END $$;
    DROP TRIGGER clips_counted_changed ON clips;
    CREATE TRIGGER clips_counted_changed
      AFTER UPDATE OF status, views_count, likes_count, link_key, found_by, created_at, match_id ON clips FOR EACH ROW
      WHEN (OLD.status <> NEW.status OR OLD.views_count <> NEW.views_count OR OLD.likes_count <> NEW.likes_count
        OR OLD.link_key IS DISTINCT FROM NEW.link_key OR OLD.found_by <> NEW.found_by OR OLD.created_at <> NEW.created_at
        OR OLD.match_id IS DISTINCT FROM NEW.match_id)
      EXECUTE FUNCTION count_changed_clip();
  `.execute(database);
}
