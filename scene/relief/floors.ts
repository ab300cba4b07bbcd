import { int16At } from "../../replay/checked-reads.ts";
import type { Footprints } from "../../replay/replay-track.ts";

/**
 * World z below which a point belongs to the lower floor, for maps whose own radar has two images.
 * Source: Valve's overview files as collected by awpy, cs-demo-manager and cs2-map-icons (snapshots of July 2026).
 */
const knownFloorHeights: Readonly<Record<string, number>> = {
  ar_baggage: -5,
  cs_militia: 25,
  de_boulder: 62,
  de_nuke: -495,
  de_palais: 103,
  de_thera: -4,
  de_vertigo: 11700,
};

const columnSize = 64;
/** A player is 72 units tall: two walks closer than this above each other are stairs or a box, not two floors. */
const floorGap = 110;
const minOverlap = 0.035;

/**
 * The height that divides a map into two floors, or null when one floor is enough.
 *
 * Every 64-unit column in which people walked at two heights votes for all heights between; there are two floors when
 * enough of the columns agree (nuke 12 %, vertigo 4 %, mirage 1.6 %, the others below).
 */
export function floorHeight(footprints: Footprints, map: string): number | null {
  const columns = new Map<number, number[]>();
  const { xyz } = footprints;
  for (let i = 0; i < xyz.length; i += 3) {
    const key = Math.floor(int16At(xyz, i) / columnSize) * 65536 + Math.floor(int16At(xyz, i + 1) / columnSize);
    const z = int16At(xyz, i + 2);
    const heights = columns.get(key);
    if (heights) heights.push(z);
    else columns.set(key, [z]);
  }
  const votes = new Map<number, number>();
  for (const heights of columns.values()) {
    heights.sort((a, b) => a - b);
    let below = Number.POSITIVE_INFINITY;
    for (const above of heights) {
      if (above - below > floorGap) {
        for (let z = Math.ceil((below + 8) / 16) * 16; z < above - 8; z += 16) votes.set(z, (votes.get(z) ?? 0) + 1);
      }
      below = above;
    }
  }
  let best: number | null = null;
  let max = 0;
  for (const [z, count] of votes) {
    if (count > max || (count === max && best !== null && z < best)) {
      max = count;
      best = z;
    }
  }
  if (best === null || max < columns.size * minOverlap) return null;
  return knownFloorHeights[map] ?? best;
}
