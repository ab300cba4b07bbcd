import { readTrackOutline, type TrackOutline } from "../../replay/track-outline.ts";
import type { Services } from "../services.ts";
import { withUnpackedTrack } from "./unpacked-track.ts";

/**
 * What a stored track says of its match.
 * @param reader by default all who read this track together
 * @returns null when it is gone
 * @throws OverloadedError when too many tracks are being read
 */
export function readStoredOutline(services: Services, key: string, reader = key): Promise<TrackOutline | null> {
  return withUnpackedTrack(services, key, reader, readTrackOutline);
}
