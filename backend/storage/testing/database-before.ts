import { Migrator, sql } from "kysely";
import { migrate } from "../migrate.ts";
import { migrations } from "../migrations/index.ts";
import { type FreshDatabase, freshDatabase } from "./fresh-database.ts";

export interface DatabaseBefore extends FreshDatabase {
  /** Migrates to the newest version. @throws Error unless all remaining migrations are applied */
  upgrade(): Promise<void>;
}

/** An empty database of the version before a migration, for rows of that time. `remove` it at the end. */
export async function databaseBefore(kind: "embedded" | "postgres", migration: string): Promise<DatabaseBefore> {
  const names = Object.keys(migrations);
  const standing = names.indexOf(migration);
  if (standing < 0) throw new Error(`There is no migration ${migration}.`);
  const fresh = await freshDatabase(kind);
  const { database } = fresh;
  await sql`DROP SCHEMA public CASCADE; CREATE SCHEMA public`.execute(database);
  const before = Object.fromEntries(Object.entries(migrations).slice(0, standing));
  const { error } = await new Migrator({
    db: database,
    provider: { getMigrations: async () => before },
  }).migrateToLatest();
  if (error) throw error;
  return {
    ...fresh,
    async upgrade() {
      const applied = await migrate(database);
      if (applied.join() !== names.slice(standing).join()) throw new Error(`Applied were ${applied.join(", ")}.`);
    },
  };
}
