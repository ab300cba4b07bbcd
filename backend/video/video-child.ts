import { lstat } from "node:fs/promises";
import { resolve as absolute, basename } from "node:path";
import { z } from "zod";
import { limits } from "../../contract/limits.ts";
import type { ChildEntry } from "../child-process-entry.ts";
import { type ChildEnd, describeEnd } from "../children/child-end.ts";
import { type Containment, limitsOnly } from "../children/containment.ts";
import { UnfitMessageError } from "../children/message-lines.ts";
import { prepareChild } from "../children/start-child.ts";
import { InterruptedError } from "../jobs/job-queue.ts";
import type { ClipGround } from "./clip-ground.ts";
import { interruptedCode, RenderError } from "./render-error.ts";

export interface VideoChildOptions {
  /** 0..1 */
  onProgress?: (progress: number) => void;
  /** Kills the render; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** A render without a new frame for this long is stopped. */
  standstillMs?: number;
  /** The process to start, by default the product's own. */
  entry?: { modulePath: string; execArgv: string[] };
  containment?: Containment;
}

/** JavaScript heap of a render; frames, maps and sprites are outside of it. */
const heapMegabytes = 1024;
/** For painter and encoder each. Measured on 28 s in 1080p: 1.8 GB and 0.4 GB, as RLIMIT_DATA counts. */
const maxMemoryBytes = 4 * 1024 ** 3;
/**
 * Two idle cores take 2 s to prepare and half a minute for a minute of video. A machine that is thirty times slower is given the time as
 * long as frames come; a longer render will never end.
 */
const maxMs = (clipSeconds: number) => 1000 * (120 + 15 * clipSeconds);

/** A time in a video, in seconds. */
export const videoSeconds = z
  .number()
  .min(0)
  .max(2 * limits.clipSeconds);
/** The result of a child that only writes files. */
export const noResult = z.object({});
type VideoMessage =
  | { type: "progress"; progress: number }
  | { type: "done"; result: object }
  | { type: "failed"; message: string; code: string | undefined };

/** Input of a process that makes a video. */
interface VideoChild<Result> {
  entry: ChildEntry;
  /** Schema of the reported result, which is not trusted until it is checked. */
  resultSchema: z.ZodType<Result>;
  /** Absolute, like the paths in `readable`. */
  outputDirectory: string;
  readable: string[];
  /** Length of the video, which bounds the time. */
  clipSeconds: number;
  maxFileBytes: number;
  niceness: number;
}

/**
 * Resolves or rejects when the renderer and its encoder are gone.
 * @returns its reported result, checked
 */
export async function runVideoChild<Result>(
  job: object,
  child: VideoChild<Result>,
  options: VideoChildOptions,
): Promise<Result> {
  const checked = child.resultSchema.safeParse(await answerOf(job, child, options));
  if (!checked.success) throw new RenderError("The renderer did not say what it had made.");
  return checked.data;
}

async function answerOf(
  job: object,
  { entry, outputDirectory, readable, clipSeconds, maxFileBytes, niceness }: Omit<VideoChild<unknown>, "resultSchema">,
  options: VideoChildOptions,
): Promise<object> {
  const { onProgress, signal, standstillMs = 60_000 } = options;
  const start = await prepareChild<VideoMessage>({
    entry,
    containment: options.containment ?? limitsOnly,
    directory: outputDirectory,
    readable,
    // Painter and encoder; the encoder has two threads.
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

/** @param hasBegun whether the renderer had reported progress on the clip */
function errorOf(end: ChildEnd, hasBegun: boolean): Error {
  const sentence = `The renderer ${describeEnd(end)}`;
  if (end.cause === "interrupted") return new InterruptedError(sentence);
  return hasBegun ? new RenderError(sentence) : new Error(sentence);
}

export function absolutePaths(paths: Partial<Record<ClipGround, string>> = {}): Partial<Record<ClipGround, string>> {
  return Object.fromEntries(Object.entries(paths).map(([ground, path]) => [ground, absolute(path)]));
}

/** A bare name is looked up on PATH. */
export function absoluteProgram(path: string | undefined): string | undefined {
  return path && basename(path) !== path ? absolute(path) : path;
}

/** A compromised renderer could have put a link there, to anything that this process may read. */
export async function fileBytes(path: string): Promise<number> {
  const file = await lstat(path);
  if (!file.isFile()) throw new RenderError("The renderer left something that is no file.");
  return file.size;
}
