import { rm } from "node:fs/promises";
import { resolve as absolute, join } from "node:path";
import { z } from "zod";
import { formatOfSize } from "../../contract/clip-formats.ts";
import { childProcessEntry } from "../child-process-entry.ts";
import type { JoinJob } from "./join-process.ts";
import { type JoinResult, joinedFileName, workFolder } from "./join-videos.ts";
import { sizeLimits } from "./size-limits.ts";
import { absoluteProgram, fileBytes, runVideoChild, type VideoChildOptions, videoSeconds } from "./video-child.ts";

/** It takes seconds, and a player waits. */
const niceness = 10;

/** Details of the video that this process determines itself. */
export interface JoinedVideo {
  /** Pixels. */
  width: number;
  height: number;
  /** Length of all parts together. */
  durationSeconds: number;
}

/**
 * Joins finished videos in a separate process, like `startRender`. If it ends early it leaves no file.
 * @returns the path and details of the video
 * @throws as `startRender`
 */
export async function startJoin(
  job: JoinJob,
  { width, height, durationSeconds }: JoinedVideo,
  options: VideoChildOptions = {},
): Promise<JoinResult & { videoPath: string }> {
  options.signal?.throwIfAborted();
  const outputDirectory = absolute(job.outputDirectory);
  const parts = job.parts.map(({ videoPath }) => ({ videoPath: absolute(videoPath) }));
  const videoPath = join(outputDirectory, joinedFileName);
  try {
    const result = await runVideoChild(
      { ...job, parts, outputDirectory, ffmpegPath: absoluteProgram(job.ffmpegPath) },
      {
        entry: options.entry ?? childProcessEntry("join-process"),
        resultSchema: z.object({
          frameCount: z.int().min(0),
          durationSeconds: videoSeconds,
          startSeconds: z.array(videoSeconds).length(parts.length),
        }),
        outputDirectory,
        readable: parts.map((part) => part.videoPath),
        clipSeconds: durationSeconds,
        maxFileBytes: sizeLimits[formatOfSize({ width, height })].fileBytes,
        niceness,
      },
      options,
    );
    return { ...result, videoPath, bytes: await fileBytes(videoPath) };
  } catch (error) {
    for (const leftover of [workFolder, joinedFileName]) {
      await rm(join(outputDirectory, leftover), { recursive: true, force: true, maxRetries: 5 });
    }
    throw error;
  }
}
