import { type Kysely, sql } from "kysely";

/** Blobs that were to be deleted while a backup copied them all: they go when it is done. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE held_deletions (key text PRIMARY KEY CHECK (char_length(key) <= 1024))`.execute(database);
}
