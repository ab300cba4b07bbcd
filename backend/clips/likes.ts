import { sql } from "kysely";
import type { Services } from "../services.ts";
import { DiskFullError } from "../storage/disk-full.ts";
import { isLikedBy, isVisibleTo } from "./lists/visible-clips.ts";

/**
 * Likes a clip, or takes the like back.
 * @returns null when there is no such clip to like (deleted or not finished)
 * @throws DiskFullError when the disk has no room for another like; taking one back always works
 */
export async function toggleLike(
  services: Services,
  userId: number,
  clipId: number,
): Promise<{ liked: boolean; likes_count: number } | null> {
  return services.database.transaction().execute(async (transaction) => {
    // The clip's row is locked first, so that two clicks at once count as two toggles, one after the other.
    const clip = await transaction
      .selectFrom("clips")
      .select("id")
      .where("id", "=", clipId)
      .where("status", "=", "completed")
      .forUpdate()
      .executeTakeFirst();
    if (!clip) return null;
    const removed = await transaction
      .deleteFrom("likes")
      .where("user_id", "=", userId)
      .where("clip_id", "=", clipId)
      .returning("clip_id")
      .executeTakeFirst();
    if (!removed) {
      if (services.diskSpace.isFull()) throw new DiskFullError("The disk has no room for likes.");
      await transaction.insertInto("likes").values({ user_id: userId, clip_id: clipId }).execute();
    }
    const { likes_count } = await transaction
      .updateTable("clips")
      .set({ likes_count: sql`likes_count + ${sql.lit(removed ? -1 : 1)}` })
      .where("id", "=", clipId)
      .returning("likes_count")
      .executeTakeFirstOrThrow();
    return { liked: !removed, likes_count };
  });
}

/** @returns null when there is no such clip, or it is not finished and the visitor is not its owner */
export async function likeStatus(
  services: Services,
  userId: number | null,
  clipId: number,
): Promise<{ likes_count: number; user_has_liked: boolean } | null> {
  const clip = await services.database
    .selectFrom("clips")
    .select((row) => ["likes_count", isLikedBy(userId)(row).as("liked")])
    .where("id", "=", clipId)
    .where(isVisibleTo(userId))
    .executeTakeFirst();
  return clip ? { likes_count: clip.likes_count, user_has_liked: Boolean(clip.liked) } : null;
}
