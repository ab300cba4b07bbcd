import type { PlayerSamples } from "./replay-track.ts";

/**
 * The replay track as bytes, all numbers little-endian:
 *
 *     "CCRT"  version (1 byte)
 *     length (4 bytes), the match record as JSON
 *     length (4 bytes), the layout as JSON (`TrackLayout`)
 *     columns: for each window, player and column of `sampleColumns`, one variable-length integer a sample, then the
 *              footprints — x, y and z each, the breaks, and their places, if places are named — all as differences to
 *              the value before
 *     CRC-32 of everything before (4 bytes)
 *
 * Differences between neighbours are small and repeat, so gzip or brotli reduces the whole to a third; compression is
 * left to the code that stores or sends it.
 */
export const magic = "CCRT";
export const formatVersion = 3;
/** Versions that can be read: version 1 has no places, and versions 1 and 2 have no grenades. */
export const readableVersions: readonly number[] = [1, 2, formatVersion];

/** The number of footprints in the columns, and the names of their places. */
export interface FootprintCounts {
  footprintPoints: number;
  footprintBreaks: number;
  /** Absent in version 1 of the track. */
  placeNames?: string[];
}

/** What the columns contain. */
export interface TrackLayout extends FootprintCounts {
  sampleRate: number;
  windows: WindowLayout[];
}

export interface WindowLayout {
  startTick: number;
  tickStep: number;
  sampleCount: number;
  /** Weapon names of every player; null where they are absent throughout. */
  players: (string[] | null)[];
}

/** Longest name (UTF-16 characters) accepted when reading a track; the writers' limits are lower. */
export const maxTextLength = 1024;

/** Numbers of footprints, kept as differences. */
export type FootprintColumn = Int16Array | Uint32Array | Uint8Array;

/** Most names of places: one value of the byte means none. */
export const maxPlaceNames = 255;

/** Steps of a world unit. */
export const positionSteps = 4;
/** Steps of a full turn. */
export const angleSteps = 65536;

type SampleArray = {
  [Name in keyof PlayerSamples]: PlayerSamples[Name] extends string[] ? never : Name;
}[keyof PlayerSamples];

export interface SampleColumn {
  name: SampleArray;
  kind: "position" | "angle" | "count";
}

/** The columns of a player's samples in the order they are stored. */
export const sampleColumns: readonly SampleColumn[] = [
  { name: "flags", kind: "count" },
  { name: "x", kind: "position" },
  { name: "y", kind: "position" },
  { name: "z", kind: "position" },
  { name: "yaw", kind: "angle" },
  { name: "pitch", kind: "angle" },
  { name: "health", kind: "count" },
  { name: "armor", kind: "count" },
  { name: "weapon", kind: "count" },
  { name: "ammoClip", kind: "count" },
  { name: "ammoReserve", kind: "count" },
  { name: "money", kind: "count" },
  { name: "grenades", kind: "count" },
];

/** The columns that a version of the track has. */
export function columnsOfVersion(version: number): readonly SampleColumn[] {
  return version < 3 ? sampleColumns.filter(({ name }) => name !== "grenades") : sampleColumns;
}

/** The bytes are not a replay track, are damaged, or have a version that this program does not know. */
export class ReplayFormatError extends Error {
  constructor(reason: string) {
    super(`Not a readable replay track: ${reason}.`);
    this.name = "ReplayFormatError";
  }
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc >>> 0;
});

/** CRC-32 as in gzip and PNG. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let index = 0; index < bytes.length; index++) crc = crcTable[(crc ^ bytes[index]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}
