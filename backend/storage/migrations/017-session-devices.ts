import { type Kysely, sql } from "kysely";

/** The device of a session, so that players can tell their sessions apart; not known for older ones. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE sessions ADD COLUMN device text CONSTRAINT sessions_device_bounded CHECK (char_length(device) <= 64)
  `.execute(database);
}
