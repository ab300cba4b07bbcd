import { rm } from "node:fs/promises";
import { resolve as absolute, join } from "node:path";
import { childProcessEntry } from "../child-process-entry.ts";
import { shareFileName } from "./share-file.ts";
import type { ShareJob } from "./share-process.ts";
import { absoluteProgram, fileBytes, noResult, runVideoChild, type VideoChildOptions } from "./video-child.ts";

/** Lower than for the video that it is made from: players wait for that, but not for this. */
const niceness = 16;

/**
 * Makes the share file of a finished clip for chat apps in a separate process, like `startRender`. If it ends early it leaves no such file.
 * @returns its path, and its size, which is at most `maxBytes`
 * @throws as `startRender`
 */
export async function startShare(
  job: ShareJob,
  options: VideoChildOptions = {},
): Promise<{ sharePath: string; bytes: number }> {
  options.signal?.throwIfAborted();
  const outputDirectory = absolute(job.outputDirectory);
  const videoPath = absolute(job.videoPath);
  const sharePath = join(outputDirectory, shareFileName);
  try {
    await runVideoChild(
      { ...job, videoPath, outputDirectory, ffmpegPath: absoluteProgram(job.ffmpegPath) },
      {
        entry: childProcessEntry("share-process"),
        resultSchema: noResult,
        outputDirectory,
        readable: [videoPath],
        clipSeconds: job.durationSeconds,
        maxFileBytes: 4 * job.maxBytes,
        niceness,
      },
      options,
    );
    return { sharePath, bytes: await fileBytes(sharePath) };
  } catch (error) {
    await rm(sharePath, { force: true, maxRetries: 5 });
    throw error;
  }
}
