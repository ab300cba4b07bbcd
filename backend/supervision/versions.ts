import { type Kysely, sql } from "kysely";
import packageFile from "../../package.json" with { type: "json" };
import type { Database } from "../storage/schema.ts";

export const productVersion: string = packageFile.version;

/** Name of the newest applied migration, e.g. "015-counts"; "" when there is none. */
export async function schemaVersion(database: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ name: string }>`SELECT max(name) AS name FROM kysely_migration`.execute(database);
  return rows[0]?.name ?? "";
}

/** Version of PostgreSQL, e.g. "17.5". */
export async function databaseVersion(database: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ version: string }>`SELECT current_setting('server_version') AS version`.execute(
    database,
  );
  return rows[0]?.version.split(" ")[0] ?? "";
}
