import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { readTrackOutline, type TrackOutline } from "../../replay/track-outline.ts";
import type { Services } from "../services.ts";
import { BlobMissingError } from "../storage/blob-store.ts";

const maxTrackBytes = 64 * 1024 ** 2;

/** What a stored track says of its match. @returns null when it is gone */
export async function readStoredOutline({ blobs }: Services, key: string): Promise<TrackOutline | null> {
  try {
    const stored = await blobs.read(key);
    const packed = new Uint8Array(await new Response(stored as unknown as BodyInit).arrayBuffer());
    return readTrackOutline(await promisify(gunzip)(packed, { maxOutputLength: maxTrackBytes }));
  } catch (error) {
    if (error instanceof BlobMissingError) return null;
    throw error;
  }
}
