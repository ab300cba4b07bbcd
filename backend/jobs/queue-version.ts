import { createRequire } from "node:module";
import { refuseNewerQueue } from "../storage/database-problem.ts";

/** Schema of pg-boss's tables. */
export const queueSchema = "pgboss";

/** pg-boss publishes the version of its tables only there, and does not refuse newer ones. */
const packageOfQueue = createRequire(import.meta.url)("pg-boss/package.json") as { pgboss: { schema: number } };

/** Runs statements on a server's database or the embedded one: a pool, or one connection. */
interface Asked {
  // biome-ignore lint/suspicious/noExplicitAny: rows are whatever the statement selects, as in pg
  query(text: string, values?: unknown[]): Promise<{ rows: any[] }>;
}

/** @throws StartProblem when a newer version's queue has changed this database */
export async function checkQueueVersion(database: Asked): Promise<void> {
  refuseNewerQueue(await queueVersion(database), packageOfQueue.pgboss.schema);
}

/** Version of pg-boss's tables; null when there are none yet. */
async function queueVersion(database: Asked): Promise<number | null> {
  const { rows: tables } = await database.query("SELECT to_regclass($1) AS name", [`${queueSchema}.version`]);
  if (tables[0]?.name === null) return null;
  const { rows } = await database.query(`SELECT max(version)::int AS version FROM ${queueSchema}.version`);
  return rows[0]?.version ?? null;
}
