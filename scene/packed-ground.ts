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
 * The ground of a match as a browser needs it to draw clips: the relief without its pictures, which come as pictures, the names on
 * the map, and of the footprints those that say where somebody was killed.
 */
export interface PackedGround extends Pick<Relief, "projection" | "floorHeight"> {
  floors: { grid: WalkableGrid; image: Pick<MapImage, "key" | "width" | "height"> }[];
  footprints: Footprints;
  callouts: Callout[];
}

const magic = "CCGR";
const version = 1;
/** Steps of a world unit. */
const steps = 2;
/** Farther outside than this, in world units, nobody asks how far. */
const farthestOutside = 64;

interface GroundHead extends Pick<Relief, "projection" | "floorHeight"> {
  floors: {
    grid: Pick<WalkableGrid, "columns" | "rows" | "cell" | "west" | "north">;
    hasDeck: boolean;
    image: Pick<MapImage, "key" | "width" | "height">;
  }[];
  callouts: Callout[];
  /** x, y, z and the place's name. */
  footprints: [number, number, number, string][];
}

/**
 * As bytes: "CCGR", version (1 byte), length (4 bytes, little-endian) and head as JSON, then every floor's fields in half units, as
 * differences to what its neighbours let expect, and the CRC-32 of everything before. A field is off by a quarter of a unit at most.
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
    floors: floors.map(({ grid: { columns, rows, cell, west, north, deck }, image: { key, width, height } }) => ({
      grid: { columns, rows, cell, west, north },
      hasDeck: deck !== null,
      image: { key, width, height },
    })),
    callouts: callouts(footprints),
    footprints: killPlaces(footprints, record),
  } satisfies GroundHead);
  for (const { grid } of floors) for (const field of fieldsOf(grid)) writeField(bytes, field, grid.columns);
  bytes.writeUint32(crc32(bytes.written()));
  return bytes.written();
}

/** @throws ReplayFormatError for foreign, cut or damaged bytes, and for other versions */
export function unpackGround(bytes: Uint8Array): PackedGround {
  const headAt = magic.length + 1;
  const end = bytes.length - 4;
  const isGround = [...magic].every((letter, index) => letter.charCodeAt(0) === bytes[index]);
  if (!isGround || bytes.length < headAt + 8 || bytes[magic.length] !== version) {
    throw new ReplayFormatError("it does not begin as the ground of a match");
  }
  const stored = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(end, true);
  if (crc32(bytes.subarray(0, end)) !== stored) throw new ReplayFormatError("it is damaged");
  const reader = new ByteReader(bytes.subarray(0, end), headAt);
  const head = reader.readJson() as GroundHead;
  const floors = head.floors.map(({ grid, hasDeck, image }) => {
    const read = () => readField(reader, grid);
    const [edgeDistance, height] = [read(), read()];
    const deck = hasDeck ? { edgeDistance: read(), height: read() } : null;
    return { grid: { ...grid, edgeDistance, height, deck }, image };
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

function fieldsOf({ edgeDistance, height, deck }: WalkableGrid): Float32Array[] {
  const bounded = (field: Float32Array) => field.map((value) => Math.max(value, -farthestOutside));
  return [bounded(edgeDistance), height, ...(deck ? [bounded(deck.edgeDistance), deck.height] : [])];
}

/** What left, upper and upper left neighbour let expect of a plane. */
function expected(field: Int32Array, at: number, columns: number): number {
  const column = at % columns;
  const left = column > 0 ? (field[at - 1] ?? 0) : 0;
  const above = at >= columns ? (field[at - columns] ?? 0) : 0;
  if (column === 0) return above;
  return at >= columns ? left + above - (field[at - columns - 1] ?? 0) : left;
}

function writeField(bytes: ByteWriter, field: Float32Array, columns: number): void {
  const rounded = Int32Array.from(field, (value) => Math.round(value * steps));
  for (let at = 0; at < rounded.length; at++) bytes.writeSigned((rounded[at] ?? 0) - expected(rounded, at, columns));
}

function readField(reader: ByteReader, { columns, rows }: { columns: number; rows: number }): Float32Array {
  reader.requireAtLeast(columns * rows);
  const rounded = new Int32Array(columns * rows);
  for (let at = 0; at < rounded.length; at++) rounded[at] = reader.readSigned() + expected(rounded, at, columns);
  return Float32Array.from(rounded, (value) => value / steps);
}
