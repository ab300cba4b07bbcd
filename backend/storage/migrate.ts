import { type Kysely, Migrator } from "kysely";
import { migrations } from "./migrations/index.ts";
import type { Database } from "./schema.ts";

/**
 * Migrates the schema to the newest version, or to an earlier one. Several processes may do so at once: with an advisory lock one works and
 * the others wait.
 * @param upTo name of the last migration to run
 * @returns names of the migrations applied here
 * @throws Error when one fails; none of its changes stay then
 */
export async function migrate(database: Kysely<Database>, upTo?: string): Promise<string[]> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error, results = [] } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo));
  if (error) {
    const failed = results.find((result) => result.status === "Error")?.migrationName;
    throw new Error(`The database could not be migrated${failed ? ` (${failed})` : ""}.`, { cause: error });
  }
  return results.filter((result) => result.status === "Success").map((result) => result.migrationName);
}
