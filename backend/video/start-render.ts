import { lstat, rm } from "node:fs/promises";
import { resolve as absolute, basename, join } from "node:path";
import { childProcessEntry } from "../child-process-entry.ts";
import { type ChildEnd, writtenEnd } from "../children/child-end.ts";
import { type Containment, limitsOnly } from "../children/containment.ts";
import { prepareChild } from "../children/start-child.ts";
import { InterruptedError } from "../jobs/job-queue.ts";
import { interruptedCode, RenderError } from "./encode.ts";
import { pathsIn, type RenderResult, renderedFiles, workFolder } from "./render-clip.ts";
import type { RenderJob, RenderMessage } from "./render-process.ts";

export type { RenderJob, RenderResult };

export interface StartRenderOptions {
  /** 0..1 */
  onProgress?: (progress: number) => void;
  /** Kills the render; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Without a further frame for this long the render stands still. */
  standstillMs?: number;
  /** The process to start; the product's own by default. */
  entry?: { modulePath: string; execArgv: string[] };
  containment?: Containment;
}

/** JavaScript heap of a render; frames, maps and sprites lie outside of it. */
const heapMegabytes = 1024;
/** Of painter and encoder each. Measured on 28 s in 1080p: 1.8 GB and 0.4 GB, in what RLIMIT_DATA counts. */
const maxMemoryBytes = 4 * 1024 ** 3;
/** 28 s in 1080p are 13 MB. */
const maxFileBytes = 1024 ** 3;
/** Pages are answered first; the encoder inherits this. */
const niceness = 12;
/**
 * Two idle cores take 2 s to get ready and half a minute for a minute of video. A machine that is thirty times as slow is given
 * its time as long as frames come; what takes more will not end.
 */
const maxMs = (clipSeconds: number) => 1000 * (120 + 15 * clipSeconds);

/**
 * Renders a clip in a process of its own, so that neither load nor a crash of the renderer reaches the pages.
 * Whatever ends it early (abort, crash, kill, standstill, time) leaves no file in the output directory.
 * @throws RenderError with one sentence (`code` ENOSPC when the disk is full); InterruptedError when renderer or encoder were
 *   ended by somebody else or stood still; the signal's reason
 */
export async function startRender(job: RenderJob, options: StartRenderOptions = {}): Promise<RenderResult> {
  options.signal?.throwIfAborted();
  const outputDirectory = absolute(job.outputDirectory);
  try {
    const { durationSeconds, frameCount } = await runChild(withAbsolutePaths(job), options);
    const { video: videoPath, poster: posterPath, thumbnail: thumbnailPath } = pathsIn(outputDirectory);
    const [bytes = 0] = await Promise.all([videoPath, posterPath, thumbnailPath].map(fileBytes));
    return { videoPath, posterPath, thumbnailPath, durationSeconds, frameCount, bytes };
  } catch (error) {
    for (const leftover of [workFolder, ...Object.values(renderedFiles)]) {
      await rm(join(outputDirectory, leftover), { recursive: true, force: true, maxRetries: 5 });
    }
    throw error;
  }
}

/** The renderer works in a folder of its own, where relative paths lead elsewhere. */
function withAbsolutePaths(job: RenderJob): RenderJob {
  const { ffmpegPath } = job;
  return {
    ...job,
    trackPath: absolute(job.trackPath),
    outputDirectory: absolute(job.outputDirectory),
    // A bare name is looked up on PATH.
    ffmpegPath: ffmpegPath && basename(ffmpegPath) !== ffmpegPath ? absolute(ffmpegPath) : ffmpegPath,
  };
}

/** A renderer that something took over could have put a link there, to anything that this process may read. */
async function fileBytes(path: string): Promise<number> {
  const file = await lstat(path);
  if (!file.isFile()) throw new RenderError("The renderer left something that is no file.");
  return file.size;
}

/** Resolves and rejects when the renderer, and the encoder with it, is gone. */
async function runChild(
  job: RenderJob,
  options: StartRenderOptions,
): Promise<Pick<RenderResult, "durationSeconds" | "frameCount">> {
  const { onProgress, signal, standstillMs = 60_000 } = options;
  const clipSeconds = job.spec.segments.reduce((sum, { startTick, endTick }) => sum + (endTick - startTick) / 64, 0);
  const start = await prepareChild<RenderMessage>({
    entry: options.entry ?? childProcessEntry("render-process"),
    containment: options.containment ?? limitsOnly,
    directory: job.outputDirectory,
    readable: [job.trackPath],
    // Painter and encoder, of which the latter has two threads.
    limits: {
      memoryBytes: maxMemoryBytes,
      processorSeconds: (2 * maxMs(clipSeconds)) / 1000,
      fileBytes: maxFileBytes,
    },
    heapMegabytes,
    niceness,
  });
  return await new Promise((resolve, reject) => {
    let answer: Exclude<RenderMessage, { type: "progress" }> | undefined;
    let stopped: Error | undefined;
    let furthest = -1;
    const stop = (reason: Error) => {
      stopped ??= reason;
      child.kill();
    };
    const child = start({
      onMessage(message) {
        if (message.type !== "progress") answer = message;
        else if (message.progress > furthest) {
          furthest = message.progress;
          standstill.refresh();
          onProgress?.(furthest);
        }
      },
      onEnd(end) {
        clearTimeout(standstill);
        clearTimeout(deadline);
        signal?.removeEventListener("abort", onAbort);
        if (signal?.aborted) reject(signal.reason);
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

function failureOf({ message, code }: Extract<RenderMessage, { type: "failed" }>): Error {
  return code === interruptedCode ? new InterruptedError(message) : new RenderError(message, code);
}

/** @param hasBegun whether the renderer had come as far as to look at the clip */
function errorOf(end: ChildEnd, hasBegun: boolean): Error {
  const sentence = `The renderer ${writtenEnd(end)}`;
  if (end.cause === "interrupted") return new InterruptedError(sentence);
  return hasBegun ? new RenderError(sentence) : new Error(sentence);
}
