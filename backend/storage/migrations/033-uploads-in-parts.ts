import { type Kysely, sql } from "kysely";

/** Demo files that come in parts, and what is here of them. Decision 175. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE uploads (
      id text PRIMARY KEY CHECK (char_length(id) <= 64),
      user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
      file_name text CHECK (char_length(file_name) <= 200),
      bytes bigint NOT NULL,
      part_bytes integer NOT NULL,
      part_tags text[] NOT NULL DEFAULT '{}' CHECK (char_length(array_to_string(part_tags, ',')) <= 2000000),
      store_handle text NOT NULL CHECK (char_length(store_handle) <= 2048),
      match_id text REFERENCES matches ON DELETE CASCADE CHECK (char_length(match_id) <= 200),
      created_at timestamptz NOT NULL,
      touched_at timestamptz NOT NULL
    );
    CREATE INDEX uploads_user ON uploads (user_id, touched_at);
    CREATE INDEX uploads_age ON uploads (touched_at);
    CREATE INDEX uploads_match ON uploads (match_id);
  `.execute(database);
}
