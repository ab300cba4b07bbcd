import { resolve as absolute, join } from "node:path";
import { childProcessEntry } from "../child-process-entry.ts";
import { picturesFile } from "./match-pictures.ts";
import type { PicturesJob } from "./pictures-process.ts";
import { absolutePaths, fileBytes, nothing, runVideoChild, type StartRenderOptions } from "./start-render.ts";

/** Cards show a placeholder until then; clips, imports and pages have priority. */
const niceness = 15;
/** Bounds its run time: a relief, and a second or less for each still. */
const seconds = 120;
/** It draws the relief first if none is kept. */
const standstillMs = 5 * 60_000;
const maxFileBytes = 48 * 1024 ** 2;

/**
 * Draws the pictures of a match in a separate process, like `startRender`.
 * @returns the path and size of the file
 * @throws as `startRender`
 */
export async function startPictures(
  job: PicturesJob,
  options: StartRenderOptions = {},
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
      told: nothing,
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
