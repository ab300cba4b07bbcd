import { readTrackOutline, type TrackOutline } from "../../../replay/track-outline.ts";
import type { Services } from "../../services.ts";
import { withUnpackedTrack } from "./unpacked-track.ts";

/**
 * Reads the outline of a match from its stored track.
 * @param readerId the user who asked
 * @returns null when it is gone
 * @throws OverloadedError when too many tracks are being read
 */
export function readStoredOutline(services: Services, key: string, readerId: number): Promise<TrackOutline | null> {
  return withUnpackedTrack(services, key, String(readerId), readTrackOutline);
}
