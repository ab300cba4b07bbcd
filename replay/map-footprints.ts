import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { cut } from "./cut-text.ts";
import { footprintCounts, isFootprintCounts, readFootprints, writeFootprints } from "./footprint-columns.ts";
import type { Footprints } from "./replay-track.ts";
import { crc32, type FootprintCounts, ReplayFormatError } from "./track-format.ts";

/** Where players of many matches walked on a map. */
export interface MapFootprints {
  /** As demos name it (`rawMap` of the match record), with the folder of the workshop. */
  rawMap: string;
  /** How many matches have their walks in it. */
  matches: number;
  footprints: Footprints;
}

const magic = "CCMF";
const formatVersion = 1;

/**
 * As bytes, little-endian: "CCMF", version (1 byte), length (4 bytes) and layout as JSON, the columns of the footprints as in
 * a replay track, CRC-32 of everything before (4 bytes). The same footprints are the same bytes.
 */
export function encodeMapFootprints({ rawMap, matches, footprints }: MapFootprints): Uint8Array {
  const bytes = new ByteWriter();
  bytes.writeBytes(new TextEncoder().encode(magic));
  bytes.writeByte(formatVersion);
  bytes.writeJson({ rawMap, matches, ...footprintCounts(footprints) });
  writeFootprints(bytes, footprints);
  bytes.writeUint32(crc32(bytes.written()));
  return bytes.written();
}

/** @throws ReplayFormatError for foreign, cut or damaged bytes, and for other versions of the format */
export function decodeMapFootprints(bytes: Uint8Array): MapFootprints {
  const head = magic.length + 1;
  if (bytes.length < head + 8 || [...magic].some((letter, index) => letter.charCodeAt(0) !== bytes[index])) {
    throw new ReplayFormatError("it does not begin as the footprints of a map");
  }
  if (bytes[magic.length] !== formatVersion) throw new ReplayFormatError(`it has version ${bytes[magic.length]}`);
  const end = bytes.length - 4;
  const stored = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(end, true);
  if (crc32(bytes.subarray(0, end)) !== stored) throw new ReplayFormatError("it is damaged");
  const reader = new ByteReader(bytes.subarray(0, end), head);
  const layout = reader.readJson() as (Pick<MapFootprints, "rawMap" | "matches"> & FootprintCounts) | null;
  if (!layout || !Number.isSafeInteger(layout.matches) || !isFootprintCounts(layout)) {
    throw new ReplayFormatError("its layout makes no sense");
  }
  const footprints = readFootprints(reader, layout);
  if (reader.remaining !== 0) throw new ReplayFormatError("it goes on after its end");
  return { rawMap: cut(layout.rawMap), matches: layout.matches, footprints };
}
