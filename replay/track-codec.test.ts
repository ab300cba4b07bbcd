import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeReplayTrack } from "./decode-track.ts";
import { encodeReplayTrack } from "./encode-track.ts";
import type { MatchRecord } from "./match-record.ts";
import type { PlayerSamples, ReplayTrack, TrackWindow } from "./replay-track.ts";
import { crc32, ReplayFormatError } from "./track-format.ts";

const names = fc.string({ unit: "grapheme", maxLength: 32 });

function recordOf(playerNames: string[]): MatchRecord {
  return {
    version: 1,
    map: "de_mirage",
    rawMap: "workshop/1/de_mirage",
    tickRate: 64,
    firstTick: 1,
    lastTick: 100_000,
    gameMode: "Matchmaking",
    serverName: "",
    teams: [
      { name: "A", score: 13, firstSide: "CT" },
      { name: "B", score: 7, firstSide: "T" },
    ],
    players: playerNames.map((name, index) => ({
      steamId: `7656119999990000${index}`,
      name,
      team: index % 2 === 0 ? 0 : 1,
      isBot: false,
    })),
    rounds: [],
    kills: [],
    deaths: [],
    shots: [{ tick: 5, player: 0, weapon: "ak47", yaw: 12.5 }],
    damages: [],
    blinds: [],
    bomb: [],
    grenades: [],
  };
}

const numbers = (count: number, min: number, max: number) =>
  fc.array(fc.double({ min, max, noNaN: true }), { minLength: count, maxLength: count });
const whole = (count: number, max: number) =>
  fc.array(fc.integer({ min: 0, max }), { minLength: count, maxLength: count });

function samplesOf(count: number): fc.Arbitrary<PlayerSamples> {
  return fc
    .record({
      x: numbers(count, -16384, 16384),
      y: numbers(count, -16384, 16384),
      z: numbers(count, -16384, 16384),
      yaw: numbers(count, -180, 180),
      pitch: numbers(count, -90, 90),
      health: whole(count, 255),
      armor: whole(count, 255),
      flags: whole(count, 255),
      weapon: whole(count, 255),
      ammoClip: whole(count, 255),
      ammoReserve: whole(count, 65535),
      money: whole(count, 65535),
      grenades: whole(count, 63),
      weaponNames: fc.array(names, { maxLength: 4 }),
    })
    .map((values) => ({
      x: Float32Array.from(values.x),
      y: Float32Array.from(values.y),
      z: Float32Array.from(values.z),
      yaw: Float32Array.from(values.yaw),
      pitch: Float32Array.from(values.pitch),
      health: Uint8Array.from(values.health),
      armor: Uint8Array.from(values.armor),
      flags: Uint8Array.from(values.flags),
      weapon: Uint8Array.from(values.weapon),
      ammoClip: Uint8Array.from(values.ammoClip),
      ammoReserve: Uint16Array.from(values.ammoReserve),
      money: Uint16Array.from(values.money),
      grenades: Uint8Array.from(values.grenades),
      weaponNames: values.weaponNames,
    }));
}

function emptySamples(count: number): PlayerSamples {
  return {
    x: new Float32Array(count),
    y: new Float32Array(count),
    z: new Float32Array(count),
    yaw: new Float32Array(count),
    pitch: new Float32Array(count),
    health: new Uint8Array(count),
    armor: new Uint8Array(count),
    flags: new Uint8Array(count),
    weapon: new Uint8Array(count),
    ammoClip: new Uint8Array(count),
    ammoReserve: new Uint16Array(count),
    money: new Uint16Array(count),
    grenades: new Uint8Array(count),
    weaponNames: [],
  };
}

function windowOf(players: number): fc.Arbitrary<TrackWindow> {
  return fc
    .record({ startTick: fc.integer({ min: 0, max: 500_000 }), sampleCount: fc.integer({ min: 1, max: 40 }) })
    .chain(({ startTick, sampleCount }) =>
      fc.array(fc.option(samplesOf(sampleCount)), { minLength: players, maxLength: players }).map((samples) => ({
        startTick,
        tickStep: 2,
        sampleCount,
        endTick: startTick + (sampleCount - 1) * 2,
        players: samples,
      })),
    );
}

const tracks: fc.Arbitrary<ReplayTrack> = fc.array(names, { minLength: 1, maxLength: 4 }).chain((playerNames) =>
  fc.record({
    record: fc.constant(recordOf(playerNames)),
    sampleRate: fc.constant(32),
    windows: fc.array(windowOf(playerNames.length), { maxLength: 3 }),
    footprints: fc
      .record({
        values: fc.array(fc.integer({ min: -10_000, max: 10_000 }), { maxLength: 60 }),
        placeNames: fc.array(names, { maxLength: 3 }),
        places: whole(20, 255),
      })
      .map(({ values, placeNames, places }) => {
        const xyz = Int16Array.from(values.slice(0, values.length - (values.length % 3)));
        const breaks = Uint32Array.from(values.slice(0, 3).map(Math.abs));
        if (placeNames.length === 0) return { xyz, breaks };
        return {
          xyz,
          breaks,
          places: { names: placeNames, ofFootprint: Uint8Array.from(places.slice(0, xyz.length / 3)) },
        };
      }),
  }),
);

const angleBetween = (a: number, b: number) => Math.abs(((((a - b + 180) % 360) + 360) % 360) - 180);

test("what is decoded is what was encoded, positions to 1/8 unit and angles to 0.003 degrees", () => {
  fc.assert(
    fc.property(tracks, (track) => {
      const decoded = decodeReplayTrack(encodeReplayTrack(track));
      expect(decoded.record).toEqual(track.record);
      expect(decoded.footprints).toEqual(track.footprints);
      expect(decoded.windows.map(({ players, ...window }) => window)).toEqual(
        track.windows.map(({ players, ...window }) => window),
      );
      track.windows.forEach((window, w) => {
        window.players.forEach((samples, p) => {
          const got = decoded.windows[w]!.players[p]!;
          if (!samples) {
            expect(got).toBeNull();
            return;
          }
          const { x, y, z, yaw, pitch, ...exact } = samples;
          expect(got).toMatchObject(exact);
          for (let index = 0; index < window.sampleCount; index++) {
            for (const axis of ["x", "y", "z"] as const) {
              expect(Math.abs(got[axis][index]! - samples[axis][index]!)).toBeLessThanOrEqual(0.126);
            }
            for (const angle of ["yaw", "pitch"] as const) {
              expect(angleBetween(got[angle][index]!, samples[angle][index]!)).toBeLessThan(0.003);
            }
          }
        });
      });
    }),
    { numRuns: 60 },
  );
});

test("encoding what was decoded gives the same bytes", () => {
  fc.assert(
    fc.property(tracks, (track) => {
      const bytes = encodeReplayTrack(track);
      expect(encodeReplayTrack(decodeReplayTrack(bytes))).toEqual(bytes);
    }),
    { numRuns: 30 },
  );
});

test("cut bytes are refused", () => {
  fc.assert(
    fc.property(tracks, fc.double({ min: 0, max: 0.9999, noNaN: true }), (track, part) => {
      const bytes = encodeReplayTrack(track);
      expect(() => decodeReplayTrack(bytes.subarray(0, Math.floor(bytes.length * part)))).toThrow(ReplayFormatError);
    }),
    { numRuns: 60 },
  );
});

test("a flipped bit is noticed wherever it is", () => {
  fc.assert(
    fc.property(tracks, fc.nat(), (track, place) => {
      const bytes = encodeReplayTrack(track).slice();
      const bit = place % (bytes.length * 8);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => decodeReplayTrack(bytes)).toThrow(ReplayFormatError);
    }),
    { numRuns: 100 },
  );
});

test("foreign bytes are refused", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(() => decodeReplayTrack(bytes)).toThrow(ReplayFormatError);
    }),
  );
});

/** Bytes with a right check sum around hostile contents. */
function forged(layout: unknown, record: unknown = recordOf(["a"])): Uint8Array {
  const texts = [record, layout].map((value) => new TextEncoder().encode(JSON.stringify(value)));
  const length = 5 + texts.reduce((sum, text) => sum + 4 + text.length, 0) + 4;
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  bytes.set([0x43, 0x43, 0x52, 0x54, 1]);
  let at = 5;
  for (const text of texts) {
    view.setUint32(at, text.length, true);
    bytes.set(text, at + 4);
    at += 4 + text.length;
  }
  view.setUint32(at, crc32(bytes.subarray(0, at)), true);
  return bytes;
}

test.each([
  ["a window of a billion samples", { windows: [{ startTick: 0, tickStep: 2, sampleCount: 1e9, players: [[]] }] }],
  ["a negative count", { windows: [{ startTick: 0, tickStep: 2, sampleCount: -1, players: [[]] }] }],
  [
    "players that are not in the record",
    { windows: [{ startTick: 0, tickStep: 2, sampleCount: 0, players: [null, null] }] },
  ],
  ["a billion footprints", { windows: [], footprintPoints: 1e9 }],
  ["no windows at all", { windows: null }],
  ["more places than a byte can tell", { windows: [], placeNames: Array.from({ length: 256 }, String) }],
  ["places that are no names", { windows: [], placeNames: [7] }],
  ["places of footprints that are not there", { windows: [], footprintPoints: 1, placeNames: ["A"] }],
])("%s allocate nothing and are refused", (_, changes) => {
  const layout = { sampleRate: 32, footprintPoints: 0, footprintBreaks: 0, ...changes };
  expect(() => decodeReplayTrack(forged(layout))).toThrow(ReplayFormatError);
});

test("a record of another kind is refused", () => {
  const layout = { sampleRate: 32, footprintPoints: 0, footprintBreaks: 0, windows: [] };
  expect(decodeReplayTrack(forged(layout)).windows).toEqual([]);
  expect(() => decodeReplayTrack(forged(layout, { version: 2 }))).toThrow(ReplayFormatError);
  expect(() => decodeReplayTrack(forged(layout, null))).toThrow(ReplayFormatError);
});

test("a track of before places were kept is read, and has none", () => {
  const layout = { sampleRate: 32, footprintPoints: 0, footprintBreaks: 0, windows: [] };
  const bytes = forged(layout);
  expect(bytes[4]).toBe(1);
  expect(decodeReplayTrack(bytes).footprints).toEqual({ xyz: new Int16Array(), breaks: new Uint32Array() });
});

test("footprints of before places were kept are read as they were", () => {
  const track: ReplayTrack = {
    record: recordOf(["a"]),
    sampleRate: 32,
    windows: [],
    footprints: { xyz: Int16Array.from([1, 2, 3, -4, 5, 6]), breaks: Uint32Array.from([0]) },
  };
  const bytes = encodeReplayTrack(track).slice();
  // Without places the versions differ by their number and an empty list in the layout, which version 1 does not look at.
  bytes[4] = 1;
  const end = bytes.length - 4;
  new DataView(bytes.buffer).setUint32(end, crc32(bytes.subarray(0, end)), true);
  expect(decodeReplayTrack(bytes).footprints).toEqual(track.footprints);
});

test("a track of before grenades were kept is read, and nobody holds any", () => {
  const one = { ...emptySamples(1), health: Uint8Array.of(87), money: Uint16Array.of(4300) };
  const track: ReplayTrack = {
    record: recordOf(["a"]),
    sampleRate: 32,
    windows: [{ startTick: 64, endTick: 64, tickStep: 2, sampleCount: 1, players: [one] }],
    footprints: { xyz: new Int16Array(), breaks: new Uint32Array() },
  };
  const written = encodeReplayTrack(track);
  // One sample without grenades and no footprints: the column is the byte before the check sum.
  const bytes = new Uint8Array([...written.slice(0, -5), 0, 0, 0, 0]);
  bytes[4] = 2;
  const end = bytes.length - 4;
  new DataView(bytes.buffer).setUint32(end, crc32(bytes.subarray(0, end)), true);
  expect(decodeReplayTrack(bytes).windows).toEqual(track.windows);
  bytes[4] = 3;
  new DataView(bytes.buffer).setUint32(end, crc32(bytes.subarray(0, end)), true);
  expect(() => decodeReplayTrack(bytes)).toThrow(ReplayFormatError);
});

test("a later version is named in the error", () => {
  const bytes = forged({ sampleRate: 32, footprintPoints: 0, footprintBreaks: 0, windows: [] });
  bytes[4] = 9;
  expect(() => decodeReplayTrack(bytes)).toThrow("version 9");
});

test("texts of any length in a track of before they were bounded are cut when it is read", () => {
  const long = "🦊".repeat(300_000);
  const record = recordOf([long, "b"]);
  const kill = { tick: 5, round: 1, attacker: 0, victim: 1, weapon: long } as MatchRecord["kills"][number];
  const old: ReplayTrack = {
    record: {
      ...record,
      map: long,
      rawMap: long,
      serverName: long,
      kills: [kill],
      shots: [{ ...record.shots[0]!, weapon: long }],
    },
    sampleRate: 32,
    windows: [],
    footprints: { xyz: new Int16Array(), breaks: new Uint32Array() },
  };
  const read = decodeReplayTrack(encodeReplayTrack(old)).record;
  expect(JSON.stringify(read).length).toBeLessThan(10_000);
  expect(read.map).toBe("🦊".repeat(512));
  expect(read.players[1]?.name).toBe("b");
});
