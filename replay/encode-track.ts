import type { PlayerSamples, ReplayTrack } from "./replay-track.ts";
import {
  angleSteps,
  crc32,
  type FootprintColumn,
  formatVersion,
  magic,
  positionSteps,
  type SampleColumn,
  sampleColumns,
  type TrackLayout,
} from "./track-format.ts";

/**
 * A replay track as bytes; the format is described in `track-format.ts`. Positions are rounded to 1/4 unit, angles to
 * 1/65536 of a turn, everything else is kept exactly.
 */
export function encodeReplayTrack(track: ReplayTrack): Uint8Array {
  const { places } = track.footprints;
  const layout: TrackLayout = {
    sampleRate: track.sampleRate,
    windows: track.windows.map(({ startTick, tickStep, sampleCount, players }) => ({
      startTick,
      tickStep,
      sampleCount,
      players: players.map((samples) => samples?.weaponNames ?? null),
    })),
    footprintPoints: track.footprints.xyz.length / 3,
    footprintBreaks: track.footprints.breaks.length,
    placeNames: places?.names ?? [],
  };
  const bytes = new ByteWriter();
  bytes.writeBytes(new TextEncoder().encode(magic));
  bytes.writeByte(formatVersion);
  bytes.writeJson(track.record);
  bytes.writeJson(layout);
  for (const window of track.windows) {
    for (const samples of window.players) {
      if (samples) for (const column of sampleColumns) writeColumn(bytes, samples, column, window.sampleCount);
    }
  }
  for (let axis = 0; axis < 3; axis++) writeDifferences(bytes, track.footprints.xyz, axis, 3);
  writeDifferences(bytes, track.footprints.breaks, 0, 1);
  if (places && places.names.length > 0) writeDifferences(bytes, places.ofFootprint, 0, 1);
  bytes.writeUint32(crc32(bytes.written()));
  return bytes.written();
}

function writeColumn(bytes: ByteWriter, samples: PlayerSamples, column: SampleColumn, count: number): void {
  const values = samples[column.name];
  let before = 0;
  for (let index = 0; index < count; index++) {
    const value = values[index] ?? 0;
    if (column.kind === "angle") {
      const step = Math.round((value * angleSteps) / 360);
      // The shorter way round: differences stay small across ±180°.
      bytes.writeSigned(((step - before) << 16) >> 16);
      before = step;
    } else {
      const step = column.kind === "position" ? Math.round(value * positionSteps) : value;
      bytes.writeSigned(step - before);
      before = step;
    }
  }
}

function writeDifferences(bytes: ByteWriter, values: FootprintColumn, start: number, stride: number): void {
  let before = 0;
  for (let index = start; index < values.length; index += stride) {
    bytes.writeSigned(values[index]! - before);
    before = values[index]!;
  }
}

/** Bytes that grow as they are written. */
class ByteWriter {
  private bytes = new Uint8Array(1 << 16);
  private length = 0;

  written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  writeByte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  writeBytes(values: Uint8Array): void {
    this.reserve(values.length);
    this.bytes.set(values, this.length);
    this.length += values.length;
  }

  writeUint32(value: number): void {
    this.reserve(4);
    new DataView(this.bytes.buffer).setUint32(this.length, value, true);
    this.length += 4;
  }

  writeJson(value: unknown): void {
    const text = new TextEncoder().encode(JSON.stringify(value));
    this.writeUint32(text.length);
    this.writeBytes(text);
  }

  /** A 32-bit number: the sign in the lowest bit, then 7 bits a byte, the lowest first. */
  writeSigned(value: number): void {
    this.reserve(5);
    let rest = ((value << 1) ^ (value >> 31)) >>> 0;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count));
    grown.set(this.bytes);
    this.bytes = grown;
  }
}
