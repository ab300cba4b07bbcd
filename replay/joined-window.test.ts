import { expect, test } from "vitest";
import { joinedWindow } from "./joined-window.ts";
import type { MatchRecord } from "./match-record.ts";
import { recordedStretches } from "./recorded-stretches.ts";
import { type PlayerSamples, SampleFlag, type TrackWindow } from "./replay-track.ts";
import { stateAt } from "./sample-track.ts";

const record = { tickRate: 64 } as MatchRecord;

interface Course {
  x: (tick: number) => number;
  yaw: (tick: number) => number;
  isAlive?: (tick: number) => boolean;
}

/** A window of one player who goes a given way. */
function windowOf(startTick: number, tickStep: number, sampleCount: number, course: Course): TrackWindow {
  const ticks = Array.from({ length: sampleCount }, (_, index) => startTick + index * tickStep);
  const zeros = () => new Float32Array(sampleCount);
  const bytes = (value: number) => new Uint8Array(sampleCount).fill(value);
  const samples: PlayerSamples = {
    ...{ x: Float32Array.from(ticks, course.x), y: zeros(), z: zeros(), pitch: zeros() },
    yaw: Float32Array.from(ticks, course.yaw),
    flags: Uint8Array.from(
      ticks,
      (tick) => SampleFlag.present | (course.isAlive?.(tick) === false ? 0 : SampleFlag.alive),
    ),
    ...{ health: bytes(tickStep), armor: bytes(0), weapon: bytes(0), ammoClip: bytes(0), grenades: bytes(0) },
    ...{ ammoReserve: new Uint16Array(sampleCount), money: new Uint16Array(sampleCount) },
    weaponNames: [`every ${tickStep} ticks`],
  };
  return { startTick, tickStep, sampleCount, endTick: startTick + (sampleCount - 1) * tickStep, players: [samples] };
}

/** At the full rate to tick 200, an eighth of a second between samples to 600, then the full rate again. */
const windowsOf = (course: Course) => [
  windowOf(0, 2, 101, course),
  windowOf(200, 8, 51, course),
  windowOf(597, 2, 102, course),
];

test("a stretch that one window holds is left to it", () => {
  const windows = windowsOf({ x: () => 0, yaw: () => 0 });
  expect(joinedWindow({ windows, record }, { startTick: 20, endTick: 180 })).toBeNull();
  expect(joinedWindow({ windows, record }, { startTick: 250, endTick: 550 })).toBeNull();
  const apart = [windowOf(0, 2, 50, { x: () => 0, yaw: () => 0 }), windowOf(300, 2, 50, { x: () => 0, yaw: () => 0 })];
  expect(joinedWindow({ windows: apart, record }, { startTick: 50, endTick: 350 })).toBeNull();
});

test("windows that touch become one at the highest rate, with a margin, and within what is recorded", () => {
  const windows = windowsOf({ x: () => 0, yaw: () => 0 });
  expect(recordedStretches(windows)).toEqual([{ startTick: 0, endTick: 799 }]);
  const joined = joinedWindow({ windows, record }, { startTick: 100, endTick: 700 })!;
  expect(joined).toMatchObject({ startTick: 36, tickStep: 2 });
  expect(joined.endTick).toBeGreaterThanOrEqual(762);
  const atEnds = joinedWindow({ windows, record }, { startTick: 0, endTick: 799 })!;
  expect(atEnds.startTick).toBe(0);
  expect(atEnds.endTick).toBe(798);
});

test("who runs in a curve is drawn where he ran, at one speed over the borders of windows", () => {
  const x = (tick: number) => 500 * Math.sin(tick / 100);
  const windows = windowsOf({ x, yaw: () => 0 });
  const joined = joinedWindow({ windows, record }, { startTick: 10, endTick: 780 })!;
  for (let tick = 20; tick < 770; tick++) {
    expect(Math.abs(stateAt(joined, 0, tick)!.x - x(tick))).toBeLessThan(1);
    const speed = stateAt(joined, 0, tick + 1)!.x - stateAt(joined, 0, tick)!.x;
    expect(Math.abs(speed - (x(tick + 1) - x(tick)))).toBeLessThan(0.5);
  }
});

test("a crosshair that is flicked and stops does not swing over, and turns the shorter way across 180 degrees", () => {
  const yaw = (tick: number) => (tick < 400 ? 170 : -130);
  const windows = windowsOf({ x: () => 0, yaw });
  const joined = joinedWindow({ windows, record }, { startTick: 100, endTick: 780 })!;
  const turned = Array.from({ length: 300 }, (_, index) => (stateAt(joined, 0, 300 + index)!.yaw + 360) % 360);
  for (const [index, degrees] of turned.entries()) {
    expect(degrees).toBeGreaterThanOrEqual((turned[index - 1] ?? 170) - 1e-3);
    expect(degrees).toBeLessThanOrEqual(230 + 1e-3);
  }
  expect(turned.filter((degrees) => degrees > 171 && degrees < 229).length).toBeGreaterThan(3);
});

test("nobody glides to where they come to life again, and what is in hand steps with the samples", () => {
  const course = {
    x: (tick: number) => (tick < 400 ? 0 : 3000),
    yaw: () => 0,
    isAlive: (tick: number) => tick < 392 || tick >= 400,
  };
  const joined = joinedWindow({ windows: windowsOf(course), record }, { startTick: 100, endTick: 780 })!;
  for (let tick = 300; tick < 500; tick++) expect([0, 3000]).toContain(stateAt(joined, 0, tick)!.x);
  expect(stateAt(joined, 0, 395)!.alive).toBe(false);
  expect([150, 300, 700].map((tick) => stateAt(joined, 0, tick)!.weapon)).toEqual([
    "every 2 ticks",
    "every 8 ticks",
    "every 2 ticks",
  ]);
});
