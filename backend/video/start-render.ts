import { fork } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { childProcessEntry } from "../child-process-entry.ts";
import { RenderError } from "./encode.ts";
import { type RenderResult, renderedFiles, workFolder } from "./render-clip.ts";
import type { RenderJob, RenderMessage } from "./render-process.ts";

export type { RenderJob, RenderResult };

export interface StartRenderOptions {
  /** 0..1 */
  onProgress?: (progress: number) => void;
  /** Kills the render; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** JavaScript heap of a render; frames, maps and sprites lie outside of it. */
const heapMegabytes = 1024;
/** A clip takes a fraction of its length; something that takes this much more hangs. */
const longestSeconds = (clipSeconds: number) => 180 + 40 * clipSeconds;

/**
 * Renders a clip in a process of its own, so that neither load nor a crash of the renderer reaches the pages.
 * Whatever ends it early (abort, crash, kill, time) leaves no file in the output directory.
 * @throws RenderError with one sentence (`code` ENOSPC when the disk is full), or the signal's reason
 */
export async function startRender(job: RenderJob, options: StartRenderOptions = {}): Promise<RenderResult> {
  options.signal?.throwIfAborted();
  try {
    return await runChild(job, options);
  } catch (error) {
    for (const leftover of [workFolder, ...Object.values(renderedFiles)]) {
      await rm(join(job.outputDirectory, leftover), { recursive: true, force: true, maxRetries: 5 });
    }
    throw error;
  }
}

function runChild(job: RenderJob, { onProgress, signal }: StartRenderOptions): Promise<RenderResult> {
  const { modulePath, execArgv } = childProcessEntry("render-process");
  // A group of its own, so that the encoder can be killed along with it.
  const hasGroup = process.platform !== "win32";
  const child = fork(modulePath, [], {
    execArgv: [...execArgv, `--max-old-space-size=${heapMegabytes}`],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    detached: hasGroup,
  });
  const kill = () => {
    try {
      if (hasGroup && child.pid) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  return new Promise<RenderResult>((resolve, reject) => {
    let answer: RenderMessage | undefined;
    let words = "";
    let tookTooLong = false;
    const clipSeconds = job.spec.segments.reduce((sum, { startTick, endTick }) => sum + (endTick - startTick) / 64, 0);
    const timer = setTimeout(() => {
      tookTooLong = true;
      kill();
    }, longestSeconds(clipSeconds) * 1000);
    signal?.addEventListener("abort", kill, { once: true });
    child.stderr?.setEncoding("utf8");
    child.stderr?.on("data", (chunk: string) => {
      words = (words + chunk).slice(-2000);
    });
    child.on("message", (message: RenderMessage) => {
      if (message.type === "progress") onProgress?.(message.progress);
      else answer = message;
    });
    child.on("error", (error) => {
      words = error.message;
    });
    child.on("close", (code, killedBy) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", kill);
      // An encoder that outlived a killed renderer would go on writing.
      kill();
      if (signal?.aborted) reject(signal.reason);
      else if (answer?.type === "done") resolve(answer.result);
      else if (answer?.type === "failed") reject(new RenderError(answer.message, answer.code));
      else if (tookTooLong) reject(new RenderError("Rendering took too long and was stopped."));
      else reject(new RenderError(crashSentence(words, code, killedBy)));
    });
    child.send(job, (error) => {
      if (error) words ||= error.message;
    });
    if (signal?.aborted) kill();
  });
}

function crashSentence(words: string, code: number | null, killedBy: string | null): string {
  const end = killedBy ? `was ended by ${killedBy}` : `ended with code ${code}`;
  const last = words.trim().split("\n").slice(-4).join(" / ");
  return `The renderer ${end}${last ? `: ${last}` : "."}`;
}
