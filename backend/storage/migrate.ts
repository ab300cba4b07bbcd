import { type Kysely, Migrator } from "kysely";
import { migrations } from "./migrations/index.ts";
import type { Database } from "./schema.ts";

/**
 * Brings the schema up to date, or to an earlier state of its own. Several processes may do so at once: an advisory lock lets one work and the others wait.
 * @param upTo name of the last migration that shall run
 * @returns names of the migrations applied here
 * @throws Error when one fails; nothing of it stays then
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
