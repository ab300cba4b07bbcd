import { type Kysely, sql } from "kysely";
import type { Database } from "../storage/schema.ts";
import { OperatorError } from "./operator-error.ts";

/** The session of a killed command ends with its statement; that of a stopped server within moments. */
const wait = { times: 7, everyMs: 500 };

/** @throws OperatorError with the sentence if the condition does not become true within moments */
export async function waitForOthers(isSo: () => Promise<boolean>, sentence: string): Promise<void> {
  for (let time = 1; !(await isSo()); time++) {
    if (time >= wait.times) throw new OperatorError(sentence);
    await new Promise((resolve) => setTimeout(resolve, wait.everyMs));
  }
}

/**
 * For commands that fill a database on a server, which web processes and workers on any machine may be using.
 * @param database a session that is not theirs
 * @param otherwise the alternative for the operator, and what was done so far
 * @throws OperatorError when a Clutchcast has it open
 */
export async function refuseServed(
  database: Kysely<Database>,
  otherwise = "or name an empty one; nothing was changed",
): Promise<void> {
  const isAlone = async () => {
    const { rows } = await sql`
      SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name IN ('clutchcast', 'clutchcast jobs', 'clutchcast indexes')
    `.execute(database);
    return rows.length === 0;
  };
  await waitForOthers(isAlone, `Clutchcast runs on that database. Stop it there, ${otherwise}.`);
}
