import { type Kysely, sql } from "kysely";

/** When a clip was last renamed, listed or unlisted: readers of feeds update an entry only by its time. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE clips ADD COLUMN edited_at timestamptz`.execute(database);
}
