import { limits } from "../../../contract/limits.ts";
import { type JobContext, PermanentJobError } from "../../jobs/job-queue.ts";
import { runSpareWork, type SpareRun } from "../../jobs/spare-work.ts";
import type { Services } from "../../services.ts";
import { BlobMissingError } from "../../storage/blob-store.ts";
import { startShare } from "../../video/start-share.ts";
import { deleteClipFiles } from "../delete-clip.ts";
import { keepSpareVideo } from "./keep-spare-video.ts";

/**
 * The job `share`: encodes the video of a finished clip into a file of at most `limits.shareFileBytes`. Idempotent, as the render is. When
 * it fails the clip stays as it is.
 */
export function runShareJob(services: Services, { clipId }: { clipId: number }, context: JobContext): Promise<void> {
  const file = { name: `share-${clipId}`, what: "a share file" };
  return runSpareWork(services, context, file, (run) => makeShareFile(services, clipId, run));
}

async function makeShareFile(services: Services, clipId: number, { folder, version, signal }: SpareRun): Promise<void> {
  const { database, blobs, config } = services;
  const clip = await database
    .selectFrom("clips")
    .select(["spec", "video_key", "video_bytes", "duration_seconds"])
    .where("id", "=", clipId)
    .where("status", "=", "completed")
    .where("share_key", "is", null)
    .executeTakeFirst();
  if (!clip?.video_key) return;
  const bytes = clip.video_bytes ?? (await blobs.stat(clip.video_key))?.bytes;
  if (bytes !== undefined && bytes <= limits.shareFileBytes) {
    await keepShareFile(services, clipId, clip.video_key);
    return;
  }
  const video = await openVideo(services, clip.video_key);
  let made: Awaited<ReturnType<typeof startShare>>;
  try {
    const { width, height, framesPerSecond } = clip.spec;
    made = await startShare(
      {
        videoPath: video.path,
        width,
        height,
        framesPerSecond,
        durationSeconds: clip.duration_seconds ?? 1,
        maxBytes: limits.shareFileBytes,
        outputDirectory: folder,
        ffmpegPath: config.FFMPEG_PATH,
      },
      { signal, containment: services.containment },
    );
  } finally {
    await video.release();
  }
  const key = `clips/${clipId}/share-${version}.mp4`;
  const file = { path: made.sharePath, bytes: made.bytes, maxBytes: limits.shareFileBytes };
  const isKept = await keepSpareVideo(services, key, file, () => keepShareFile(services, clipId, key));
  // A run that died between storing and naming its file may have left one.
  if (isKept) await deleteClipFiles(services, `clips/${clipId}/share-`, { keep: [key] });
}

/** @returns false when the clip was deleted meanwhile, or has such a file */
async function keepShareFile({ database }: Services, clipId: number, key: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("clips")
    .set({ share_key: key })
    .where("id", "=", clipId)
    .where("share_key", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function openVideo({ blobs }: Services, key: string) {
  try {
    return await blobs.openLocal(key);
  } catch (error) {
    if (error instanceof BlobMissingError) throw new PermanentJobError("The clip's video is not stored any more.");
    throw error;
  }
}
