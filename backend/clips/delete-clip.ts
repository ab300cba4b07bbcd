import type { Services } from "../services.ts";
import { dropFromTopLists } from "./lists/top-lists.ts";

/**
 * Deletes a player's own clip: what waits or runs for it is stopped, the files of all formats go, likes and views with them.
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
  dropFromTopLists(services, clipIds);
  for (const clipId of clipIds) {
    // Those of added formats as well, the file for chat apps and the loop.
    await services.jobs.cancel("render", { clipId });
    await services.jobs.cancel("join", { clipId });
    await services.jobs.cancel("share", { clipId });
    await services.jobs.cancel("loop", { clipId });
    await deleteClipFiles(services, `clips/${clipId}/`);
  }
}

/** How the keys of a clip's files begin: of all, of those of an added format (`vertical-`), of those for chat apps (`share-`), of loops. */
export type ClipFilePrefix = `clips/${number}/${string}`;

/** What a run that draws or joins stores: the names of its files begin with these. */
const videoFiles = ["video-", "poster-", "thumbnail-", "wide-poster-"];

/**
 * Removes what earlier runs of a video left that died between storing and completing. Other jobs may be storing files of the same clip
 * meanwhile: its loop, its file for chat apps, an added format.
 * @param place what comes before the names of the run's files
 */
export async function deleteEarlierVideos(
  services: Services,
  place: ClipFilePrefix,
  keep: readonly string[],
): Promise<void> {
  const isVideoFile = (key: string) => videoFiles.some((name) => key.startsWith(name, place.length));
  const keys: string[] = [];
  for await (const key of services.blobs.list(place)) if (isVideoFile(key) && !keep.includes(key)) keys.push(key);
  for (const key of keys) await services.blobs.delete(key);
}

/** Removes stored files of a clip, those of an interrupted render included. */
export async function deleteClipFiles(
  services: Services,
  prefix: ClipFilePrefix,
  { keep = [] }: { keep?: readonly string[] } = {},
): Promise<void> {
  const keys: string[] = [];
  for await (const key of services.blobs.list(prefix)) if (!keep.includes(key)) keys.push(key);
  for (const key of keys) await services.blobs.delete(key);
}
