import { expect, test } from "vitest";
import { type PlayerSamples, type ReplayTrack, SampleFlag, type TrackWindow } from "./replay-track.ts";
import { stateAt, windowAt } from "./sample-track.ts";

const living = SampleFlag.present | SampleFlag.alive;

function samplesOf(x: number[], changes: Partial<PlayerSamples> = {}): PlayerSamples {
  const n = x.length;
  return {
    x: Float32Array.from(x),
    y: new Float32Array(n),
    z: new Float32Array(n),
    yaw: new Float32Array(n),
    pitch: new Float32Array(n),
    health: new Uint8Array(n).fill(100),
    armor: new Uint8Array(n),
    flags: new Uint8Array(n).fill(living),
    weapon: new Uint8Array(n),
    ammoClip: new Uint8Array(n).fill(30),
    ammoReserve: new Uint16Array(n).fill(90),
    money: new Uint16Array(n).fill(800),
    grenades: new Uint8Array(n),
    weaponNames: ["ak47"],
    ...changes,
  };
}

function windowOf(startTick: number, ...players: (PlayerSamples | null)[]): TrackWindow {
  const sampleCount = players.find((samples) => samples)?.x.length ?? 4;
  return { startTick, tickStep: 2, sampleCount, endTick: startTick + (sampleCount - 1) * 2, players };
}

test("on a sample's tick the state is that sample", () => {
  const window = windowOf(1000, samplesOf([0, 8, 20, 24]));
  const state = stateAt(window, 0, 1004);
  expect(state).toMatchObject({ x: 20, health: 100, alive: true, weapon: "ak47", ammoClip: 30, money: 800 });
});

test("a steady walk stays steady between samples", () => {
  const window = windowOf(1000, samplesOf([0, 8, 16, 24]));
  for (const [tick, x] of [
    [1002.5, 10],
    [1003, 12],
    [1003.75, 15],
  ] as const) {
    expect(stateAt(window, 0, tick)?.x).toBeCloseTo(x, 6);
  }
});

test("a curve is followed more closely than straight lines would", () => {
  const radius = 100;
  const circle = (tick: number) => radius * Math.sin(tick / 8);
  const window = windowOf(0, samplesOf([0, 2, 4, 6, 8, 10].map(circle)));
  const straight = (circle(4) + circle(6)) / 2;
  const error = Math.abs((stateAt(window, 0, 5)?.x ?? 0) - circle(5));
  expect(error).toBeLessThan(Math.abs(straight - circle(5)) / 4);
});

test("angles turn the shorter way across ±180", () => {
  const yaw = Float32Array.from([170, -170, 0, 0]);
  const window = windowOf(0, samplesOf([0, 0, 0, 0], { yaw }));
  expect(Math.abs(stateAt(window, 0, 1)?.yaw ?? 0)).toBeCloseTo(180, 4);
  expect(stateAt(window, 0, 0.5)?.yaw).toBeCloseTo(175, 4);
  expect(stateAt(window, 0, 1.5)?.yaw).toBeCloseTo(-175, 4);
});

test("a respawn is a jump, not a glide", () => {
  const window = windowOf(0, samplesOf([0, 0, 2000, 2000]));
  expect(stateAt(window, 0, 3)?.x).toBe(0);
  expect(stateAt(window, 0, 3.99)?.x).toBe(0);
  expect(stateAt(window, 0, 4)?.x).toBe(2000);
  expect(stateAt(window, 0, 5)?.x).toBe(2000);
});

test("the dead stay where they fell and absent players have no state", () => {
  const flags = Uint8Array.from([living, SampleFlag.present, SampleFlag.present, 0]);
  const window = windowOf(0, samplesOf([0, 8, 16, 24], { flags }), null);
  expect(stateAt(window, 0, 1)).toMatchObject({ x: 0, alive: true });
  expect(stateAt(window, 0, 3)).toMatchObject({ x: 8, alive: false });
  expect(stateAt(window, 0, 6)).toBeNull();
  expect(stateAt(window, 1, 0)).toBeNull();
});

test("what has no magazine and empty hands read as null", () => {
  const window = windowOf(
    0,
    samplesOf([0, 0], { weapon: Uint8Array.from([255, 255]), ammoClip: Uint8Array.from([255, 255]) }),
  );
  expect(stateAt(window, 0, 0)).toMatchObject({ weapon: null, ammoClip: null });
});

test("ticks before and after a window read its ends", () => {
  const window = windowOf(1000, samplesOf([1, 2, 3, 4]));
  expect(stateAt(window, 0, 0)?.x).toBe(1);
  expect(stateAt(window, 0, 9999)?.x).toBe(4);
});

test("windowAt finds the window of a tick and nothing between windows", () => {
  const windows = [windowOf(100, samplesOf([0, 0, 0])), windowOf(200, samplesOf([0, 0, 0]))];
  const track = { windows } as ReplayTrack;
  expect(windowAt(track, 99)).toBeNull();
  expect(windowAt(track, 100)).toBe(windows[0]);
  expect(windowAt(track, 105.9)).toBe(windows[0]);
  expect(windowAt(track, 150)).toBeNull();
  expect(windowAt(track, 204)).toBe(windows[1]);
  expect(windowAt(track, 206)).toBeNull();
});
