import type { ExpressionBuilder, Kysely, Transaction } from "kysely";
import type { Database } from "../storage/schema.ts";
import type { JobQueue, OpenJob } from "./job-queue.ts";

/** Rows of `settings`: the open jobs of a backup, in the order of their keys, and the backup's name. */
const prefix = "restored: ";
const backupKey = `${prefix}backup`;
const jobKey = (place: number) => `${prefix}job ${String(place).padStart(9, "0")}`;
const isRestored = (rows: ExpressionBuilder<Database, "settings">) => rows("key", "like", `${prefix}%`);

const rowsAtOnce = 500;

/**
 * Stores the jobs of a backup in the transaction that inserts its rows, so that both or neither are there. The queue cannot take them yet:
 * the database still has the backup's version, while the queue works only on this one's. The first process that opens the database then
 * sends them.
 */
export async function keepRestoredJobs(
  transaction: Transaction<Database>,
  backup: string,
  jobs: readonly OpenJob[],
): Promise<void> {
  const rows = [
    { key: backupKey, value: backup },
    ...jobs.map((job, place) => ({ key: jobKey(place), value: JSON.stringify(job) })),
  ];
  for (let begin = 0; begin < rows.length; begin += rowsAtOnce) {
    await transaction
      .insertInto("settings")
      .values(rows.slice(begin, begin + rowsAtOnce))
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: (row) => row.ref("excluded.value") }))
      .execute();
  }
}

/** Name of the backup whose rows are restored and whose jobs are not sent yet; null if there is none. */
export async function halfRestored(database: Kysely<Database>): Promise<string | null> {
  const row = await database.selectFrom("settings").select("value").where("key", "=", backupKey).executeTakeFirst();
  return row?.value ?? null;
}

/**
 * Sends the jobs that a restore stored, all or none; only one process does it. Runs before anything looks for work without a job, which
 * would otherwise treat restored work as abandoned.
 */
export async function sendRestoredJobs(database: Kysely<Database>, jobs: JobQueue): Promise<void> {
  if ((await halfRestored(database)) === null) return;
  await database.transaction().execute(async (transaction) => {
    const left = await transaction.deleteFrom("settings").where(isRestored).returning(["key", "value"]).execute();
    const kept = left.filter(({ key }) => key !== backupKey).sort((a, b) => (a.key < b.key ? -1 : 1));
    for (const { value } of kept) {
      const { name, payload, ownerId, isAutomatic } = JSON.parse(value) as OpenJob;
      await jobs.send(name, payload, { ownerId, isAutomatic, transaction });
    }
  });
}
