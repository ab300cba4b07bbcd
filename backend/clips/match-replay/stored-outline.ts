import { readTrackOutline, type TrackOutline } from "../../../replay/track-outline.ts";
import type { Services } from "../../services.ts";
import { withUnpackedTrack } from "./unpacked-track.ts";

/**
 * What a stored track says of its match.
 * @param readerId the user who is to see it
 * @returns null when it is gone
 * @throws OverloadedError when too many tracks are being read
 */
export function readStoredOutline(services: Services, key: string, readerId: number): Promise<TrackOutline | null> {
  return withUnpackedTrack(services, key, String(readerId), readTrackOutline);
}
