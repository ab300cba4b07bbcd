import { type Kysely, sql } from "kysely";
import type { Database } from "../storage/schema.ts";
import { OperatorError } from "./operator-error.ts";

/** A killed command's session ends when its statement does; a stopped server's within moments. */
const wait = { times: 7, everyMs: 500 };

/** @throws OperatorError with the sentence when it does not come to be within moments */
export async function waitForOthers(isSo: () => Promise<boolean>, sentence: string): Promise<void> {
  for (let time = 1; !(await isSo()); time++) {
    if (time >= wait.times) throw new OperatorError(sentence);
    await new Promise((resolve) => setTimeout(resolve, wait.everyMs));
  }
}

/**
 * For what fills a database on a server, on which webs and workers of whatever machine may be at work.
 * @param database of a session that is none of theirs
 * @param otherwise what else can be done, and what was
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
