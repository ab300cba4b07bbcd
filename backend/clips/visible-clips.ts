import type { ExpressionBuilder } from "kysely";
import type { Database } from "../storage/schema.ts";

/** Condition of a query on clips: finished, and for everybody to find. */
export const finishedAndListed = (clip: ExpressionBuilder<Database, "clips">) =>
  clip.and([clip("clips.status", "=", "completed"), clip("clips.link_key", "is", null)]);

/**
 * Condition of a query on clips: finished ones are everybody's to see, one that waits, is rendered or has failed is its
 * owner's alone.
 * @param visitorId null for a visitor who is signed out
 */
export function isVisibleTo(visitorId: number | null) {
  return (clip: ExpressionBuilder<Database, "clips">) =>
    clip.or([
      clip("clips.status", "=", "completed"),
      ...(visitorId === null ? [] : [clip("clips.user_id", "=", visitorId)]),
    ]);
}
