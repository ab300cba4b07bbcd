import { type Kysely, sql } from "kysely";

/** When a clip was renamed, listed or taken out of lists last: readers of feeds show an entry anew by its time alone. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE clips ADD COLUMN edited_at timestamptz`.execute(database);
}
