import { type Kysely, sql } from "kysely";

/** A new clip's segments follow from tick rate and rounds; with them here, creating a clip reads no replay track. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE demos ADD COLUMN timing jsonb NOT NULL`.execute(database);
}
