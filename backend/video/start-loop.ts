import { rm } from "node:fs/promises";
import { resolve as absolute, join } from "node:path";
import { limits } from "../../contract/limits.ts";
import { childProcessEntry } from "../child-process-entry.ts";
import { loopFileName } from "./loop.ts";
import type { LoopJob } from "./loop-process.ts";
import {
  absolutePaths,
  absoluteProgram,
  fileBytes,
  noResult,
  runVideoChild,
  type VideoChildOptions,
} from "./video-child.ts";

/** As low as for the share file: nobody waits for it. */
const niceness = 16;
/** Most of its work comes before the first frame, at a low priority. */
const standstillMs = 180_000;
const timeOfClipSeconds = 60;

/**
 * Makes the loop of a clip in a separate process, like `startRender`. If it ends early it leaves no such file.
 * @returns its path, and its size, which is at most `limits.loopBytes`
 * @throws as `startRender`
 */
export async function startLoop(
  job: LoopJob,
  options: VideoChildOptions = {},
): Promise<{ loopPath: string; bytes: number }> {
  options.signal?.throwIfAborted();
  const outputDirectory = absolute(job.outputDirectory);
  const trackPath = absolute(job.trackPath);
  const mapFootprintsPath = job.mapFootprintsPath && absolute(job.mapFootprintsPath);
  const reliefPaths = absolutePaths(job.reliefPaths);
  const loopPath = join(outputDirectory, loopFileName);
  try {
    await runVideoChild(
      {
        ...job,
        trackPath,
        mapFootprintsPath,
        reliefPaths,
        outputDirectory,
        ffmpegPath: absoluteProgram(job.ffmpegPath),
      },
      {
        entry: childProcessEntry("loop-process"),
        resultSchema: noResult,
        outputDirectory,
        readable: [trackPath, ...(mapFootprintsPath ? [mapFootprintsPath] : []), ...Object.values(reliefPaths)],
        clipSeconds: timeOfClipSeconds,
        maxFileBytes: 4 * limits.loopBytes,
        niceness,
      },
      { standstillMs, ...options },
    );
    return { loopPath, bytes: await fileBytes(loopPath) };
  } catch (error) {
    await rm(loopPath, { force: true, maxRetries: 5 });
    throw error;
  }
}
