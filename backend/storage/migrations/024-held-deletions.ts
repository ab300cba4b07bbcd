import { type Kysely, sql } from "kysely";

/** Blobs whose deletion was requested while a backup copied all blobs: they are deleted when it is done. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE held_deletions (key text PRIMARY KEY CHECK (char_length(key) <= 1024))`.execute(database);
}
