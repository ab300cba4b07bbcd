import { lstat, rm } from "node:fs/promises";
import { resolve as absolute, basename, join } from "node:path";
import { z } from "zod";
import { formatOfSize } from "../../contract/clip-formats.ts";
import { limits } from "../../contract/limits.ts";
import { endCardSeconds } from "../../scene/clip-time.ts";
import { type ChildEntry, childProcessEntry } from "../child-process-entry.ts";
import { type ChildEnd, writtenEnd } from "../children/child-end.ts";
import { type Containment, limitsOnly } from "../children/containment.ts";
import { UnfitMessageError } from "../children/message-lines.ts";
import { prepareChild } from "../children/start-child.ts";
import { InterruptedError } from "../jobs/job-queue.ts";
import { type ClipGround, type DrawnOn, drawnReliefFile } from "./clip-ground.ts";
import { interruptedCode, RenderError } from "./encode.ts";
import { pathsIn, type RenderResult, renderedFiles, workFolder } from "./render-clip.ts";
import type { RenderJob } from "./render-process.ts";
import { sizeLimits } from "./size-limits.ts";

export type { RenderJob, RenderResult };

/** A clip and the ground it was drawn on. */
export interface StartedRender extends RenderResult {
  drawnOn: DrawnOn;
  /** The relief of the match's own walks, when one was drawn. Only for readers of this match alone. */
  reliefPath: string | null;
}

export interface StartRenderOptions {
  /** 0..1 */
  onProgress?: (progress: number) => void;
  /** Kills the render; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Without another frame for this long the render counts as stuck. */
  standstillMs?: number;
  /** The process to start; the product's own by default. */
  entry?: { modulePath: string; execArgv: string[] };
  containment?: Containment;
}

/** JavaScript heap of a render; frames, maps and sprites are outside it. */
const heapMegabytes = 1024;
/** Of painter and encoder each. Measured on 28 s in 1080p: 1.8 GB and 0.4 GB, as counted by RLIMIT_DATA. */
const maxMemoryBytes = 4 * 1024 ** 3;
/** A time in a video, in seconds. */
export const videoSeconds = z
  .number()
  .min(0)
  .max(2 * limits.clipSeconds);
/** Result of a child whose files are its whole output. */
export const nothing = z.object({});
/** Result reported by a renderer. */
const toldSchema = z.object({
  durationSeconds: videoSeconds,
  frameCount: z.int().min(0),
  // Checked where they are stored (`storedMoments`).
  moments: z.custom<RenderResult["moments"]>(),
  ground: z.enum(["map", "match"]),
  relief: z.enum(["kept", "drawn", "damaged"]),
  mapProblem: z.string().nullable(),
});
/** Pages have priority; the encoder inherits this. */
const niceness = 12;
/**
 * Two idle cores take 2 s to get ready and half a minute for a minute of video. A machine thirty times as slow may still finish as long as
 * frames come; anything longer would never end.
 */
const maxMs = (clipSeconds: number) => 1000 * (120 + 15 * clipSeconds);

/**
 * Renders a clip in a separate process, so that neither load nor a crash of the renderer affects the pages. Ending early for any reason
 * (abort, crash, kill, standstill, deadline) leaves no file in the output directory.
 * @throws RenderError with one sentence (`code` ENOSPC when the disk is full); InterruptedError when renderer or encoder were ended by
 *   somebody else or got stuck; the signal's reason
 */
export async function startRender(job: RenderJob, options: StartRenderOptions = {}): Promise<StartedRender> {
  options.signal?.throwIfAborted();
  const outputDirectory = absolute(job.outputDirectory);
  try {
    const absoluteJob = withAbsolutePaths(job);
    const { durationSeconds, frameCount, moments, ground, relief, mapProblem } = await runVideoChild(
      absoluteJob,
      {
        told: toldSchema,
        entry: options.entry ?? childProcessEntry("render-process"),
        outputDirectory,
        readable: [
          absoluteJob.trackPath,
          ...(absoluteJob.mapFootprintsPath ? [absoluteJob.mapFootprintsPath] : []),
          ...Object.values(absoluteJob.reliefPaths ?? {}),
        ],
        clipSeconds: job.spec.segments.reduce(
          (sum, { startTick, endTick }) => sum + (endTick - startTick) / 64,
          endCardSeconds,
        ),
        maxFileBytes: sizeLimits[formatOfSize(job.spec)].fileBytes,
        niceness,
      },
      options,
    );
    const { video: videoPath, poster: posterPath, widePoster, thumbnail } = pathsIn(outputDirectory);
    const { hasListPictures = true } = job;
    const widePosterPath = hasListPictures && job.spec.height > job.spec.width ? widePoster : null;
    const thumbnailPath = hasListPictures ? thumbnail : null;
    const left = [videoPath, posterPath, thumbnailPath, widePosterPath].filter((path) => path !== null);
    const [bytes = 0] = await Promise.all(left.map(fileBytes));
    return {
      ...{ videoPath, posterPath, widePosterPath, thumbnailPath, durationSeconds, frameCount, moments, bytes },
      drawnOn: { ground, relief, mapProblem },
      reliefPath: ground === "match" && relief !== "kept" ? await drawnRelief(outputDirectory) : null,
    };
  } catch (error) {
    for (const leftover of [workFolder, drawnReliefFile, `${drawnReliefFile}.part`, ...Object.values(renderedFiles)]) {
      await rm(join(outputDirectory, leftover), { recursive: true, force: true, maxRetries: 5 });
    }
    throw error;
  }
}

async function drawnRelief(outputDirectory: string): Promise<string | null> {
  const path = join(outputDirectory, drawnReliefFile);
  const file = await lstat(path).catch(() => null);
  return file?.isFile() ? path : null;
}

export function absolutePaths(paths: RenderJob["reliefPaths"] = {}): Partial<Record<ClipGround, string>> {
  return Object.fromEntries(Object.entries(paths).map(([ground, path]) => [ground, absolute(path)]));
}

/** The renderer has another working folder, in which relative paths would lead elsewhere. */
function withAbsolutePaths(job: RenderJob): RenderJob {
  return {
    ...job,
    trackPath: absolute(job.trackPath),
    mapFootprintsPath: job.mapFootprintsPath && absolute(job.mapFootprintsPath),
    reliefPaths: absolutePaths(job.reliefPaths),
    outputDirectory: absolute(job.outputDirectory),
    ffmpegPath: absoluteProgram(job.ffmpegPath),
  };
}

/** A bare name is looked up on PATH. */
export function absoluteProgram(path: string | undefined): string | undefined {
  return path && basename(path) !== path ? absolute(path) : path;
}

/** A renderer that was taken over could have put a link there, to any file that this process may read. */
export async function fileBytes(path: string): Promise<number> {
  const file = await lstat(path);
  if (!file.isFile()) throw new RenderError("The renderer left something that is no file.");
  return file.size;
}

type VideoMessage =
  | { type: "progress"; progress: number }
  | { type: "done"; result: object }
  | { type: "failed"; message: string; code: string | undefined };

/** Input of a process that makes a video. */
interface VideoChild<Result> {
  entry: ChildEntry;
  /** Shape of its result, which is not trusted before it is checked. */
  told: z.ZodType<Result>;
  /** Absolute, as are the paths in `readable`. */
  outputDirectory: string;
  readable: string[];
  /** Length of the video, which bounds its run time. */
  clipSeconds: number;
  maxFileBytes: number;
  niceness: number;
}

/**
 * Resolves and rejects only when the renderer, and the encoder with it, is gone.
 * @returns the checked result
 */
export async function runVideoChild<Result>(
  job: object,
  child: VideoChild<Result>,
  options: StartRenderOptions,
): Promise<Result> {
  const checked = child.told.safeParse(await answerOf(job, child, options));
  if (!checked.success) throw new RenderError("The renderer did not say what it had made.");
  return checked.data;
}

async function answerOf(
  job: object,
  { entry, outputDirectory, readable, clipSeconds, maxFileBytes, niceness }: Omit<VideoChild<unknown>, "told">,
  options: StartRenderOptions,
): Promise<object> {
  const { onProgress, signal, standstillMs = 60_000 } = options;
  const start = await prepareChild<VideoMessage>({
    entry,
    containment: options.containment ?? limitsOnly,
    directory: outputDirectory,
    readable,
    // Painter and encoder; the latter has two threads.
    limits: {
      memoryBytes: maxMemoryBytes,
      processorSeconds: (2 * maxMs(clipSeconds)) / 1000,
      fileBytes: maxFileBytes,
    },
    heapMegabytes,
    niceness,
  });
  return await new Promise((resolve, reject) => {
    let answer: Exclude<VideoMessage, { type: "progress" }> | undefined;
    let stopped: Error | undefined;
    let furthest = -1;
    const stop = (reason: Error) => {
      stopped ??= reason;
      child.kill();
    };
    const child = start({
      onMessage(message) {
        assertFit(message);
        if (message.type !== "progress") answer = message;
        else if (message.progress > furthest && furthest < 1) {
          furthest = Math.min(message.progress, 1);
          standstill.refresh();
          onProgress?.(furthest);
        }
      },
      onEnd(end) {
        clearTimeout(standstill);
        clearTimeout(deadline);
        signal?.removeEventListener("abort", onAbort);
        if (signal?.aborted) reject(signal.reason);
        else if (end.fault !== null) reject(errorOf(end, true));
        else if (answer?.type === "done") resolve(answer.result);
        else if (answer?.type === "failed") reject(failureOf(answer));
        else reject(stopped ?? errorOf(end, furthest >= 0));
      },
    });
    const standstill = setTimeout(
      () => stop(new InterruptedError("Rendering stood still and was stopped.")),
      standstillMs,
    );
    const deadline = setTimeout(
      () => stop(new RenderError("Rendering took too long and was stopped.")),
      maxMs(clipSeconds),
    );
    const onAbort = () => child.kill();
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) child.kill();
    child.send(job);
  });
}

/** @throws UnfitMessageError */
function assertFit(message: VideoMessage): void {
  const isFit = () => {
    switch (message.type) {
      case "progress":
        return typeof message.progress === "number";
      case "done":
        return typeof message.result === "object" && message.result !== null;
      case "failed":
        return typeof message.message === "string" && ["string", "number", "undefined"].includes(typeof message.code);
      default:
        return false;
    }
  };
  if (!isFit()) throw new UnfitMessageError("it said what no renderer says");
}

function failureOf({ message, code }: Pick<NodeJS.ErrnoException, "message" | "code">): Error {
  return code === interruptedCode ? new InterruptedError(message) : new RenderError(message, code);
}

/** @param hasBegun whether the renderer got as far as looking at the clip */
function errorOf(end: ChildEnd, hasBegun: boolean): Error {
  const sentence = `The renderer ${writtenEnd(end)}`;
  if (end.cause === "interrupted") return new InterruptedError(sentence);
  return hasBegun ? new RenderError(sentence) : new Error(sentence);
}
