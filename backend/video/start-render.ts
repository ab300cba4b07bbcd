import { lstat, rm } from "node:fs/promises";
import { resolve as absolute, join } from "node:path";
import { z } from "zod";
import { formatOfSize } from "../../contract/clip-formats.ts";
import { endCardSeconds } from "../../scene/clip-time.ts";
import { childProcessEntry } from "../child-process-entry.ts";
import { type DrawnOn, drawnReliefFile } from "./clip-ground.ts";
import { pathsIn, type RenderResult, renderedFiles, workFolder } from "./render-clip.ts";
import type { RenderJob } from "./render-process.ts";
import { sizeLimits } from "./size-limits.ts";
import {
  absolutePaths,
  absoluteProgram,
  fileBytes,
  runVideoChild,
  type VideoChildOptions,
  videoSeconds,
} from "./video-child.ts";

export type { RenderJob, RenderResult };

/** A rendered clip and its ground. */
export interface StartedRender extends RenderResult {
  drawnOn: DrawnOn;
  /** A new relief of the match's own walks, if one was drawn; only to be used for this match. */
  reliefPath: string | null;
}

/** The result that a renderer reports. */
const renderedSchema = z.object({
  durationSeconds: videoSeconds,
  frameCount: z.int().min(0),
  // Checked where they are stored (`storedMoments`).
  moments: z.custom<RenderResult["moments"]>(),
  ground: z.enum(["map", "match"]),
  relief: z.enum(["kept", "drawn", "damaged"]),
  mapProblem: z.string().nullable(),
});
/** Pages are answered first; the encoder inherits this. */
const niceness = 12;

/**
 * Renders a clip in a separate process, so that neither load nor a crash of the renderer affects the pages. Whatever ends it early (abort,
 * crash, kill, standstill, time) leaves no file in the output directory.
 * @throws RenderError with one sentence (`code` ENOSPC when the disk is full); InterruptedError when renderer or encoder were killed by
 * somebody else or did not progress; the signal's reason
 */
export async function startRender(job: RenderJob, options: VideoChildOptions = {}): Promise<StartedRender> {
  options.signal?.throwIfAborted();
  const outputDirectory = absolute(job.outputDirectory);
  try {
    const absoluteJob = withAbsolutePaths(job);
    const { durationSeconds, frameCount, moments, ground, relief, mapProblem } = await runVideoChild(
      absoluteJob,
      {
        resultSchema: renderedSchema,
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
      videoPath,
      posterPath,
      widePosterPath,
      thumbnailPath,
      durationSeconds,
      frameCount,
      moments,
      bytes,
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

/** The renderer runs in its own folder, so relative paths would not work. */
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
