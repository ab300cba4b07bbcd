import { type Kysely, sql } from "kysely";

/** What a session was begun with, so that its player tells one from another; unknown of those that are older. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE sessions ADD COLUMN device text CONSTRAINT sessions_device_bounded CHECK (char_length(device) <= 64)
  `.execute(database);
}
