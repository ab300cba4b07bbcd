import { resolve as absolute, join } from "node:path";
import { z } from "zod";
import { childProcessEntry } from "../child-process-entry.ts";
import { drawnReliefFile } from "./clip-ground.ts";
import type { ReliefJob } from "./relief-process.ts";
import { fileBytes, runVideoChild, type VideoChildOptions } from "./video-child.ts";

/** A clip that is created meanwhile goes first, as do imports and pages. */
const niceness = 15;
/** Length of a clip with the same time limit; it takes seconds. */
const seconds = 60;
/** It reports nothing before it is done. */
const standstillMs = 5 * 60_000;
const maxFileBytes = 128 * 1024 ** 2;

/**
 * Draws the relief of a match's own walks in a separate process, like `startRender`.
 * @returns its path; null when clips of the match use their map's
 * @throws as `startRender`
 */
export async function startRelief(job: ReliefJob, options: VideoChildOptions = {}): Promise<string | null> {
  options.signal?.throwIfAborted();
  const trackPath = absolute(job.trackPath);
  const mapFootprintsPath = job.mapFootprintsPath && absolute(job.mapFootprintsPath);
  const outputDirectory = absolute(job.outputDirectory);
  const { ground } = await runVideoChild(
    { ...job, trackPath, mapFootprintsPath, outputDirectory },
    {
      entry: options.entry ?? childProcessEntry("relief-process"),
      resultSchema: z.object({ ground: z.enum(["map", "match"]) }),
      outputDirectory,
      readable: [trackPath, ...(mapFootprintsPath ? [mapFootprintsPath] : [])],
      clipSeconds: seconds,
      maxFileBytes,
      niceness,
    },
    { standstillMs, ...options },
  );
  if (ground === "map") return null;
  const path = join(outputDirectory, drawnReliefFile);
  await fileBytes(path);
  return path;
}
