import type { Services } from "../services.ts";
import { BlobMissingError } from "../storage/blob-store.ts";
import type { ClipRow } from "../storage/schema.ts";
import { mapFootprintsKey } from "./map-files.ts";

/** The footprints of the map that a clip was planned with; null when it has none, or they are gone. */
export async function openClipMap(
  { blobs, log }: Pick<Services, "blobs" | "log">,
  { id: clipId, map_hash: hash }: Pick<ClipRow, "map_hash"> & Partial<Pick<ClipRow, "id">>,
) {
  if (!hash) return null;
  try {
    return await blobs.openLocal(mapFootprintsKey(hash));
  } catch (error) {
    if (!(error instanceof BlobMissingError)) throw error;
    log.warn({ clipId, hash }, "the footprints of the map are gone: the clip is drawn on those of its match");
    return null;
  }
}
