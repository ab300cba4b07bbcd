import type { ExpressionBuilder, Kysely, Transaction } from "kysely";
import type { Database } from "../storage/schema.ts";
import type { JobQueue, OpenJob } from "./job-queue.ts";

/** Rows of `settings`: the open jobs of a backup, in the order of their keys, and beside them the backup's name. */
const prefix = "restored: ";
const backupKey = `${prefix}backup`;
const jobKey = (place: number) => `${prefix}job ${String(place).padStart(9, "0")}`;
const isRestored = (rows: ExpressionBuilder<Database, "settings">) => rows("key", "like", `${prefix}%`);

const rowsAtOnce = 500;

/**
 * Leaves the jobs of a backup in the transaction that puts its rows in, both or neither. The queue cannot take them there: the database is
 * as it was when the backup was made, the queue works on that of this version alone. The first process that opens it then sends them.
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

/** Name of the backup whose rows are in and whose jobs are not sent yet; null: there is none. */
export async function halfRestored(database: Kysely<Database>): Promise<string | null> {
  const row = await database.selectFrom("settings").select("value").where("key", "=", backupKey).executeTakeFirst();
  return row?.value ?? null;
}

/**
 * Sends what a restore left, all of it or nothing; of several processes one. Before anything looks for work without a job, which would
 * take what was restored for given up.
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
