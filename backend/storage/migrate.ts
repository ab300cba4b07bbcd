import { type Kysely, Migrator } from "kysely";
import { migrations } from "./migrations/index.ts";
import type { Database } from "./schema.ts";

/**
 * Brings the schema up to date. Several processes may do so at once: an advisory lock lets one work and the others wait.
 * @returns names of the migrations applied here
 * @throws Error when one fails; nothing of it stays then
 */
export async function migrate(database: Kysely<Database>): Promise<string[]> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) {
    const failed = results.find((result) => result.status === "Error")?.migrationName;
    throw new Error(`The database could not be migrated${failed ? ` (${failed})` : ""}.`, { cause: error });
  }
  return results.filter((result) => result.status === "Success").map((result) => result.migrationName);
}
