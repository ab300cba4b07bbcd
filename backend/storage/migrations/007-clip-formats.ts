import { type Kysely, sql } from "kysely";

/**
 * Formats that are added to a finished clip, and the share file of each clip for chat apps. A video that is small enough is its own share
 * file, including existing ones; for the others it is made gradually. Decisions 115 and 116.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE clip_formats (
      clip_id bigint NOT NULL REFERENCES clips ON DELETE CASCADE,
      user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
      format text NOT NULL CHECK (format IN ('720p', '1080p', 'vertical')),
      status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
      progress double precision NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
      error text CHECK (char_length(error) <= 500),
      queue_slot integer CHECK (queue_slot BETWEEN 1 AND 3),
      video_key text CHECK (char_length(video_key) <= 200),
      poster_key text CHECK (char_length(poster_key) <= 200),
      video_bytes bigint,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      completed_at timestamptz(3),
      PRIMARY KEY (clip_id, format),
      UNIQUE (user_id, queue_slot),
      CONSTRAINT clip_formats_queue_slot_while_active
        CHECK ((status IN ('queued', 'processing')) = (queue_slot IS NOT NULL)),
      CONSTRAINT clip_formats_completed_is_stored
        CHECK (status <> 'completed' OR (video_key IS NOT NULL AND poster_key IS NOT NULL))
    );
    CREATE INDEX clip_formats_video_key ON clip_formats (video_key) WHERE video_key IS NOT NULL;
    CREATE INDEX clip_formats_poster_key ON clip_formats (poster_key) WHERE poster_key IS NOT NULL;

    ALTER TABLE clips
      ADD COLUMN share_key text CONSTRAINT clips_share_key_bounded CHECK (char_length(share_key) <= 200),
      ADD COLUMN share_tried_at timestamptz(3);
    CREATE INDEX clips_share_key ON clips (share_key) WHERE share_key IS NOT NULL;
    CREATE INDEX clips_without_share_file ON clips (id) WHERE status = 'completed' AND share_key IS NULL;
    UPDATE clips SET share_key = video_key WHERE status = 'completed' AND video_bytes <= 9500000;
  `.execute(database);
}
