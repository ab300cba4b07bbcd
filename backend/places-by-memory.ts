import { totalmem } from "node:os";
import type { Logger } from "pino";
import type { Config } from "./config.ts";

const mebibyte = 1024 ** 2;

/**
 * The maximum for each job and its processes, with a margin. Resident memory of the children, measured on a match of 24 rounds: a render
 * with its encoder 700 MiB in 1080p and 650 upright; a parse 570 MiB, for a demo of 400 MB 780 (bench/analysis/README.md). Lighter jobs:
 * the pictures of a match 450 MiB, a loop with its encoder 340, a relief 290.
 */
export const takenBytes = {
  server: 512 * mebibyte,
  import: 1024 * mebibyte,
  render: 1024 * mebibyte,
  lighter: 512 * mebibyte,
};

type Places = Pick<Config, "IMPORT_WORKERS" | "RENDER_WORKERS">;

/** Memory for this process and its children: the limit of its container, else the machine's memory. */
export function allowedMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * The configured places, reduced, the larger number first, until all of them fit. At least one of each remains: a small machine works on
 * one at a time.
 * @param bytes available memory
 */
export function placesWithin(bytes: number, { IMPORT_WORKERS, RENDER_WORKERS }: Places): Places {
  const places = { IMPORT_WORKERS, RENDER_WORKERS };
  const taken = () =>
    takenBytes.server + places.IMPORT_WORKERS * takenBytes.import + places.RENDER_WORKERS * takenBytes.render;
  while (taken() > bytes && Math.max(places.IMPORT_WORKERS, places.RENDER_WORKERS) > 1) {
    places[places.RENDER_WORKERS >= places.IMPORT_WORKERS ? "RENDER_WORKERS" : "IMPORT_WORKERS"]--;
  }
  return places;
}

/** Kinds of lighter jobs (share files, loops, maps, reliefs, pictures), each of which runs one at a time. */
const lighterKinds = 5;

/**
 * How many of the lighter jobs run at once, of all kinds together, in the memory that imports and renders leave: at least one.
 * @param bytes available memory
 */
export function lighterJobsWithin(bytes: number, { IMPORT_WORKERS, RENDER_WORKERS }: Places): number {
  const taken = takenBytes.server + IMPORT_WORKERS * takenBytes.import + RENDER_WORKERS * takenBytes.render;
  return Math.min(lighterKinds, Math.max(1, Math.floor((bytes - taken) / takenBytes.lighter)));
}

/** The configuration reduced to as many jobs as fit into memory, with a line in the log if it is reduced. */
export function withinMemory(config: Config, log: Logger, bytes = allowedMemory()): Config {
  const places = placesWithin(bytes, config);
  const isCut = places.RENDER_WORKERS < config.RENDER_WORKERS || places.IMPORT_WORKERS < config.IMPORT_WORKERS;
  if (isCut) {
    const { IMPORT_WORKERS, RENDER_WORKERS } = config;
    log.warn(
      { memoryMebibytes: Math.round(bytes / mebibyte), configured: { IMPORT_WORKERS, RENDER_WORKERS }, taken: places },
      "fewer imports and renders at once than configured: the memory does not allow more",
    );
  }
  return { ...config, ...places };
}
