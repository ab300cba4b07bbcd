import { type Kysely, sql } from "kysely";

/**
 * Automatic clips of players (decisions 163 and 164): their settings and the time of the next look at their history, the matches found
 * there, and the clips wanted from each.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE clips ADD COLUMN made_for_you boolean NOT NULL DEFAULT false;

    CREATE TABLE automation (
      user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
      is_on boolean NOT NULL,
      choice text NOT NULL CHECK (choice IN ('best', 'above')),
      min_score double precision NOT NULL,
      players text NOT NULL CHECK (players IN ('me', 'team')),
      format text CHECK (char_length(format) <= 16),
      settings jsonb NOT NULL CHECK (octet_length(settings::text) <= 1000),
      clips_per_day integer NOT NULL CHECK (clips_per_day BETWEEN 1 AND 100),
      since timestamptz NOT NULL,
      knows_past boolean NOT NULL DEFAULT false,
      next_look_at timestamptz NOT NULL,
      leased_until timestamptz,
      failures integer NOT NULL DEFAULT 0,
      looked_at timestamptz,
      found_at timestamptz,
      problem text CONSTRAINT automation_problem_bounded CHECK (char_length(problem) <= 500)
    );
    CREATE INDEX automation_due ON automation (next_look_at) WHERE is_on;

    CREATE TABLE automation_matches (
      user_id bigint NOT NULL REFERENCES automation (user_id) ON DELETE CASCADE,
      provider_id text NOT NULL CHECK (char_length(provider_id) <= 200),
      match_id text REFERENCES matches ON DELETE SET NULL CHECK (char_length(match_id) <= 200),
      state text NOT NULL CHECK (state IN ('past', 'importing', 'making', 'failed', 'done')),
      tries integer NOT NULL DEFAULT 0,
      found_at timestamptz NOT NULL,
      changed_at timestamptz NOT NULL,
      PRIMARY KEY (user_id, provider_id)
    );
    CREATE INDEX automation_matches_open ON automation_matches (state) WHERE state IN ('importing', 'making');
    CREATE INDEX automation_matches_match ON automation_matches (match_id) WHERE match_id IS NOT NULL;

    CREATE TABLE automation_clips (
      user_id bigint NOT NULL,
      provider_id text NOT NULL CHECK (char_length(provider_id) <= 200),
      -- No reference: what was made in a day stays counted when its match is deleted.
      highlight_id bigint NOT NULL,
      place integer NOT NULL,
      wanted_at timestamptz NOT NULL,
      made_at timestamptz,
      clip_id bigint REFERENCES clips ON DELETE SET NULL,
      PRIMARY KEY (user_id, provider_id, highlight_id),
      FOREIGN KEY (user_id, provider_id) REFERENCES automation_matches (user_id, provider_id) ON DELETE CASCADE
    );
    CREATE INDEX automation_clips_made ON automation_clips (user_id, made_at);
    CREATE INDEX automation_clips_clip ON automation_clips (clip_id) WHERE clip_id IS NOT NULL;
  `.execute(database);
}
