import { type Kysely, sql } from "kysely";

/** For the fair order of jobs: numbers that only grow, whatever the clock does, and when each player was last served. Decision 075. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE SEQUENCE job_order AS integer;

    CREATE TABLE job_turns (
      user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
      queue text NOT NULL CHECK (char_length(queue) <= 64),
      turn integer NOT NULL,
      PRIMARY KEY (user_id, queue)
    );
  `.execute(database);
}
