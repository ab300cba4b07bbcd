import type { Config } from "../config.ts";
import { Places } from "../jobs/places.ts";

/**
 * Imports that one process runs at once, most of which wait for a place below. Waiting costs little, and an import that needs no download,
 * such as that of the sample, does not wait behind the others.
 */
export const importsAtOnce = 64;

/** How many of them may be automatic: half of the downloads stay free for imports that players request. */
export function automaticImportsAtOnce({ IMPORT_DOWNLOADS }: Pick<Config, "IMPORT_DOWNLOADS">): number {
  return Math.max(1, Math.floor(IMPORT_DOWNLOADS / 2));
}

/** Places that the imports of one process share. */
export interface ImportPlaces {
  /** Places for downloaded demos on the disk, from the first byte until they are parsed and stored. Key: the host. */
  downloads: Places;
  /** Places for unpacking and parsing, which take a processor and much memory. */
  parses: Places;
}

export function openImportPlaces({ IMPORT_DOWNLOADS, IMPORT_WORKERS }: Config): ImportPlaces {
  // Twice as many as parse, so that parsing does not wait for the network.
  const downloads = Math.max(IMPORT_DOWNLOADS, 2 * IMPORT_WORKERS);
  return {
    // A slow host takes half of them at most.
    downloads: new Places(downloads, Math.ceil(downloads / 2)),
    parses: new Places(IMPORT_WORKERS),
  };
}
