import { ByteReader } from "../replay/byte-reader.ts";
import { ByteWriter } from "../replay/byte-writer.ts";
import { int16At, uint8At } from "../replay/checked-reads.ts";
import type { MatchRecord } from "../replay/match-record.ts";
import { type Footprints, noPlace } from "../replay/replay-track.ts";
import { crc32, ReplayFormatError } from "../replay/track-format.ts";
import type { MapImage } from "./display-list.ts";
import { type Callout, callouts, nearestFootprint } from "./places.ts";
import type { Relief } from "./relief/build-relief.ts";
import type { WalkableGrid } from "./relief/walkable-grid.ts";

/**
 * The ground of a match as a browser needs it to draw clips: the relief without its pictures, which are separate files, the names on
 * the map, and those footprints that say where somebody was killed.
 */
export interface PackedGround extends Pick<Relief, "projection" | "floorHeight"> {
  floors: { grid: WalkableGrid; image: Pick<MapImage, "key" | "width" | "height"> }[];
  footprints: Footprints;
  callouts: Callout[];
}

const magic = "CCGR";
/** Version 1 had twice the steps, decks, and heights where nobody can be. */
const version = 2;
const stepsOfVersion: Readonly<Record<number, number>> = { 1: 2, 2: 1 };
/** Steps of a world unit. */
const steps = 1;
/** Beyond this distance from the edge, in world units, drawing needs neither the distance nor the ground's height. */
const farthest = 48;

interface GroundHead extends Pick<Relief, "projection" | "floorHeight"> {
  floors: {
    grid: Pick<WalkableGrid, "columns" | "rows" | "cell" | "west" | "north">;
    /** Of version 1. */
    hasDeck?: boolean;
    image: Pick<MapImage, "key" | "width" | "height">;
  }[];
  callouts: Callout[];
  /** x, y, z and the place's name. */
  footprints: [number, number, number, string][];
}

/**
 * As bytes: "CCGR", version (1 byte), length (4 bytes, little-endian) and head as JSON, then every floor's distances to its edge and its
 * heights in whole units, as differences to what their neighbours let expect, and the CRC-32 of everything before. A field is off by
 * half a unit at most. Heights are written where somebody can be; beyond, the one beside is repeated. Decks are left out: the picture
 * of the ground shows them, and nothing else of a frame asks for them.
 * @param footprints those that the relief was drawn of
 */
export function packGround(
  { projection, floorHeight, floors }: Relief,
  footprints: Footprints,
  record: Pick<MatchRecord, "kills">,
): Uint8Array {
  const bytes = new ByteWriter();
  bytes.writeBytes(new TextEncoder().encode(magic));
  bytes.writeByte(version);
  bytes.writeJson({
    projection,
    floorHeight,
    floors: floors.map(({ grid: { columns, rows, cell, west, north }, image: { key, width, height } }) => ({
      grid: { columns, rows, cell, west, north },
      image: { key, width, height },
    })),
    callouts: callouts(footprints),
    footprints: killPlaces(footprints, record),
  } satisfies GroundHead);
  for (const { grid } of floors) {
    const edge = stepped(grid.edgeDistance.map((value) => Math.max(-farthest, Math.min(farthest, value))));
    writeField(bytes, edge, grid.columns);
    writeField(bytes, stepped(grid.height), grid.columns, edge);
  }
  bytes.writeUint32(crc32(bytes.written()));
  return bytes.written();
}

/** @throws ReplayFormatError for foreign, cut or damaged bytes, and for other versions */
export function unpackGround(bytes: Uint8Array): PackedGround {
  const headAt = magic.length + 1;
  const end = bytes.length - 4;
  const isGround = [...magic].every((letter, index) => letter.charCodeAt(0) === bytes[index]);
  const written = bytes[magic.length] ?? 0;
  const stepsOf = stepsOfVersion[written];
  if (!isGround || bytes.length < headAt + 8 || !stepsOf) {
    throw new ReplayFormatError("it does not begin as the ground of a match");
  }
  const stored = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(end, true);
  if (crc32(bytes.subarray(0, end)) !== stored) throw new ReplayFormatError("it is damaged");
  const reader = new ByteReader(bytes.subarray(0, end), headAt);
  const head = reader.readJson() as GroundHead;
  const floors = head.floors.map(({ grid, hasDeck, image }) => {
    const read = (edge?: Int32Array) => readField(reader, grid, edge);
    const edge = read();
    const height = read(written > 1 ? edge : undefined);
    if (hasDeck) for (const skip of [read, read]) skip();
    const units = (field: Int32Array) => Float32Array.from(field, (value) => value / stepsOf);
    return { grid: { ...grid, edgeDistance: units(edge), height: units(height), deck: null }, image };
  });
  const { projection, floorHeight } = head;
  return { projection, floorHeight, floors, footprints: footprintsOf(head.footprints), callouts: head.callouts };
}

/** Of the footprints those that are nearest to where somebody killed or was killed: for all others nobody asks. */
function killPlaces(footprints: Footprints, { kills }: Pick<MatchRecord, "kills">): GroundHead["footprints"] {
  const { xyz, places } = footprints;
  if (!places) return [];
  const asked = kills.flatMap(({ attackerPosition, victimPosition }) => [attackerPosition, victimPosition]);
  const nearest = new Set(
    asked.flatMap((position) => (position ? nearestFootprint(footprints, ...position) : [])).filter((i) => i >= 0),
  );
  return [...nearest].map((i) => {
    const name = places.names[uint8At(places.ofFootprint, i)] ?? "";
    return [int16At(xyz, i * 3), int16At(xyz, i * 3 + 1), int16At(xyz, i * 3 + 2), name];
  });
}

function footprintsOf(kept: GroundHead["footprints"]): Footprints {
  const names = [...new Set(kept.map(([, , , name]) => name).filter(Boolean))];
  return {
    xyz: new Int16Array(kept.flatMap(([x, y, z]) => Array.of(x, y, z))),
    breaks: new Uint32Array(0),
    places: {
      names,
      ofFootprint: Uint8Array.from(kept, ([, , , name]) => (name ? names.indexOf(name) : noPlace)),
    },
  };
}

const stepped = (field: Float32Array) => Int32Array.from(field, (value) => Math.round(value * steps));

/** What left, upper and upper left neighbour let expect of a plane. */
function expected(field: Int32Array, at: number, columns: number): number {
  const column = at % columns;
  const left = column > 0 ? (field[at - 1] ?? 0) : 0;
  const above = at >= columns ? (field[at - columns] ?? 0) : 0;
  if (column === 0) return above;
  return at >= columns ? left + above - (field[at - columns - 1] ?? 0) : left;
}

/** Where nobody can be, the value beside is repeated. */
function beside(field: Int32Array, at: number, columns: number): number {
  return field[at % columns > 0 ? at - 1 : at - columns] ?? 0;
}

const isFarOutside = (edge: Int32Array | undefined, at: number) =>
  edge !== undefined && (edge[at] ?? 0) <= -farthest * steps;

/** @param edge distances to the edge in steps: far outside nothing is written */
function writeField(bytes: ByteWriter, own: Int32Array, columns: number, edge?: Int32Array): void {
  const field = own.slice();
  for (let at = 0; at < field.length; at++) {
    if (isFarOutside(edge, at)) field[at] = beside(field, at, columns);
    else bytes.writeSigned((field[at] ?? 0) - expected(field, at, columns));
  }
}

/** What `writeField` wrote, in steps. */
function readField(reader: ByteReader, grid: { columns: number; rows: number }, edge?: Int32Array): Int32Array {
  const { columns, rows } = grid;
  const cells = columns * rows;
  reader.requireAtLeast(edge ? edge.reduce((sum, _, at) => sum + (isFarOutside(edge, at) ? 0 : 1), 0) : cells);
  const field = new Int32Array(cells);
  for (let at = 0; at < cells; at++) {
    field[at] = isFarOutside(edge, at)
      ? beside(field, at, columns)
      : reader.readSigned() + expected(field, at, columns);
  }
  return field;
}
