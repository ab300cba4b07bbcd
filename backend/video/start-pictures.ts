import { resolve as absolute, join } from "node:path";
import { childProcessEntry } from "../child-process-entry.ts";
import { picturesFile } from "./match-pictures.ts";
import type { PicturesJob } from "./pictures-process.ts";
import { absolutePaths, fileBytes, noResult, runVideoChild, type VideoChildOptions } from "./video-child.ts";

/** Cards show a placeholder meanwhile; clips, imports and pages go first. */
const niceness = 15;
/** Length of a clip with the same time limit: a relief, and a second or less for each still. */
const seconds = 120;
/** It may have to draw the relief first. */
const standstillMs = 5 * 60_000;
const maxFileBytes = 48 * 1024 ** 2;

/**
 * Renders the pictures of a match in a separate process, like `startRender`.
 * @returns the path and size of the file
 * @throws as `startRender`
 */
export async function startPictures(
  job: PicturesJob,
  options: VideoChildOptions = {},
): Promise<{ path: string; bytes: number }> {
  options.signal?.throwIfAborted();
  const trackPath = absolute(job.trackPath);
  const mapFootprintsPath = job.mapFootprintsPath && absolute(job.mapFootprintsPath);
  const reliefPaths = absolutePaths(job.reliefPaths);
  const outputDirectory = absolute(job.outputDirectory);
  await runVideoChild(
    { ...job, trackPath, mapFootprintsPath, reliefPaths, outputDirectory },
    {
      entry: childProcessEntry("pictures-process"),
      resultSchema: noResult,
      outputDirectory,
      readable: [trackPath, ...(mapFootprintsPath ? [mapFootprintsPath] : []), ...Object.values(reliefPaths)],
      clipSeconds: seconds,
      maxFileBytes,
      niceness,
    },
    { standstillMs, ...options },
  );
  const path = join(outputDirectory, picturesFile);
  return { path, bytes: await fileBytes(path) };
}
