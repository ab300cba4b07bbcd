import type { Transaction } from "kysely";
import type { Highlight } from "../highlights/highlight.ts";
import type { Database, HighlightRow } from "../storage/schema.ts";
import { deleteUnclipped } from "./clipped-highlights.ts";
import { highlightColumns } from "./highlight-columns.ts";

/** A statement has room for 65,535 values, and a highlight has eleven. */
const highlightsPerInsert = 500;

/**
 * Locks the clips of a demo, whose ranks follow the scores of its highlights, by their ids. Before the demo's row: who deletes a match has its
 * clips first as well.
 */
export async function lockClipsOf(transaction: Transaction<Database>, sha256: string): Promise<void> {
  await transaction
    .selectFrom("clips")
    .select("id")
    .where("demo_sha256", "=", sha256)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
}

/**
 * Makes these the highlights of a demo. One that was there before (same type, player, round and ticks) keeps its row, so that a
 * form that is open in a browser still means it. One that is there no more goes; if a clip was made of it, its row stays for
 * that clip, and no list has it. The caller holds the demo's clips and its row.
 */
export async function replaceHighlights(
  transaction: Transaction<Database>,
  sha256: string,
  found: readonly Highlight[],
): Promise<void> {
  const stored = await transaction
    .selectFrom("highlights")
    .select(["id", "type", "round", "player", "start_tick", "end_tick"])
    .where("demo_sha256", "=", sha256)
    // What a player marked by hand is no rule's to find or to lose.
    .where("type", "<>", "custom")
    .orderBy("id")
    .execute();
  const idsByMoment = new Map<string, number[]>();
  for (const { id, ...row } of stored) {
    idsByMoment.set(momentOf(row), [...(idsByMoment.get(momentOf(row)) ?? []), id]);
  }
  const added: ReturnType<typeof columnsOf>[] = [];
  for (const columns of found.map((highlight) => columnsOf(sha256, highlight))) {
    const id = idsByMoment.get(momentOf(columns))?.shift();
    if (id === undefined) added.push(columns);
    else await transaction.updateTable("highlights").set(columns).where("id", "=", id).execute();
  }
  await takeAway(transaction, [...idsByMoment.values()].flat());
  for (let first = 0; first < added.length; first += highlightsPerInsert) {
    const some = added.slice(first, first + highlightsPerInsert);
    await transaction.insertInto("highlights").values(some).execute();
  }
}

async function takeAway(transaction: Transaction<Database>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  // Waits for clips that are just being made of them: the statement after this one sees those.
  await transaction.selectFrom("highlights").select("id").where("id", "in", ids).forUpdate().execute();
  await deleteUnclipped(transaction, ids);
  await transaction.updateTable("highlights").set({ is_listed: false }).where("id", "in", ids).execute();
}

function columnsOf(sha256: string, highlight: Highlight) {
  const { moments, ...columns } = highlightColumns(highlight);
  return { ...columns, demo_sha256: sha256, moments: JSON.stringify(moments) };
}

type Moment = Pick<HighlightRow, "type" | "round" | "player" | "start_tick" | "end_tick">;

/** What makes a highlight the same one under other rules. */
function momentOf({ type, round, player, start_tick, end_tick }: Moment): string {
  return [type, round, player, start_tick, end_tick].join(" ");
}
