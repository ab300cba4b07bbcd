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
 * Differences of neighbours are small and repeat, so that gzip or brotli over the whole makes it a third; compressing is
 * left to whoever stores or sends it.
 */
export const magic = "CCRT";
export const formatVersion = 3;
/** What is read: version 1 has no places, and up to version 2 nobody's grenades are told. */
export const readableVersions: readonly number[] = [1, 2, formatVersion];

/** How many footprints stand in the columns, and what their places are called. */
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

/** Characters (UTF-16) of a name in a track that is read: what writes tracks keeps to less. */
export const maxTextLength = 1024;

/** Numbers of footprints, kept as differences. */
export type FootprintColumn = Int16Array | Uint32Array | Uint8Array;

/** Names that footprints' places can have: one value of a byte means none. */
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

/** Bytes that are no replay track, a damaged one, or one of a version this program does not know. */
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

/** CRC-32 as gzip and PNG have it. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let index = 0; index < bytes.length; index++) crc = crcTable[(crc ^ bytes[index]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}
