import type { Kysely, Transaction, Updateable } from "kysely";
import type { ProcessingStatus } from "../../contract/statuses.ts";
import type { Database, MatchesTable, MatchRow } from "../storage/schema.ts";

/**
 * The life of a match, every change of its status by name; nobody else sets it. It begins as `queued`, its row's default, goes
 * through the stages of its import, and ends as `completed` or `failed`. Each function says whether it found the match where
 * that change may begin: false when it was deleted, or ended by another worker, meanwhile.
 */

type Connection = Kysely<Database> | Transaction<Database>;

/** Where nothing more happens by itself. */
export const endedMatchStatuses = ["completed", "failed"] as const satisfies ProcessingStatus[];

/** Why an import failed: a code for programs, a sentence for the player. */
export interface ImportFailure {
  code: string;
  sentence: string;
}

/** How an import ends that broke off in every try without having had a say. */
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

/** An import that goes on says how far it is. */
export function reportImport(database: Connection, matchId: string, standing: ImportStanding): Promise<boolean> {
  return changeOpen(database, matchId, { ...standing });
}

/** An import goes back to the queue: interrupted, or waiting. @param operation what it waits for */
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

/** The match turned out to be one that its player has: its id answers as that one from now on. */
export async function completeAsAlias(database: Connection, matchId: string, olderId: string, at: Date): Promise<void> {
  await database
    .updateTable("matches")
    .set({ alias_of: olderId, status: "completed", progress: 1, operation: "", completed_at: at })
    .where("id", "=", matchId)
    .execute();
}

/**
 * A failed import is tried again, by its player or an operator. The caller sends its job.
 * @param values what is known better by now
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
