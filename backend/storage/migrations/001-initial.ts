import { type Kysely, sql } from "kysely";

/**
 * The first schema. Times have milliseconds (`timestamptz(3)`), like JavaScript's dates: with PostgreSQL's microseconds a page's cursor,
 * read back from a Date, would skip rows.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE users (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      steam_id text NOT NULL UNIQUE CHECK (steam_id ~ '^[0-9]{17}$'),
      steam_name text NOT NULL,
      avatar_url text,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      profile_refreshed_at timestamptz(3)
    );

    CREATE TABLE sessions (
      id_hash text PRIMARY KEY,
      user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
      expires_at timestamptz(3) NOT NULL
    );
    CREATE INDEX sessions_user_id ON sessions (user_id);
    CREATE INDEX sessions_expires_at ON sessions (expires_at);

    CREATE TABLE openid_nonces (
      nonce text PRIMARY KEY,
      seen_at timestamptz(3) NOT NULL DEFAULT now()
    );
    CREATE INDEX openid_nonces_seen_at ON openid_nonces (seen_at);

    CREATE TABLE demos (
      sha256 text PRIMARY KEY CHECK (sha256 ~ '^[0-9a-f]{64}$'),
      map text NOT NULL,
      game_mode text NOT NULL,
      server_name text NOT NULL,
      played_at timestamptz(3),
      rounds integer NOT NULL CHECK (rounds >= 0),
      players jsonb NOT NULL,
      teams jsonb NOT NULL,
      track_key text,
      file_key text,
      file_bytes bigint,
      detector_version integer NOT NULL,
      timing jsonb NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now()
    );
    CREATE INDEX demos_created_at ON demos (created_at);
    CREATE INDEX demos_track_key ON demos (track_key) WHERE track_key IS NOT NULL;
    CREATE INDEX demos_file_key ON demos (file_key) WHERE file_key IS NOT NULL;

    CREATE TABLE matches (
      id text PRIMARY KEY,
      user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
      demo_sha256 text CHECK (demo_sha256 ~ '^[0-9a-f]{64}$'),
      demo_url text,
      source text NOT NULL CHECK (source IN ('url', 'recent', 'upload', 'sample')),
      upload_key text,
      recent_match_id text,
      leetify_match_id text,
      provider_match_url text,
      provider_map text,
      provider_game_mode text,
      provider_score1 integer,
      provider_score2 integer,
      provider_played_at timestamptz(3),
      status text NOT NULL DEFAULT 'queued' CHECK (status IN (
        'queued', 'processing_demo', 'downloading_demo', 'extracting_demo', 'parsing_demo', 'analyzing_highlights',
        'updating_match_info', 'loading_avatars', 'completed', 'failed'
      )),
      progress double precision NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
      operation text NOT NULL DEFAULT '',
      error_code text,
      error text,
      alias_of text REFERENCES matches ON DELETE CASCADE,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      completed_at timestamptz(3)
    );
    CREATE INDEX matches_alias_of ON matches (alias_of) WHERE alias_of IS NOT NULL;
    CREATE INDEX matches_upload_key ON matches (upload_key) WHERE upload_key IS NOT NULL;
    CREATE UNIQUE INDEX matches_user_demo ON matches (user_id, demo_sha256) WHERE demo_sha256 IS NOT NULL;
    CREATE INDEX matches_user_newest ON matches (user_id, created_at DESC, id DESC);
    CREATE INDEX matches_user_recent ON matches (user_id, recent_match_id) WHERE recent_match_id IS NOT NULL;
    CREATE INDEX matches_demo ON matches (demo_sha256) WHERE demo_sha256 IS NOT NULL;
    CREATE INDEX matches_unfinished ON matches (created_at) WHERE status NOT IN ('completed', 'failed');
    CREATE INDEX matches_created_at ON matches (created_at);

    CREATE TABLE highlights (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      demo_sha256 text NOT NULL REFERENCES demos ON DELETE CASCADE,
      type text NOT NULL,
      round integer NOT NULL,
      player integer NOT NULL,
      kills_count integer NOT NULL,
      score double precision NOT NULL,
      reason text NOT NULL,
      start_tick integer NOT NULL,
      end_tick integer NOT NULL CHECK (end_tick >= start_tick),
      moments jsonb NOT NULL
    );
    CREATE INDEX highlights_demo ON highlights (demo_sha256);

    CREATE TABLE clips (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
      match_id text NOT NULL REFERENCES matches ON DELETE CASCADE,
      demo_sha256 text NOT NULL,
      name text NOT NULL,
      spec jsonb NOT NULL,
      settings jsonb NOT NULL,
      status text NOT NULL DEFAULT 'queued'
        CHECK (status IN ('pending', 'queued', 'processing', 'completed', 'failed')),
      progress double precision NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
      error text,
      queue_slot integer CHECK (queue_slot BETWEEN 1 AND 3),
      video_key text,
      poster_key text,
      thumbnail_key text,
      video_bytes bigint,
      duration_seconds double precision,
      likes_count integer NOT NULL DEFAULT 0 CHECK (likes_count >= 0),
      views_count integer NOT NULL DEFAULT 0 CHECK (views_count >= 0),
      score double precision NOT NULL DEFAULT 0,
      highlight_types text[] NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      completed_at timestamptz(3),
      UNIQUE (user_id, queue_slot),
      -- The limit of three holds only while every clip in the queue has a place in it and no other clip keeps one.
      CONSTRAINT clips_queue_slot_while_active
        CHECK ((status IN ('pending', 'queued', 'processing')) = (queue_slot IS NOT NULL)),
      CONSTRAINT clips_completed_is_stored
        CHECK (status <> 'completed' OR (video_key IS NOT NULL AND poster_key IS NOT NULL AND thumbnail_key IS NOT NULL))
    );
    CREATE INDEX clips_status_newest ON clips (status, created_at DESC, id DESC);
    CREATE INDEX clips_user_newest ON clips (user_id, created_at DESC, id DESC);
    CREATE INDEX clips_match ON clips (match_id);
    CREATE INDEX clips_created_at ON clips (created_at);
    CREATE INDEX clips_video_key ON clips (video_key) WHERE video_key IS NOT NULL;
    CREATE INDEX clips_poster_key ON clips (poster_key) WHERE poster_key IS NOT NULL;
    CREATE INDEX clips_thumbnail_key ON clips (thumbnail_key) WHERE thumbnail_key IS NOT NULL;
    CREATE INDEX clips_demo ON clips (demo_sha256);
    CREATE INDEX clips_most_viewed ON clips (views_count DESC, created_at DESC, id DESC) WHERE status = 'completed';
    CREATE INDEX clips_most_liked ON clips (likes_count DESC, created_at DESC, id DESC) WHERE status = 'completed';
    CREATE INDEX clips_best ON clips (score DESC, created_at DESC, id DESC) WHERE status = 'completed';
    CREATE INDEX clips_highlight_types ON clips USING gin (highlight_types);

    CREATE TABLE clip_highlights (
      clip_id bigint NOT NULL REFERENCES clips ON DELETE CASCADE,
      highlight_id bigint NOT NULL REFERENCES highlights ON DELETE CASCADE,
      position integer NOT NULL,
      PRIMARY KEY (clip_id, highlight_id),
      UNIQUE (clip_id, position)
    );
    CREATE INDEX clip_highlights_highlight ON clip_highlights (highlight_id);

    CREATE TABLE likes (
      user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
      clip_id bigint NOT NULL REFERENCES clips ON DELETE CASCADE,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY (user_id, clip_id)
    );
    CREATE INDEX likes_clip ON likes (clip_id);

    CREATE TABLE views (
      clip_id bigint NOT NULL REFERENCES clips ON DELETE CASCADE,
      viewer_hash text NOT NULL,
      viewed_at timestamptz(3) NOT NULL DEFAULT now()
    );
    CREATE INDEX views_clip_viewer ON views (clip_id, viewer_hash, viewed_at DESC);
    CREATE INDEX views_viewed_at ON views (viewed_at);

    CREATE UNLOGGED TABLE rate_counters (
      key text PRIMARY KEY,
      window_start timestamptz(3) NOT NULL,
      count integer NOT NULL
    );
    CREATE INDEX rate_counters_window_start ON rate_counters (window_start);

    CREATE TABLE profiles (
      steam_id text PRIMARY KEY,
      name text NOT NULL,
      avatar_url text,
      refreshed_at timestamptz(3) NOT NULL DEFAULT now()
    );

    CREATE TABLE settings (
      key text PRIMARY KEY,
      value text NOT NULL
    );
  `.execute(database);
}
