import type { ExpressionBuilder, Transaction } from "kysely";
import type { HighlightMoment } from "../highlights/highlight.ts";
import type { HighlightTicks } from "../highlights/stretches.ts";
import type { Services } from "../services.ts";
import type { Database } from "../storage/schema.ts";

/**
 * The stored highlights of a demo that clips show. When the demo is read again its replay track must contain them, even if the rules no longer
 * find them: such a clip may still wait to be drawn.
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

/** Deletes highlights that no clip shows. The caller has locked their rows, so that no clip is created meanwhile. */
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
