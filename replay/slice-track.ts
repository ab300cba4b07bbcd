import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import type { MatchRecord, PlayerIndex } from "./match-record.ts";
import { isWithin } from "./recorded-stretches.ts";
import {
  columnsOfVersion,
  crc32,
  magic,
  ReplayFormatError,
  readableVersions,
  type TrackLayout,
} from "./track-format.ts";

/** A stretch of ticks, both ends inclusive. */
export interface TickSpan {
  startTick: number;
  endTick: number;
}

/** Events this long before a span can still show in it: smokes, trails, kills in the feed. */
const memorySeconds = 30;
/** Samples beyond the span on both sides, for curves between them. */
const marginSeconds = 1;

/**
 * The part of a replay track from which some spans of its match are drawn: windows are copied verbatim, without decoding,
 * and the record is cut to what can be seen, heard or said in the spans. Rounds, players, teams and plants stay complete. Footprints are left out.
 * @param bytes what `encodeReplayTrack` wrote
 * @returns bytes that `decodeReplayTrack` reads
 * @throws ReplayFormatError for bytes that are no track
 */
export function sliceReplayTrack(bytes: Uint8Array, spans: readonly TickSpan[]): Uint8Array {
  const head = magic.length + 1;
  const version = bytes[magic.length] ?? 0;
  const isTrack = [...magic].every((letter, index) => letter.charCodeAt(0) === bytes[index]);
  if (!isTrack || bytes.length < head + 12 || !readableVersions.includes(version)) {
    throw new ReplayFormatError("it does not begin as one");
  }
  const end = bytes.length - 4;
  const reader = new ByteReader(bytes.subarray(0, end), head);
  const record = reader.readJson() as MatchRecord;
  const layout = reader.readJson() as TrackLayout;
  const numbersASample = columnsOfVersion(version).length;

  const margin = marginSeconds * record.tickRate;
  const all: (TickSpan & { layout: TrackLayout["windows"][number]; from: number; to: number })[] = [];
  let at = end - reader.remaining;
  for (const window of layout.windows) {
    const players = window.players.filter((names) => names !== null).length;
    const from = at;
    at = skipNumbers(bytes, at, end, players * numbersASample * window.sampleCount);
    const endTick = window.startTick + (window.sampleCount - 1) * window.tickStep;
    all.push({ layout: window, startTick: window.startTick, endTick, from, to: at });
  }
  // A stretch that one window contains is drawn from that window alone (`joinedWindow`).
  const kept = all.filter((window) =>
    spans.some((span) =>
      all.some((other) => isWithin(span, other))
        ? isWithin(span, window)
        : window.startTick <= span.endTick + margin && window.endTick >= span.startTick - margin,
    ),
  );

  const written = new ByteWriter();
  written.writeBytes(bytes.subarray(0, head));
  written.writeJson(sliceRecord(record, spans));
  written.writeJson({
    sampleRate: layout.sampleRate,
    windows: kept.map((window) => window.layout),
    footprintPoints: 0,
    footprintBreaks: 0,
    placeNames: [],
  } satisfies TrackLayout);
  for (const { from, to } of kept) written.writeBytes(bytes.subarray(from, to));
  written.writeUint32(crc32(written.written()));
  return written.written();
}

/** @returns where the numbers end */
function skipNumbers(bytes: Uint8Array, from: number, end: number, count: number): number {
  let at = from;
  for (let left = count; left > 0; at++) {
    if (at >= end) throw new ReplayFormatError("it ends too early");
    if ((bytes[at] ?? 0) < 0x80) left--;
  }
  return at;
}

function sliceRecord(record: MatchRecord, spans: readonly TickSpan[]): MatchRecord {
  const before = memorySeconds * record.tickRate;
  const after = marginSeconds * record.tickRate;
  const meets = (from: number, to: number) =>
    spans.some(({ startTick, endTick }) => to >= startTick - before && from <= endTick + after);
  const isNear = ({ tick }: { tick: number }) => meets(tick, tick);
  const rounds = record.rounds.filter((round) => meets(round.startTick, round.officialEndTick));
  const isOfRound = (event: { round: number }) => rounds.some(({ number }) => number === event.round);
  const roundAt = (tick: number) => rounds.find((round) => tick >= round.startTick && tick <= round.officialEndTick);
  const joinedLate = (player: PlayerIndex, tick: number) =>
    roundAt(tick)?.aliveAtFreezeEnd.every((living) => !living.includes(player)) ?? false;
  return {
    ...record,
    kills: record.kills.filter(isOfRound),
    deaths: record.deaths.filter(isOfRound),
    // Late joiners are recognised by what they do in the round (`roundLives`).
    shots: record.shots.filter((shot) => isNear(shot) || joinedLate(shot.player, shot.tick)),
    // The total damage of a kill goes back to the round's beginning.
    damages: record.damages.filter((damage) => isNear(damage) || roundAt(damage.tick) !== undefined),
    blinds: record.blinds.filter(isNear),
    // Sites are derived from all plants of the match.
    bomb: record.bomb.filter(({ kind, tick }) => kind === "planted" || roundAt(tick) !== undefined),
    grenades: record.grenades.filter(({ throwTick, expireTick }) => meets(throwTick, expireTick)),
  };
}
