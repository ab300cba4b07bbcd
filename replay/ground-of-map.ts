import type { MapFootprints } from "./map-footprints.ts";
import type { ReplayTrack } from "./replay-track.ts";
import { shareNear, walkedCells } from "./walked-space.ts";

/** Side of the cells, in world units, by which a match is compared with its map. */
const comparedCell = 32;
/** A match walks on its map when so much of where it walked is near what the map's matches walked. */
const leastShare = 0.97;

/**
 * Whether a match is drawn on what was walked in many matches of its map. Not when it walked elsewhere: another version of the
 * map, an odd match, or too few matches so far.
 */
export function walksOnMap({ record, footprints }: ReplayTrack, map: MapFootprints): boolean {
  if (record.rawMap !== map.rawMap || footprints.xyz.length === 0) return false;
  return shareNear(walkedCells(footprints, comparedCell), walkedCells(map.footprints, comparedCell)) >= leastShare;
}
