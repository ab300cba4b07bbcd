import type { ExpressionBuilder, Transaction } from "kysely";
import type { HighlightMoment } from "../highlights/highlight.ts";
import type { HighlightTicks } from "../highlights/segments.ts";
import type { Services } from "../services.ts";
import type { Database } from "../storage/schema.ts";

/**
 * The stored highlights of a demo that clips were made of. When the demo is read again, its replay track is to hold them
 * whatever the rules say of them by now: one of these clips may still wait to be drawn.
 */
export async function clippedHighlights(services: Services, sha256: string): Promise<HighlightTicks[]> {
  const rows = await services.database
    .selectFrom("highlights")
    .select(["type", "round", "start_tick", "end_tick", "moments"])
    .where("demo_sha256", "=", sha256)
    .where(isClipped)
    .execute();
  return rows.map(({ type, round, start_tick: startTick, end_tick: endTick, moments }) => ({
    // Of others the win of a clutch is left out, as it was.
    ...(type === "custom" ? { type } : {}),
    round,
    startTick,
    endTick,
    moments: moments as HighlightMoment[],
  }));
}

/** Deletes those highlights of which no clip was made. The caller holds their rows, so that none is made meanwhile. */
export async function deleteUnclipped(transaction: Transaction<Database>, ids: readonly number[]): Promise<void> {
  await transaction
    .deleteFrom("highlights")
    .where("id", "in", ids)
    .where((row) => row.not(isClipped(row)))
    .execute();
}

/** Condition of a query on highlights. */
function isClipped(row: ExpressionBuilder<Database, "highlights">) {
  return row.exists(
    row.selectFrom("clip_highlights").select("clip_id").whereRef("clip_highlights.highlight_id", "=", "highlights.id"),
  );
}
