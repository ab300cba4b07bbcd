import { resolve as absolute, join } from "node:path";
import { z } from "zod";
import { childProcessEntry } from "../child-process-entry.ts";
import { fileBytes, noResult, runVideoChild, type VideoChildOptions } from "../video/video-child.ts";
import { type MapJob, mapOutputs } from "./map-tasks.ts";

/** Nobody waits for it. */
const niceness = 17;
/** What bounds its time: it takes seconds. */
const seconds = 60;
const maxFileBytes = 256 * 1024 ** 2;

export type MapMerge = Omit<Extract<MapJob, { task: "merge" }>, "task">;
export type MapDrawing = Omit<Extract<MapJob, { task: "draw" }>, "task">;

/**
 * Merges the walks of a map's matches in a process of its own, for tracks are made of what strangers sent.
 * @returns where the file is, and of how many matches it is made; null when no match could be read
 * @throws as `startRender`
 */
export async function startMerge(
  { sources, outputDirectory }: MapMerge,
  options: VideoChildOptions,
): Promise<{ path: string; matches: number } | null> {
  const readable = sources.map(({ trackPath }) => absolute(trackPath));
  const job: MapJob = {
    task: "merge",
    sources: sources.map(({ importer }, i) => ({ trackPath: readable[i] ?? "", importer })),
    outputDirectory: absolute(outputDirectory),
  };
  const { matches } = await run(job, readable, mergedFrom(sources.length), options);
  if (matches === 0) return null;
  const path = join(job.outputDirectory, mapOutputs.footprints);
  await fileBytes(path);
  return { path, matches };
}

/**
 * Draws a map's reliefs from its footprints alone, in a process that has seen nothing else.
 * @returns where the files are, in the order of the frames
 * @throws as `startRender`
 */
export async function startMapDrawing(drawing: MapDrawing, options: VideoChildOptions): Promise<string[]> {
  const footprintsPath = absolute(drawing.footprintsPath);
  const outputDirectory = absolute(drawing.outputDirectory);
  await run({ task: "draw", ...drawing, footprintsPath, outputDirectory }, [footprintsPath], noResult, options);
  const paths = drawing.frames.map((frame) => join(outputDirectory, mapOutputs.relief(frame)));
  await Promise.all(paths.map(fileBytes));
  return paths;
}

/** Of as many matches as were given at most. */
const mergedFrom = (sources: number) => z.object({ matches: z.int().min(0).max(sources) });

function run<Result>(
  job: MapJob,
  readable: string[],
  resultSchema: z.ZodType<Result>,
  options: VideoChildOptions,
): Promise<Result> {
  return runVideoChild(
    job,
    {
      entry: options.entry ?? childProcessEntry("map-process"),
      resultSchema,
      outputDirectory: job.outputDirectory,
      readable,
      clipSeconds: seconds,
      maxFileBytes,
      niceness,
    },
    // Merging and drawing say nothing in between.
    { standstillMs: 10 * 60_000, ...options },
  );
}
