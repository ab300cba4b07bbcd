import { expect, test } from "vitest";
import type { ClipCaption, ClipSegment } from "../replay/clip-spec.ts";
import type { MatchRecord } from "../replay/match-record.ts";
import { freezeEndTick, killAt, syntheticTrack, tickRate, walkedArea } from "./testing/synthetic-track.ts";
import { planTimeMap, type TimeMap } from "./time-map.ts";

const framesPerSecond = 60;
const start = freezeEndTick + 100;
const yard = walkedArea(-60, -60, 60, 60);
const cast = ["Nova", "dune", "ember", "flint", "gale"].map((name, i) => ({
  name,
  team: (i === 0 ? 0 : 1) as 0 | 1,
  pose: { x: 0, y: 0 },
}));

/** A round in which player 0 kills at these seconds of a segment. */
function mapOf(seconds: number, killSeconds: readonly number[], changes: Partial<MatchRecord> = {}) {
  const ticks = killSeconds.map((second) => Math.round(start + second * tickRate));
  const kills = ticks.map((tick, i) => killAt(tick, 0, i + 1));
  const { record } = syntheticTrack(cast, yard, { kills, ...changes });
  const endTick = start + seconds * tickRate;
  const caption: ClipCaption = {
    startTick: start,
    endTick,
    label: "Multi Kill",
    reason: "",
    player: 0,
    momentTicks: ticks,
  };
  const segment: ClipSegment = { round: 1, startTick: start, endTick, player: 0, captions: [caption] };
  return { map: planTimeMap(record, segment, framesPerSecond), ticks, endTick };
}

const videoSeconds = ({ frameCount }: TimeMap) => frameCount / framesPerSecond;

test("time never stands still nor runs back, and frames and seconds tell the same", () => {
  for (const kills of [[], [1], [4, 4.05, 4.1], [4, 4, 12], [0, 9.98]]) {
    const { map, endTick } = mapOf(10, kills);
    for (let frame = 0; frame < map.frameCount; frame++) {
      const tick = map.tickAt(frame);
      if (frame > 0) expect(tick).toBeGreaterThan(map.tickAt(frame - 1));
      expect(map.secondsAt(tick)).toBeCloseTo(frame / framesPerSecond, 6);
      expect(tick).toBeLessThan(endTick);
    }
    expect(map.tickAt(0)).toBe(start);
  }
});

test("a kill that completes a highlight is slowed: 0.4 to 0.8 seconds longer than it was", () => {
  const { map, ticks } = mapOf(7, [2, 3.5, 5]);
  const last = ticks[2]!;
  const around = map.secondsAt(last + 0.7 * tickRate) - map.secondsAt(last - 0.4 * tickRate);
  expect(around - 1.1).toBeGreaterThan(0.4);
  expect(around - 1.1).toBeLessThan(0.8);
  const before = map.secondsAt(ticks[0]! + 0.5 * tickRate) - map.secondsAt(ticks[0]! - 0.5 * tickRate);
  expect(before).toBeCloseTo(1, 6);
});

test("kills in one breath stand at least half a second from each other", () => {
  const { map, ticks } = mapOf(8, [4, 4.1, 4.4]);
  const at = ticks.map((tick) => map.secondsAt(tick));
  expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(0.5);
  expect(at[2]! - at[1]!).toBeGreaterThanOrEqual(0.5);
});

test("a stretch in which the player does nothing runs at 2 to 3 times the speed, but not what leads to the next kill", () => {
  const { map, ticks } = mapOf(10, [0.5, 8.5]);
  const [first, second] = [ticks[0]!, ticks[1]!];
  const speeds = Array.from({ length: map.frameCount }, (_, frame) => map.speedAt(frame));
  expect(Math.max(...speeds)).toBeLessThanOrEqual(3.001);
  expect(map.secondsAt(second) - map.secondsAt(first)).toBeLessThan(4);
  expect(map.secondsAt(second) - map.secondsAt(second - 0.5 * tickRate)).toBeGreaterThan(0.5);
  // A lead of four seconds is no idle stretch any more.
  const lead = mapOf(6, [4]);
  expect(lead.map.secondsAt(lead.ticks[0]!)).toBeLessThan(2);
});

test("what he does keeps its speed: shots, hits and throws make a stretch none that is idle", () => {
  const shots = [1, 2, 3, 4, 5, 6, 7].map((second) => ({
    tick: start + second * tickRate,
    player: 0,
    weapon: "ak47",
    yaw: 0,
  }));
  const { map, ticks } = mapOf(10, [0.5, 8.5], { shots });
  expect(map.secondsAt(ticks[1]!) - map.secondsAt(ticks[0]!)).toBeCloseTo(8, 0);
});

test("the end of a clip plays out, however short its ticks after the last kill", () => {
  for (const tail of [0.05, 0.2, 0.5, 1, 2, 4]) {
    const { map, ticks } = mapOf(5 + tail, [5]);
    const rest = videoSeconds(map) - map.secondsAt(ticks[0]!);
    expect(rest, `${tail} s`).toBeGreaterThan(1.7);
    expect(rest, `${tail} s`).toBeLessThan(2.1);
  }
});

test("the usual two seconds after the last kill hurry less than a wait does", () => {
  const { map, ticks } = mapOf(7, [5]);
  const speeds = Array.from({ length: map.frameCount }, (_, frame) => map.speedAt(frame));
  const after = speeds.slice(Math.round(map.secondsAt(ticks[0]!) * framesPerSecond));
  expect(Math.max(...after)).toBeLessThan(1.65);
  expect(Math.max(...speeds)).toBeGreaterThan(1.9);
  expect(videoSeconds(map) - map.secondsAt(ticks[0]!)).toBeLessThan(2);
});

test("before and after the segment time runs as played", () => {
  const { map, endTick } = mapOf(8, [4]);
  expect(map.secondsAt(start - tickRate)).toBe(-1);
  expect(map.secondsAt(endTick + tickRate) - map.secondsAt(endTick)).toBeCloseTo(1, 9);
});

test("a segment without ticks has no frames", () => {
  expect(mapOf(0, []).map.frameCount).toBe(0);
});

test("a moment that was marked without a kill runs as it was played, whatever happens beside it", () => {
  const { record } = syntheticTrack(cast, yard, { kills: [killAt(start + 2 * tickRate, 0, 1)] });
  const at = (second: number) => start + second * tickRate;
  const segmentWith = (changes: Partial<ClipCaption>): ClipSegment => {
    const own = { startTick: start, endTick: at(16), reason: "", player: 0 };
    const captions = [
      { ...own, label: "Knife Kill", momentTicks: [at(2)] },
      { ...own, label: "Held alone", momentTicks: [], marked: { startTick: at(4), endTick: at(13) }, ...changes },
    ];
    return { round: 1, startTick: start, endTick: at(16), player: 0, captions };
  };
  const isEven = (segment: ClipSegment, from: number, to: number) => {
    const map = planTimeMap(record, segment, framesPerSecond);
    const frames = Array.from({ length: map.frameCount }, (_, frame) => frame);
    const inside = frames.filter((frame) => map.tickAt(frame) > at(from) && map.tickAt(frame + 1) < at(to));
    return inside.every((frame) => Math.abs(map.speedAt(frame) - 1) < 1e-9);
  };
  expect(isEven(segmentWith({}), 4, 13)).toBe(true);
  // The kill is slowed, the wait after the moment hurried.
  expect(isEven(segmentWith({}), 1.8, 4)).toBe(false);
  expect(isEven(segmentWith({}), 13, 16)).toBe(false);
  expect(isEven(segmentWith({ player: 1 }), 4, 13)).toBe(false);
  expect(isEven(segmentWith({ momentTicks: [at(6)] }), 4, 13)).toBe(false);
});
