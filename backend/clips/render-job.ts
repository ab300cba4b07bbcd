import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { InterruptedError, type JobContext, PermanentJobError, PostponeJob } from "../jobs/job-queue.ts";
import { ProgressWriter } from "../jobs/progress-writer.ts";
import type { Services } from "../services.ts";
import { BlobMissingError } from "../storage/blob-store.ts";
import { isDiskFull } from "../storage/disk-full.ts";
import { abortWhenFull } from "../storage/disk-space.ts";
import type { ClipRow } from "../storage/schema.ts";
import { RenderError } from "../video/encode.ts";
import { startRender } from "../video/start-render.ts";
import {
  completeRender,
  failRender,
  giveRenderBack,
  letRenderWait,
  renderGivenUp,
  reportRendering,
  startRendering,
} from "./clip-life.ts";
import { deleteClipFiles } from "./delete-clip.ts";
import { forgetTopLists } from "./top-lists.ts";

/** A player's page asks every 3 s. */
const progressEveryMs = 700;

/** How soon a render that waits for disk space looks again. */
const waitForDiskMs = 30_000;

/** A render that trying again cannot mend. `message` is a sentence for the player. */
class RenderRefused extends Error {}

/**
 * The job `render`: draws a clip, stores video, poster and thumbnail and only then calls it completed. Idempotent: a second run, after a
 * crash, draws it again from the beginning. A clip deleted meanwhile stops the render and leaves no file. While the disk is
 * short it waits.
 */
export async function runRenderJob(
  services: Services,
  { clipId }: { clipId: number },
  context: JobContext,
): Promise<void> {
  if (services.diskSpace.isShort(true)) await waitForDisk(services, clipId);
  const clip = await startRendering(services.database, clipId);
  if (!clip) return;
  const { database, log } = services;
  const progress = new ProgressWriter<number>({
    write: (fraction) => reportRendering(database, clipId, fraction),
    everyMs: progressEveryMs,
    goneReason: "The clip was deleted.",
    onError: (error) => log.warn({ error, clipId }, "render progress not written"),
  });
  const full = abortWhenFull(services.diskSpace);
  const signal = AbortSignal.any([context.signal, progress.signal, full.signal]);
  const version = randomBytes(4).toString("hex");
  const folder = join(services.scratchDirectory, `render-${clipId}-${version}`);
  try {
    await mkdir(folder, { recursive: true });
    await draw(services, clip, { folder, version, signal, progress });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    // Full of what others store, it will have room again; full of this video alone, it never has.
    const isWaiting = (full.signal.aborted || isDiskFull(error)) && services.diskSpace.isShort(true);
    if (isWaiting && !context.signal.aborted) await waitForDisk(services, clipId);
    await settleFailure(services, clip, error, context);
  } finally {
    full.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws PostponeJob unless the clip was deleted meanwhile */
async function waitForDisk(services: Services, clipId: number): Promise<void> {
  const isWaiting = await letRenderWait(services.database, clipId, "Waiting for free disk space on this server.");
  if (isWaiting) throw new PostponeJob("The disk has no room for a render.", waitForDiskMs);
}

interface RenderRun {
  folder: string;
  /** New with each run: two runs of one clip, after a lost heartbeat, never write to the same key. */
  version: string;
  signal: AbortSignal;
  progress: ProgressWriter<number>;
}

async function draw(
  services: Services,
  clip: ClipRow,
  { folder, version, signal, progress }: RenderRun,
): Promise<void> {
  const track = await openTrack(services, clip.demo_sha256);
  let video: Awaited<ReturnType<typeof startRender>>;
  try {
    video = await startRender(
      {
        trackPath: track.path,
        spec: clip.spec,
        outputDirectory: folder,
        ffmpegPath: services.config.FFMPEG_PATH,
      },
      { signal, onProgress: (fraction) => progress.report(fraction), containment: services.containment },
    );
  } finally {
    await track.release();
    await progress.settled();
  }
  signal.throwIfAborted();
  const videoKey = `clips/${clip.id}/video-${version}.mp4`;
  const posterKey = `clips/${clip.id}/poster-${version}.jpg`;
  const thumbnailKey = `clips/${clip.id}/thumbnail-${version}.jpg`;
  let isCompleted = false;
  try {
    await services.blobs.putFile(videoKey, video.videoPath, "video/mp4");
    await services.blobs.putFile(posterKey, video.posterPath, "image/jpeg");
    await services.blobs.putFile(thumbnailKey, video.thumbnailPath, "image/jpeg");
    const stored = await services.blobs.stat(videoKey);
    const poster = await services.blobs.stat(posterKey);
    if (stored?.bytes !== video.bytes || !poster?.bytes) throw new Error("The stored video is not the rendered one.");
    const files = {
      video_key: videoKey,
      poster_key: posterKey,
      thumbnail_key: thumbnailKey,
      video_bytes: video.bytes,
      duration_seconds: video.durationSeconds,
    };
    isCompleted = await completeRender(services.database, clip.id, files, services.now());
  } finally {
    if (!isCompleted) for (const key of [videoKey, posterKey, thumbnailKey]) await services.blobs.delete(key);
  }
  if (!isCompleted) return;
  forgetTopLists(services);
  // What a run left that died between storing and completing.
  await deleteClipFiles(services, clip.id, { keep: [videoKey, posterKey, thumbnailKey] });
}

async function openTrack(services: Services, sha256: string) {
  const demo = await services.database
    .selectFrom("demos")
    .select("track_key")
    .where("sha256", "=", sha256)
    .executeTakeFirst();
  const gone = "The replay data of this match has been deleted, so the clip cannot be rendered.";
  if (!demo?.track_key) throw new RenderRefused(gone);
  try {
    return await services.blobs.openLocal(demo.track_key);
  } catch (error) {
    if (error instanceof BlobMissingError) throw new RenderRefused(gone);
    throw error;
  }
}

async function settleFailure(services: Services, clip: ClipRow, error: unknown, context: JobContext): Promise<void> {
  const { database } = services;
  if (error instanceof RenderRefused) {
    await failRender(database, clip.id, error.message);
    return;
  }
  // What the renderer itself gives up twice it gives up a third time; what happens around it may pass.
  const isHopeless = error instanceof RenderError && !isDiskFull(error) && context.attempt > 0;
  const isFinal = (context.isLastAttempt || isHopeless) && !(error instanceof PostponeJob);
  if (isFinal && !context.signal.aborted) {
    await failRender(database, clip.id, sentenceFor(error));
    throw new PermanentJobError(error instanceof Error ? error.message : String(error), { cause: error });
  }
  // A deleted clip needs no other try.
  if (await giveRenderBack(database, clip.id)) throw error;
}

function sentenceFor(error: unknown): string {
  if (isDiskFull(error))
    return "This server has no disk space left for the video. Delete the clip and try again later.";
  if (error instanceof InterruptedError) return renderGivenUp;
  return "The video could not be rendered. Delete the clip and create it again.";
}
