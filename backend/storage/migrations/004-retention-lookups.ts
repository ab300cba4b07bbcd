import { type Kysely, sql } from "kysely";

/** Retention asks every hour which blobs a row names and which clips are old; without these it reads whole tables. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE INDEX demos_track_key ON demos (track_key) WHERE track_key IS NOT NULL;
    CREATE INDEX demos_file_key ON demos (file_key) WHERE file_key IS NOT NULL;
    CREATE INDEX matches_upload_key ON matches (upload_key) WHERE upload_key IS NOT NULL;
    CREATE INDEX clips_video_key ON clips (video_key) WHERE video_key IS NOT NULL;
    CREATE INDEX clips_poster_key ON clips (poster_key) WHERE poster_key IS NOT NULL;
    CREATE INDEX clips_created_at ON clips (created_at);
  `.execute(database);
}
