import { deleteClip } from "../clips/delete-clip.ts";
import type { Services } from "../services.ts";
import { batchSize } from "./batch-size.ts";
import { daysAgo } from "./days-ago.ts";

/**
 * Deletes clips with their videos, likes and views after CLIP_DAYS. @returns how many
 */
export async function deleteOldClips(services: Services, signal: AbortSignal): Promise<number> {
  const before = daysAgo(services, services.config.CLIP_DAYS);
  for (let deleted = 0; ; ) {
    signal.throwIfAborted();
    const clips = await services.database
      .selectFrom("clips")
      .select(["id", "user_id"])
      .where("created_at", "<", before)
      .where("queue_slot", "is", null)
      .limit(batchSize)
      .execute();
    if (clips.length === 0) return deleted;
    for (const clip of clips) {
      await deleteClip(services, clip.user_id, clip.id);
      deleted++;
    }
  }
}
