import { randomBytes } from "node:crypto";
import {
  InterruptedError,
  type JobContext,
  PermanentJobError,
  PostponeJob,
  RefusedJobError,
} from "../../jobs/job-queue.ts";
import { ProgressWriter } from "../../jobs/progress-writer.ts";
import type { Services } from "../../services.ts";
import { isDiskFull } from "../../storage/disk-full.ts";
import { requireStore, waitingForRoom, waitingForStore } from "../../storage/require-store.ts";
import { inScratchFolder, type ScratchRun } from "../../storage/scratch-folder.ts";
import { RenderError } from "../../video/render-error.ts";
import { type Outage, outageOf } from "../../waits/outage.ts";
import {
  type DrawnClip,
  failRender,
  formatGivenUp,
  giveRenderBack,
  letRenderWait,
  type RenderTarget,
  renderGivenUp,
  reportRendering,
  startRendering,
} from "../clip-life.ts";
import { startIfRoom } from "./start-if-room.ts";

/** A player's page asks every 3 s. */
const progressEveryMs = 700;

/** How soon a video that waits for disk space is tried again. */
const waitForDiskMs = 30_000;

/** Trying again cannot help. `message` is a sentence for the player. */
export class VideoRefused extends Error {}

/** Words for the two ways in which a video is made. */
export interface VideoWork {
  /** Begins the name of its scratch folder. */
  name: string;
  /** What is said when it fails for good. */
  failed: string;
}

export interface VideoRun extends ScratchRun {
  /** New with each run: two runs of one clip, after a lost heartbeat, never write to the same key. */
  version: string;
  progress: ProgressWriter<number>;
}

/**
 * Runs the jobs that render and join clips. The clip goes from `queued` to `processing`, its progress is written, and it waits while the disk
 * is short or the store away. When the work fails, the clip is put back or fails, and no file stays in the scratch folder.
 * @param make stores the video and marks the clip as completed
 */
export async function runVideoJob(
  services: Services,
  target: RenderTarget,
  context: JobContext,
  work: VideoWork,
  make: (clip: DrawnClip, run: VideoRun) => Promise<void>,
): Promise<void> {
  const { clipId, format } = target;
  if (services.diskSpace.isShort(true)) await waitForDisk(services, target);
  try {
    await requireStore(services);
  } catch (error) {
    const outage = outageOf(error);
    if (!outage) throw error;
    await waitForOutage(services, target, outage, error);
    return;
  }
  const clip =
    format === undefined ? await startIfRoom(services, clipId) : await startRendering(services.database, target);
  if (!clip) return;
  const { database, log } = services;
  const progress = new ProgressWriter<number>({
    write: (fraction) => reportRendering(database, target, fraction),
    everyMs: progressEveryMs,
    goneReason: "The clip was deleted, or is drawn by nobody any more.",
    onError: (error) => log.warn({ err: error, clipId, format }, "render progress not written"),
  });
  const version = randomBytes(4).toString("hex");
  const ended = AbortSignal.any([context.signal, progress.signal]);
  try {
    await inScratchFolder(services, `${work.name}-${clipId}-${version}`, ended, (run) =>
      make(clip, { ...run, version, progress }),
    );
  } catch (error) {
    const outage = outageOf(error);
    if (outage && !context.signal.aborted) await waitForOutage(services, target, outage, error);
    // A disk that others filled will have room again; one that this video alone fills never has.
    const isWaiting = isDiskFull(error) && services.diskSpace.isShort(true);
    if (isWaiting && !context.signal.aborted) await waitForDisk(services, target);
    await settleFailure(services, target, error, context, work);
  }
}

/** @throws PostponeJob unless the clip was deleted meanwhile */
async function waitForDisk(services: Services, target: RenderTarget): Promise<void> {
  const isWaiting = await letRenderWait(services.database, target, "Waiting for free disk space on this server.");
  if (isWaiting) throw new PostponeJob("The disk has no room for a render.", waitForDiskMs);
}

/** @throws `error`, which the queue recognises as an outage, unless the clip was deleted meanwhile */
async function waitForOutage(services: Services, target: RenderTarget, outage: Outage, error: unknown): Promise<void> {
  // While the database is away nothing can be written; the queue keeps the job until it is back.
  const sentence = outage === "store" ? waitingForStore : waitingForRoom;
  const isWaiting = outage === "database" || (await letRenderWait(services.database, target, sentence));
  if (isWaiting) throw error;
}

async function settleFailure(
  services: Services,
  target: RenderTarget,
  error: unknown,
  context: JobContext,
  work: VideoWork,
): Promise<void> {
  const { database } = services;
  if (error instanceof VideoRefused) {
    if (!(await failRender(database, target, error.message))) return;
    throw new RefusedJobError(error.message, { cause: error });
  }
  // The renderer is deterministic: what it gave up twice it would give up again. Everything around it may pass.
  const isHopeless = error instanceof RenderError && !isDiskFull(error) && context.attempt > 0;
  const isFinal = (context.isLastAttempt || isHopeless) && !(error instanceof PostponeJob);
  if (isFinal && !context.signal.aborted) {
    await failRender(database, target, sentenceFor(error, target, work));
    throw new PermanentJobError(error instanceof Error ? error.message : String(error), { cause: error });
  }
  // A deleted clip is not tried again.
  if (await giveRenderBack(database, target)) throw error;
}

function sentenceFor(error: unknown, { format }: RenderTarget, work: VideoWork): string {
  const isClip = format === undefined;
  if (isDiskFull(error)) {
    const wayOut = isClip ? "Delete the clip and try again later." : "Try again later.";
    return `This server has no disk space left for the video. ${wayOut}`;
  }
  if (error instanceof InterruptedError) return isClip ? renderGivenUp : formatGivenUp;
  return `${work.failed} ${isClip ? "Delete the clip and create it again." : "Try again later."}`;
}
