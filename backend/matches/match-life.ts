import type { Kysely, Transaction, Updateable } from "kysely";
import type { ProcessingStatus } from "../../contract/statuses.ts";
import type { Database, MatchesTable, MatchRow } from "../storage/schema.ts";

/**
 * Every change of a match's status; nobody else sets it. A match begins as `queued`, the column's default, goes through the stages of
 * its import, and ends as `completed` or `failed`. Functions that return a boolean say whether the match was in a status that allows
 * the change: false when it was deleted, or ended by another worker, meanwhile.
 */

type Connection = Kysely<Database> | Transaction<Database>;

/** Statuses that change only when somebody tries the import again. */
export const endedMatchStatuses = ["completed", "failed"] as const satisfies ProcessingStatus[];

/** Why an import failed: a code for programs, a sentence for the player. */
export interface ImportFailure {
  code: string;
  sentence: string;
}

/** Said of an import whose process died in every try. */
export const importGivenUp: ImportFailure = {
  code: "given_up",
  sentence: "The import was interrupted again and again, so we gave up. You can try it again.",
};

/** How far an import is. */
export interface ImportStanding {
  status: Exclude<ProcessingStatus, "completed" | "failed">;
  /** 0..1 over the whole import. */
  progress: number;
  /** Figure for the status text, e.g. "41 %", or "". */
  operation: string;
}

const asQueued = { status: "queued", progress: 0, operation: "" } as const;

export function reportImport(database: Connection, matchId: string, standing: ImportStanding): Promise<boolean> {
  return changeOpen(database, matchId, { ...standing });
}

/** Puts an import back into the queue. @param operation what it waits for, if it was not interrupted */
export function giveImportBack(database: Connection, matchId: string, operation = ""): Promise<boolean> {
  return changeOpen(database, matchId, { ...asQueued, operation });
}

export function failImport(database: Connection, matchId: string, { code, sentence }: ImportFailure): Promise<boolean> {
  return changeOpen(database, matchId, { status: "failed", operation: "", error_code: code, error: sentence });
}

export async function completeImport(database: Connection, matchId: string, at: Date): Promise<void> {
  await database
    .updateTable("matches")
    .set({ status: "completed", progress: 1, operation: "", completed_at: at })
    .where("id", "=", matchId)
    .execute();
}

/** The player has this match already: from now on its id stands for that older one. */
export async function completeAsAlias(database: Connection, matchId: string, olderId: string, at: Date): Promise<void> {
  await database
    .updateTable("matches")
    .set({ alias_of: olderId, status: "completed", progress: 1, operation: "", completed_at: at })
    .where("id", "=", matchId)
    .execute();
}

/**
 * Puts an import back into the queue for its player or an operator. The caller sends its job.
 * @param values columns that are known better by now
 * @returns null when it is complete, or gone
 */
export async function requeueImport(
  database: Connection,
  matchId: string,
  values: Updateable<MatchesTable> = {},
): Promise<MatchRow | null> {
  const row = await database
    .updateTable("matches")
    .set({ ...values, ...asQueued, error_code: null, error: null })
    .where("id", "=", matchId)
    .where("status", "<>", "completed")
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

async function changeOpen(database: Connection, matchId: string, values: Updateable<MatchesTable>): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("matches")
    .set(values)
    .where("id", "=", matchId)
    .where("status", "not in", endedMatchStatuses)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
