import { expect, test } from "vitest";
import { planTimeMap } from "../replay/time-map.ts";
import { cameraPath } from "./camera.ts";
import { buildRelief } from "./relief/build-relief.ts";
import { SegmentTimeline } from "./segment-timeline.ts";
import { Viewport } from "./stage.ts";
import { freezeEndTick, killAt, segmentOf, syntheticTrack, tickRate, walkedArea } from "./testing/synthetic-track.ts";

const frame = { width: 1280, height: 720 };
const killTick = freezeEndTick + 5 * tickRate;
const hall = walkedArea(-2000, -1500, 2000, 1500);
const relief = buildRelief(hall, { map: "de_test", finestScale: 0.3, maxPixels: 1_000_000 });

/** Runs to and fro, 250 units a second, as players do. */
const runner = (tick: number) => {
  const way = ((tick - freezeEndTick) / tickRate) * 250;
  return { x: -1500 + (way % 2800), y: 400 * Math.sin(way / 300) };
};

function path(victim: { x: number; y: number }) {
  const track = syntheticTrack(
    [
      { name: "Nova", team: 0, pose: runner },
      { name: "dune", team: 1, pose: victim },
    ],
    hall,
    { kills: [killAt(killTick, 0, 1)], deaths: [{ tick: killTick, round: 1, player: 1, cause: "kill" }] },
  );
  const segment = segmentOf(8);
  const timeline = new SegmentTimeline(track, segment);
  const timeMap = planTimeMap(track.record, segment, 60);
  const views = cameraPath(timeline, timeMap, relief, frame).map(
    (camera) => new Viewport(relief.projection, camera, 1280),
  );
  const tickOf = (i: number) => timeMap.tickAt(i);
  const place = (player: number, i: number) => {
    const state = timeline.state(player, tickOf(i))!;
    return { x: views[i]!.x(state.x), y: views[i]!.y(state.y, state.z) };
  };
  return { views, tickOf, place };
}

test("the followed player is always inside the safe area", () => {
  const { views, place } = path({ x: 600, y: 700 });
  for (let i = 0; i < views.length; i++) {
    const { x, y } = place(0, i);
    expect(x).toBeGreaterThan(100);
    expect(x).toBeLessThan(1180);
    expect(y).toBeGreaterThan(110);
    expect(y).toBeLessThan(520);
  }
});

test("a victim is in view from a second before he dies, however far away", () => {
  for (const victim of [
    { x: 1900, y: -1200 },
    { x: -1800, y: 1400 },
    { x: 300, y: 0 },
  ]) {
    const { views, tickOf, place } = path(victim);
    for (let i = 0; i < views.length; i++) {
      if (tickOf(i) < killTick - tickRate || tickOf(i) > killTick + tickRate) continue;
      const { x, y } = place(1, i);
      expect(x).toBeGreaterThan(90);
      expect(x).toBeLessThan(1190);
      expect(y).toBeGreaterThan(90);
      expect(y).toBeLessThan(560);
    }
  }
});

test("the camera glides: no jumps and no jerks in place or size", () => {
  const { views } = path({ x: 1700, y: -900 });
  const centres = views.map(({ camera }) => [
    camera.left + camera.width / 2,
    camera.top + camera.height / 2,
    camera.width,
  ]);
  for (let i = 2; i < centres.length; i++) {
    for (let axis = 0; axis < 3; axis++) {
      const speed = centres[i]![axis]! - centres[i - 1]![axis]!;
      const before = centres[i - 1]![axis]! - centres[i - 2]![axis]!;
      expect(Math.abs(speed)).toBeLessThan(centres[i]![2]! * 0.03);
      expect(Math.abs(speed - before)).toBeLessThan(centres[i]![2]! * 0.003);
    }
  }
});
