import { ByteWriter } from "./byte-writer.ts";
import { footprintCounts, writeFootprints } from "./footprint-columns.ts";
import type { PlayerSamples, ReplayTrack } from "./replay-track.ts";
import {
  angleSteps,
  crc32,
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
  const layout: TrackLayout = {
    sampleRate: track.sampleRate,
    windows: track.windows.map(({ startTick, tickStep, sampleCount, players }) => ({
      startTick,
      tickStep,
      sampleCount,
      players: players.map((samples) => samples?.weaponNames ?? null),
    })),
    ...footprintCounts(track.footprints),
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
  writeFootprints(bytes, track.footprints);
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
