import { ByteReader } from "./byte-reader.ts";
import { cut } from "./cut-text.ts";
import { isFootprintCounts, readFootprints } from "./footprint-columns.ts";
import type { MatchRecord } from "./match-record.ts";
import type { PlayerSamples, ReplayTrack, TrackWindow } from "./replay-track.ts";
import {
  angleSteps,
  columnsOfVersion,
  crc32,
  magic,
  positionSteps,
  ReplayFormatError,
  readableVersions,
  type SampleColumn,
  type TrackLayout,
  type WindowLayout,
} from "./track-format.ts";

/**
 * Reads what `encodeReplayTrack` wrote.
 *
 * Every number in the bytes costs at least one of them, so nothing is allocated that the bytes could not fill.
 * @throws ReplayFormatError for foreign, cut or damaged bytes, and for other versions of the format
 */
export function decodeReplayTrack(bytes: Uint8Array): ReplayTrack {
  const head = magic.length + 1;
  if (bytes.length < head + 12 || [...magic].some((letter, index) => letter.charCodeAt(0) !== bytes[index])) {
    throw new ReplayFormatError("it does not begin as one");
  }
  const version = bytes[magic.length] ?? 0;
  if (!readableVersions.includes(version)) throw new ReplayFormatError(`it has version ${version}`);
  const end = bytes.length - 4;
  const stored = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(end, true);
  if (crc32(bytes.subarray(0, end)) !== stored) throw new ReplayFormatError("it is damaged");

  const reader = new ByteReader(bytes.subarray(0, end), head);
  const record = checkedRecord(reader.readJson());
  const layout = checkedLayout(reader.readJson(), record);
  const windows = layout.windows.map((window) => readWindow(reader, window, columnsOfVersion(version)));
  const footprints = readFootprints(reader, layout);
  if (reader.remaining !== 0) throw new ReplayFormatError("it goes on after its end");
  return { record, sampleRate: layout.sampleRate, windows, footprints };
}

function readWindow(reader: ByteReader, layout: WindowLayout, columns: readonly SampleColumn[]): TrackWindow {
  const { startTick, tickStep, sampleCount } = layout;
  const players = layout.players.map((weaponNames): PlayerSamples | null => {
    if (!weaponNames) return null;
    reader.requireAtLeast(sampleCount * columns.length);
    const samples: PlayerSamples = {
      x: new Float32Array(sampleCount),
      y: new Float32Array(sampleCount),
      z: new Float32Array(sampleCount),
      yaw: new Float32Array(sampleCount),
      pitch: new Float32Array(sampleCount),
      health: new Uint8Array(sampleCount),
      armor: new Uint8Array(sampleCount),
      flags: new Uint8Array(sampleCount),
      weapon: new Uint8Array(sampleCount),
      ammoClip: new Uint8Array(sampleCount),
      ammoReserve: new Uint16Array(sampleCount),
      money: new Uint16Array(sampleCount),
      grenades: new Uint8Array(sampleCount),
      weaponNames: weaponNames.map(cut),
    };
    for (const column of columns) readColumn(reader, samples, column, sampleCount);
    return samples;
  });
  return { startTick, tickStep, sampleCount, endTick: startTick + (sampleCount - 1) * tickStep, players };
}

function readColumn(reader: ByteReader, samples: PlayerSamples, column: SampleColumn, count: number): void {
  const values = samples[column.name];
  let step = 0;
  for (let index = 0; index < count; index++) {
    step += reader.readSigned();
    if (column.kind === "angle") {
      step = (step << 16) >> 16;
      values[index] = (step * 360) / angleSteps;
    } else {
      values[index] = column.kind === "position" ? step / positionSteps : step;
    }
  }
}

/** The record is trusted beyond its outline: the check sum says that it is what we wrote. */
function checkedRecord(value: unknown): MatchRecord {
  const record = value as MatchRecord | null;
  const lists = ["players", "rounds", "kills", "deaths", "shots", "damages", "blinds", "bomb", "grenades"] as const;
  if (record?.version !== 1 || lists.some((list) => !Array.isArray(record[list]))) {
    throw new ReplayFormatError("its match record is of another kind");
  }
  cutTexts(record);
  return record;
}

/** Tracks live for two years, and those of the first demos hold texts as long as the demo had them. */
function cutTexts(record: MatchRecord): void {
  record.map = cut(record.map);
  record.rawMap = cut(record.rawMap);
  record.gameMode = cut(record.gameMode);
  record.serverName = cut(record.serverName);
  for (const named of [...record.players, ...(record.teams ?? [])]) named.name = cut(named.name);
  for (const used of [...record.kills, ...record.shots, ...record.damages]) used.weapon = cut(used.weapon);
}

function checkedLayout(value: unknown, record: MatchRecord): TrackLayout {
  const layout = value as TrackLayout | null;
  const isCount = (count: unknown) => Number.isSafeInteger(count) && (count as number) >= 0;
  const isWindow = (window: WindowLayout | null) =>
    Number.isFinite(window?.startTick) &&
    Number.isFinite(window?.tickStep) &&
    isCount(window?.sampleCount) &&
    Array.isArray(window?.players) &&
    window.players.length === record.players.length &&
    window.players.every((names) => names === null || (Array.isArray(names) && names.every(isText)));
  const isText = (name: unknown) => typeof name === "string";
  if (
    !layout ||
    !Number.isFinite(layout.sampleRate) ||
    !isFootprintCounts(layout) ||
    !Array.isArray(layout.windows) ||
    !layout.windows.every(isWindow)
  ) {
    throw new ReplayFormatError("its layout makes no sense");
  }
  return layout;
}
