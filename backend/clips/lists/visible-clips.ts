import { type ExpressionBuilder, sql } from "kysely";
import type { Database } from "../../storage/schema.ts";

/** Condition of a query on clips: finished, and for everybody to find. Written out, or a plan that is kept could not use the lists' indexes. */
export const finishedAndListed = (clip: ExpressionBuilder<Database, "clips">) =>
  clip.and([clip("clips.status", "=", sql.lit("completed")), clip("clips.link_key", "is", null)]);

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

/**
 * Of a query on clips: whether a player likes each.
 * @param playerId null for nobody, who likes none
 */
export function isLikedBy(playerId: number | null) {
  return (clip: ExpressionBuilder<Database, "clips">) =>
    playerId === null
      ? clip.lit(false)
      : clip.exists(
          clip
            .selectFrom("likes")
            .select("likes.clip_id")
            .whereRef("likes.clip_id", "=", "clips.id")
            .where("likes.user_id", "=", playerId),
        );
}
