import type { Config } from "../config.ts";
import { Places } from "../jobs/places.ts";

/**
 * Imports in hand at once in one process, most of them waiting for a place below. Waiting costs little, and whoever waits for
 * nothing, like an import of the sample, is not behind those who do.
 */
export const importsAtOnce = 64;

/** Of those in hand, so many at most are automatic: half of what may be downloaded stays for what players press for. */
export function automaticImportsAtOnce({ IMPORT_DOWNLOADS }: Pick<Config, "IMPORT_DOWNLOADS">): number {
  return Math.max(1, Math.floor(IMPORT_DOWNLOADS / 2));
}

/** What imports of one process share. */
export interface ImportPlaces {
  /** For a downloaded demo on the disk, from its first byte until it is parsed and stored. Key: the host. */
  downloads: Places;
  /** For unpacking and parsing, which take a processor and much memory. */
  parses: Places;
}

export function openImportPlaces({ IMPORT_DOWNLOADS, IMPORT_WORKERS }: Config): ImportPlaces {
  // A processor that parses does not wait for the network as long as others download meanwhile.
  const downloads = Math.max(IMPORT_DOWNLOADS, 2 * IMPORT_WORKERS);
  return {
    // One slow host holds half of them at most.
    downloads: new Places(downloads, Math.ceil(downloads / 2)),
    parses: new Places(IMPORT_WORKERS),
  };
}
