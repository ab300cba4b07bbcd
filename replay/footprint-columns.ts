import type { ByteReader } from "./byte-reader.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { cut } from "./cut-text.ts";
import type { Footprints } from "./replay-track.ts";
import { type FootprintCounts, maxPlaceNames } from "./track-format.ts";

export function footprintCounts({ xyz, breaks, places }: Footprints): FootprintCounts {
  return { footprintPoints: xyz.length / 3, footprintBreaks: breaks.length, placeNames: places?.names ?? [] };
}

/** x, y and z each, the breaks, and their places, if places are named: all as differences to the value before. */
export function writeFootprints(bytes: ByteWriter, { xyz, breaks, places }: Footprints): void {
  for (let axis = 0; axis < 3; axis++) bytes.writeDifferences(xyz, axis, 3);
  bytes.writeDifferences(breaks, 0, 1);
  if (places && places.names.length > 0) bytes.writeDifferences(places.ofFootprint, 0, 1);
}

/** @throws ReplayFormatError */
export function readFootprints(reader: ByteReader, counts: FootprintCounts): Footprints {
  const { footprintPoints, footprintBreaks, placeNames = [] } = counts;
  reader.requireAtLeast(footprintPoints * 3 + footprintBreaks);
  const xyz = new Int16Array(footprintPoints * 3);
  for (let axis = 0; axis < 3; axis++) reader.readDifferences(xyz, axis, 3);
  const breaks = new Uint32Array(footprintBreaks);
  reader.readDifferences(breaks, 0, 1);
  const names = placeNames.map(cut);
  if (names.length === 0) return { xyz, breaks };
  reader.requireAtLeast(footprintPoints);
  const ofFootprint = new Uint8Array(footprintPoints);
  reader.readDifferences(ofFootprint, 0, 1);
  return { xyz, breaks, places: { names, ofFootprint } };
}

export function isFootprintCounts({ footprintPoints, footprintBreaks, placeNames = [] }: FootprintCounts): boolean {
  const isCount = (count: unknown) => Number.isSafeInteger(count) && (count as number) >= 0;
  return (
    isCount(footprintPoints) &&
    isCount(footprintBreaks) &&
    Array.isArray(placeNames) &&
    placeNames.length <= maxPlaceNames &&
    placeNames.every((name) => typeof name === "string")
  );
}
