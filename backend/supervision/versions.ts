import { type Kysely, sql } from "kysely";
import packageFile from "../../package.json" with { type: "json" };
import type { Database } from "../storage/schema.ts";

export const productVersion: string = packageFile.version;

/** The newest migration that ran, by name, e.g. "015-counts"; "" when none did. */
export async function schemaVersion(database: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ name: string }>`SELECT max(name) AS name FROM kysely_migration`.execute(database);
  return rows[0]?.name ?? "";
}

/** Of PostgreSQL, e.g. "17.5". */
export async function databaseVersion(database: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ version: string }>`SELECT current_setting('server_version') AS version`.execute(
    database,
  );
  return rows[0]?.version.split(" ")[0] ?? "";
}
