import { expect, test } from "vitest";
import { decodeReplayTrack } from "./decode-track.ts";
import { encodeReplayTrack } from "./encode-track.ts";
import type { MatchRecord, RecordedRound } from "./match-record.ts";
import type { PlayerSamples, ReplayTrack } from "./replay-track.ts";
import { sliceReplayTrack } from "./slice-track.ts";
import { ReplayFormatError } from "./track-format.ts";

const round = (number: number, startTick: number): RecordedRound => ({
  number,
  startTick,
  freezeEndTick: startTick + 500,
  endTick: startTick + 9000,
  officialEndTick: startTick + 9500,
  finished: true,
  winner: 0,
  reason: "t_eliminated_ct",
  sides: ["CT", "T"],
  scoreBefore: [number - 1, 0],
  overtime: 0,
  aliveAtFreezeEnd: [[0], [1]],
});

function samples(count: number, seed: number): PlayerSamples {
  const floats = (scale: number) => Float32Array.from({ length: count }, (_, i) => Math.sin(i * seed) * scale);
  const bytes = () => Uint8Array.from({ length: count }, (_, i) => (i * seed) % 200);
  const words = () => Uint16Array.from({ length: count }, (_, i) => (i * seed * 91) % 16_000);
  return {
    ...{ x: floats(3000), y: floats(2000), z: floats(100), yaw: floats(179), pitch: floats(80) },
    ...{ health: bytes(), armor: bytes(), flags: bytes(), weapon: bytes(), ammoClip: bytes(), grenades: bytes() },
    ...{ ammoReserve: words(), money: words(), weaponNames: [`weapon ${seed}`] },
  };
}

const windowAt = (startTick: number, seed: number) => ({
  startTick,
  tickStep: 2,
  sampleCount: 300,
  endTick: startTick + 598,
  players: [samples(300, seed), null, samples(300, seed + 1)],
});

const event = (tick: number) => ({ tick, attacker: 0, victim: 1, round: tick < 10_000 ? 1 : 2 });
const ticks = [2000, 5000, 12_000];
const record = {
  ...{ version: 1, map: "de_test", rawMap: "de_test", tickRate: 64, firstTick: 0, lastTick: 20_000, gameMode: "" },
  serverName: "",
  teams: [
    { name: "", score: 1, firstSide: "CT" },
    { name: "", score: 1, firstSide: "T" },
  ],
  players: ["a", "b", "c"].map((name) => ({ steamId: null, name, team: 0, isBot: false })),
  rounds: [round(1, 100), round(2, 10_000)],
  kills: ticks.map((tick) => ({ ...event(tick), weapon: "ak47" })),
  deaths: ticks.map((tick) => ({ tick, round: event(tick).round, player: 1, cause: "kill" })),
  shots: ticks.map((tick) => ({ tick, player: 0, weapon: "ak47", yaw: 0 })),
  damages: ticks.map((tick) => ({ ...event(tick), weapon: "ak47" })),
  blinds: ticks.map((tick) => ({ tick, attacker: 0, victim: 1, seconds: 1 })),
  bomb: ticks.flatMap((tick) => [
    { tick, kind: "planted", player: 0, site: "A", hasKit: false, position: [0, 0, 0] },
    { tick, kind: "dropped", player: 0, site: null, hasKit: false, position: null },
  ]),
  grenades: ticks.map((tick) => ({
    throwTick: tick,
    detonateTick: tick,
    expireTick: tick + 900,
    path: [[tick, 0, 0, 0]],
  })),
} as unknown as MatchRecord;
const track: ReplayTrack = {
  record,
  sampleRate: 32,
  windows: [windowAt(1900, 3), windowAt(4900, 5), windowAt(11_900, 7)],
  footprints: { xyz: Int16Array.from([1, 2, 3]), breaks: Uint32Array.from([0]) },
};
const whole = encodeReplayTrack(track);

test("a slice has the windows of its spans bit by bit, and nothing that is not near them", () => {
  const decoded = decodeReplayTrack(whole);
  const slice = decodeReplayTrack(sliceReplayTrack(whole, [{ startTick: 12_000, endTick: 12_200 }]));
  expect(slice.windows).toEqual([decoded.windows[2]]);
  expect(slice.footprints.xyz).toHaveLength(0);
  expect(slice.record.rounds).toEqual(record.rounds);
  expect(slice.record.players).toEqual(record.players);
  for (const list of ["kills", "deaths", "shots", "damages", "blinds"] as const) {
    expect(slice.record[list].map(({ tick }) => tick)).toEqual([12_000]);
  }
  expect(slice.record.grenades.map(({ throwTick }) => throwTick)).toEqual([12_000]);
  // Sites are drawn where bombs were planted in any round.
  const bomb = slice.record.bomb.map(({ kind, tick }) => `${kind} ${tick}`);
  expect(bomb).toEqual(["planted 2000", "planted 5000", "planted 12000", "dropped 12000"]);
  expect(sliceReplayTrack(whole, [{ startTick: 12_000, endTick: 12_200 }]).length).toBeLessThan(whole.length / 2);
});

test("of a span's round a slice has all damage, and what those did who were not there when it began", () => {
  const early = { startTick: 2000, endTick: 2100 };
  const late = { startTick: 7000, endTick: 7100 };
  const shots = [0, 2].map((player) => ({ tick: 2000, player, weapon: "ak47", yaw: 0 }));
  const bytes = encodeReplayTrack({ ...track, record: { ...record, shots } });
  const sliced = (span: typeof early) => decodeReplayTrack(sliceReplayTrack(bytes, [span])).record;
  expect(sliced(late).damages.map(({ tick }) => tick)).toEqual([2000, 5000]);
  expect(sliced(late).shots.map(({ player }) => player)).toEqual([2]);
  expect(sliced(early).shots.map(({ player }) => player)).toEqual([0, 2]);
});

test("several spans give several windows, a span where nothing is recorded none", () => {
  const spans = [
    { startTick: 2000, endTick: 2100 },
    { startTick: 12_000, endTick: 12_100 },
  ];
  const slice = decodeReplayTrack(sliceReplayTrack(whole, spans));
  expect(slice.windows.map(({ startTick }) => startTick)).toEqual([1900, 11_900]);
  const none = decodeReplayTrack(sliceReplayTrack(whole, [{ startTick: 8000, endTick: 8100 }]));
  expect(none.windows).toEqual([]);
});

test("a span that one window holds is drawn from that alone; of windows that touch it has all it meets", () => {
  const touching = {
    ...track,
    windows: [windowAt(1900, 3), { ...windowAt(2498, 5), tickStep: 8, endTick: 2498 + 299 * 8 }, windowAt(4888, 7)],
  };
  const bytes = encodeReplayTrack(touching);
  const startsOf = (startTick: number, endTick: number) =>
    decodeReplayTrack(sliceReplayTrack(bytes, [{ startTick, endTick }])).windows.map((window) => window.startTick);
  expect(startsOf(1950, 2490)).toEqual([1900]);
  expect(startsOf(2400, 2600)).toEqual([1900, 2498]);
  expect(startsOf(2000, 5000)).toEqual([1900, 2498, 4888]);
});

test("bytes that are no track, or end too early, are refused", () => {
  const span = [{ startTick: 0, endTick: 1 }];
  expect(() => sliceReplayTrack(new Uint8Array(40), span)).toThrow(ReplayFormatError);
  expect(() => sliceReplayTrack(whole.subarray(0, whole.length - 3000), span)).toThrow(ReplayFormatError);
});
