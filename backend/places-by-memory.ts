import { totalmem } from "node:os";
import type { Logger } from "pino";
import type { Config } from "./config.ts";

const mebibyte = 1024 ** 2;

/**
 * What each takes at most, with the processes it starts, with room. Resident memory of the children, measured on a match of 24 rounds: a
 * render with its encoder 700 MiB in 1080p and 650 upright; a parse 570 MiB, of a demo of 400 MB 780 (bench/analysis/README.md). Lighter jobs:
 * the pictures of a match 450 MiB, a loop with its encoder 340, a relief 290.
 */
export const takenBytes = {
  server: 512 * mebibyte,
  import: 1024 * mebibyte,
  render: 1024 * mebibyte,
  lighter: 512 * mebibyte,
};

type Places = Pick<Config, "IMPORT_WORKERS" | "RENDER_WORKERS">;

/** What this process and its children may use: the limit of its container, else the machine's memory. */
export function allowedMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * The configured places, or fewer of those of which there are more until all of them together fit. One of each that is configured stays:
 * a small machine works one by one rather than not at all.
 * @param bytes that may be used
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

/** Kinds of lighter jobs: share files, loops, maps, reliefs and pictures, one of each at a time. */
const lighterKinds = 5;

/**
 * How many of the lighter jobs go on at once, whatever their kind, in what imports and renders leave: at least one.
 * @param bytes that may be used
 */
export function lighterJobsWithin(bytes: number, { IMPORT_WORKERS, RENDER_WORKERS }: Places): number {
  const taken = takenBytes.server + IMPORT_WORKERS * takenBytes.import + RENDER_WORKERS * takenBytes.render;
  return Math.min(lighterKinds, Math.max(1, Math.floor((bytes - taken) / takenBytes.lighter)));
}

/** A configuration that takes no more work at once than the memory allows, with a line in the log where that is less than asked for. */
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
