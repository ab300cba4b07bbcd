import { int16At, itemAt, uint8At } from "../replay/checked-reads.ts";
import type { Footprints } from "../replay/replay-track.ts";
import type { PlayerState } from "../replay/sample-track.ts";
import { placeName } from "./place-names.ts";

/** World units. */
type Place = Pick<PlayerState, "x" | "y" | "z">;

/** A position farther than this from every footprint, in world units, has no place. */
const farthestFootprint = 250;
/** Heights count more: something above another place is a different place. */
const heightWeight = 2;
/** A part of the map with fewer footprints gets no name on the ground. */
const fewestFootprints = 24;

/** The name of somebody's place: that of the nearest footprint. Null if the track has none. */
export function placeAt(footprints: Footprints, { x, y, z }: Place): string | null {
  const { places } = footprints;
  if (!places) return null;
  const name = places.names[places.ofFootprint[nearestFootprint(footprints, x, y, z)] ?? -1];
  return name ? placeName(name) || null : null;
}

/** The index of the footprint nearest to a point in world units; -1 when none is near. */
export function nearestFootprint({ xyz }: Footprints, x: number, y: number, z: number): number {
  let nearest = -1;
  let min = farthestFootprint ** 2;
  for (let i = 0; i < xyz.length / 3; i++) {
    const dx = int16At(xyz, i * 3) - x;
    const dy = int16At(xyz, i * 3 + 1) - y;
    const dz = (int16At(xyz, i * 3 + 2) - z) * heightWeight;
    const squared = dx * dx + dy * dy + dz * dz;
    if (squared >= min) continue;
    min = squared;
    nearest = i;
  }
  return nearest;
}

/** A named part of the map. */
export interface Callout extends Place {
  name: string;
  footprints: number;
}

/** The named parts of a map, the most walked first, each at the footprint nearest to its middle. */
export function callouts({ xyz, places }: Footprints): Callout[] {
  if (!places) return [];
  const sums = places.names.map(() => ({ x: 0, y: 0, z: 0, count: 0 }));
  const each = (visit: (place: number, at: Place) => void) => {
    for (let i = 0; i < places.ofFootprint.length; i++) {
      const place = uint8At(places.ofFootprint, i);
      if (place >= sums.length) continue;
      visit(place, { x: int16At(xyz, i * 3), y: int16At(xyz, i * 3 + 1), z: int16At(xyz, i * 3 + 2) });
    }
  };
  each((place, { x, y, z }) => {
    const sum = itemAt(sums, place);
    sum.x += x;
    sum.y += y;
    sum.z += z;
    sum.count++;
  });
  const nearest = sums.map(() => ({ squared: Number.POSITIVE_INFINITY, x: 0, y: 0, z: 0 }));
  each((place, { x, y, z }) => {
    const sum = itemAt(sums, place);
    const squared =
      (x - sum.x / sum.count) ** 2 + (y - sum.y / sum.count) ** 2 + ((z - sum.z / sum.count) * heightWeight) ** 2;
    const best = itemAt(nearest, place);
    if (squared < best.squared) nearest[place] = { squared, x, y, z };
  });
  return places.names
    .map((name, i) => {
      const { x, y, z } = itemAt(nearest, i);
      return { name: placeName(name), x, y, z, footprints: itemAt(sums, i).count };
    })
    .filter(({ name, footprints }) => name !== "" && footprints >= fewestFootprints)
    .sort((a, b) => b.footprints - a.footprints);
}
