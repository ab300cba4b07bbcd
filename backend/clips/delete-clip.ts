import type { Services } from "../services.ts";
import { forgetTopLists } from "./top-lists.ts";

/**
 * Deletes a player's own clip: a render that waits or runs is stopped, the files go, likes and views with them.
 * @returns false when there is no such clip of theirs
 */
export async function deleteClip(services: Services, userId: number, clipId: number): Promise<boolean> {
  const removed = await services.database
    .deleteFrom("clips")
    .where("id", "=", clipId)
    .where("user_id", "=", userId)
    .returning("id")
    .executeTakeFirst();
  if (!removed) return false;
  await afterClipDeletion(services, [clipId]);
  return true;
}

/** Stops the renders and removes the files of clips whose rows are gone. */
export async function afterClipDeletion(services: Services, clipIds: readonly number[]): Promise<void> {
  forgetTopLists(services);
  for (const clipId of clipIds) {
    await services.jobs.cancel("render", { clipId });
    await deleteClipFiles(services, clipId);
  }
}

/** Removes the stored files of a clip, those of an interrupted render included. */
export async function deleteClipFiles(
  services: Services,
  clipId: number,
  { keep = [] }: { keep?: readonly string[] } = {},
): Promise<void> {
  const keys: string[] = [];
  for await (const key of services.blobs.list(`clips/${clipId}/`)) if (!keep.includes(key)) keys.push(key);
  for (const key of keys) await services.blobs.delete(key);
}
