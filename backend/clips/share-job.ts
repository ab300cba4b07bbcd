import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { limits } from "../../contract/limits.ts";
import { type JobContext, PermanentJobError, PostponeJob } from "../jobs/job-queue.ts";
import type { Services } from "../services.ts";
import { BlobMissingError } from "../storage/blob-store.ts";
import { abortWhenFull } from "../storage/disk-space.ts";
import { startShare } from "../video/start-share.ts";
import { deleteClipFiles } from "./delete-clip.ts";

/** How soon a file that waits for disk space is tried again. */
const waitForDiskMs = 60_000;

/** After the tries of its job a file has its next ones, and the operator the reason in the log. */
const againAfterMs = 6 * 3600_000;
/** Younger clips have a job of their own. */
const settledMs = 60_000;
/** Sent at a time, so that a new version does not queue up the clips of years. */
const sentAtOnce = 10;

/**
 * The job `share`: makes the file of at most `limits.shareFileBytes` of a finished clip, out of its video. Idempotent, as the
 * render is. Whatever becomes of it, the clip stays as it is.
 */
export async function runShareJob(
  services: Services,
  { clipId }: { clipId: number },
  context: JobContext,
): Promise<void> {
  const { database, blobs, config, diskSpace } = services;
  if (diskSpace.isShort(true)) throw new PostponeJob("The disk has no room for a share file.", waitForDiskMs);
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
  const version = randomBytes(4).toString("hex");
  const folder = join(services.scratchDirectory, `share-${clipId}-${version}`);
  const full = abortWhenFull(diskSpace);
  try {
    await mkdir(folder, { recursive: true });
    const video = await openVideo(services, clip.video_key);
    let made: Awaited<ReturnType<typeof startShare>>;
    try {
      const { width, height, framesPerSecond } = clip.spec;
      made = await startShare(
        {
          videoPath: video.path,
          ...{ width, height, framesPerSecond },
          durationSeconds: clip.duration_seconds ?? 1,
          maxBytes: limits.shareFileBytes,
          outputDirectory: folder,
          ffmpegPath: config.FFMPEG_PATH,
        },
        { signal: AbortSignal.any([context.signal, full.signal]), containment: services.containment },
      );
    } finally {
      await video.release();
    }
    const key = `clips/${clipId}/share-${version}.mp4`;
    let isKept = false;
    try {
      await blobs.putFile(key, made.sharePath, "video/mp4");
      const stored = await blobs.stat(key);
      if (stored?.bytes !== made.bytes || made.bytes > limits.shareFileBytes) {
        throw new Error("The stored share file is not the one that was made.");
      }
      isKept = await keepShareFile(services, clipId, key);
    } finally {
      if (!isKept) await blobs.delete(key);
    }
    // What a run left that died between storing and naming.
    if (isKept) await deleteClipFiles(services, `clips/${clipId}/share-`, { keep: [key] });
  } catch (error) {
    if (full.signal.aborted && !context.signal.aborted) {
      throw new PostponeJob("The disk has no room for a share file.", waitForDiskMs);
    }
    throw error;
  } finally {
    full.stop();
    await rm(folder, { recursive: true, force: true });
  }
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

/**
 * Puts finished clips to work whose share file is missing: its job failed in every try, or they are older than such files. Some
 * at a time, and only while no other is being made.
 */
export async function sendMissingShareJobs({ database, jobs, now }: Services): Promise<void> {
  const { share } = await jobs.depth();
  if (share.waiting + share.running > 0) return;
  const at = now();
  const clips = await database
    .selectFrom("clips")
    .select(["id", "user_id"])
    .where("status", "=", "completed")
    .where("share_key", "is", null)
    .where((row) =>
      row.or([
        row("share_tried_at", "is", null),
        row("share_tried_at", "<", new Date(at.getTime() - againAfterMs)),
        row("share_tried_at", ">", at),
      ]),
    )
    .where((row) =>
      row.or([row("completed_at", "is", null), row("completed_at", "<", new Date(at.getTime() - settledMs))]),
    )
    .orderBy("id", "desc")
    .limit(sentAtOnce)
    .execute();
  for (const { id: clipId, user_id: ownerId } of clips) {
    await database.transaction().execute(async (transaction) => {
      await transaction.updateTable("clips").set({ share_tried_at: at }).where("id", "=", clipId).execute();
      await jobs.send("share", { clipId }, { ownerId, transaction });
    });
  }
}
