import { resolve as absolute, join } from "node:path";
import { z } from "zod";
import { childProcessEntry } from "../child-process-entry.ts";
import { drawnReliefFile } from "./clip-ground.ts";
import type { ReliefJob } from "./relief-process.ts";
import { fileBytes, runVideoChild, type StartRenderOptions } from "./start-render.ts";

/** A clip requested meanwhile has priority; imports and pages always do. */
const niceness = 15;
/** Bounds its run time, which is seconds. */
const seconds = 60;
/** It reports nothing before it is done. */
const standstillMs = 5 * 60_000;
const maxFileBytes = 128 * 1024 ** 2;

/**
 * Draws the relief of a match's own walks in a separate process, like `startRender`.
 * @returns its path; null when clips of the match are drawn on its map
 * @throws as `startRender`
 */
export async function startRelief(job: ReliefJob, options: StartRenderOptions = {}): Promise<string | null> {
  options.signal?.throwIfAborted();
  const trackPath = absolute(job.trackPath);
  const mapFootprintsPath = job.mapFootprintsPath && absolute(job.mapFootprintsPath);
  const outputDirectory = absolute(job.outputDirectory);
  const { ground } = await runVideoChild(
    { ...job, trackPath, mapFootprintsPath, outputDirectory },
    {
      entry: options.entry ?? childProcessEntry("relief-process"),
      told: z.object({ ground: z.enum(["map", "match"]) }),
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
