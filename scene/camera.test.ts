import { expect, test } from "vitest";
import { itemAt } from "../replay/checked-reads.ts";
import { type Box, overlapArea } from "./box.ts";
import { type CoveredAt, cameraPath } from "./camera.ts";
import { type Layout, layoutOf } from "./layout.ts";
import { buildRelief } from "./relief/build-relief.ts";
import { SegmentTimeline } from "./segment-timeline.ts";
import { Viewport } from "./stage.ts";
import {
  everySetting,
  freezeEndTick,
  killAt,
  segmentOf,
  syntheticTrack,
  tickRate,
  walkedArea,
} from "./testing/synthetic-track.ts";
import { planTimeMap } from "./time-map.ts";

const layout = layoutOf(1280, 720, everySetting);
const vertical = layoutOf(1080, 1920, everySetting);
const killTick = freezeEndTick + 5 * tickRate;
const hall = walkedArea(-2000, -1500, 2000, 1500);
const relief = buildRelief(hall, { map: "de_test", finestScale: 0.3, maxPixels: 1_000_000 });

type Pose = (tick: number) => { x: number; y: number };

/** Runs to and fro, 250 units a second, as players do. */
const runner = (tick: number) => {
  const way = ((tick - freezeEndTick) / tickRate) * 250;
  return { x: -1500 + (way % 2800), y: 400 * Math.sin(way / 300) };
};

interface Played {
  format?: Layout;
  coveredAt?: CoveredAt;
  shooter?: Pose;
  /** Whether the kill completes a highlight. */
  isDecisive?: boolean;
}

function path(
  victim: { x: number; y: number },
  { format = layout, coveredAt = () => [], shooter = runner, isDecisive = false }: Played = {},
) {
  const track = syntheticTrack(
    [
      { name: "Nova", team: 0, pose: shooter },
      { name: "dune", team: 1, pose: victim },
    ],
    hall,
    { kills: [killAt(killTick, 0, 1)], deaths: [{ tick: killTick, round: 1, player: 1, cause: "kill" }] },
  );
  const segment = segmentOf(8);
  if (isDecisive) segment.captions = segment.captions.map((caption) => ({ ...caption, momentTicks: [killTick] }));
  const timeline = new SegmentTimeline(track, segment);
  const timeMap = planTimeMap(track.record, segment, 60);
  const views = cameraPath(
    timeline,
    timeMap,
    relief,
    format,
  )(coveredAt).map((camera) => new Viewport(relief.projection, camera, format.width));
  const tickOf = (i: number) => timeMap.tickAt(i);
  const widthAt = (tick: number) => itemAt(views, Math.round(timeMap.secondsAt(tick) * 60)).camera.width;
  const place = (player: number, i: number) => {
    const state = timeline.state(player, tickOf(i))!;
    return { x: views[i]!.x(state.x), y: views[i]!.y(state.y, state.z) };
  };
  return { views, tickOf, place, widthAt };
}

/** Whether a token around a place stands in the field and beside all boxes, to half a pixel. */
function isClear({ x, y }: { x: number; y: number }, { unit, field }: Layout, boxes: readonly Box[] = []): boolean {
  const reach = 20 * unit;
  const token = { left: x - reach, top: y - reach, width: 2 * reach, height: 2 * reach };
  const right = (field.left + field.width) * unit;
  const bottom = (field.top + field.height) * unit;
  const isInside = x > field.left * unit - 0.5 && x < right + 0.5 && y > field.top * unit - 0.5 && y < bottom + 0.5;
  return isInside && boxes.every((box) => overlapArea(token, box) === 0);
}

test("the followed player is always in the field", () => {
  for (const format of [layout, vertical]) {
    const { views, place } = path({ x: 600, y: 700 }, { format });
    for (let i = 0; i < views.length; i++) expect(place(0, i), `frame ${i}`).toSatisfy((at) => isClear(at, format));
  }
});

const farAway = [
  { x: 1900, y: -1200 },
  { x: -1800, y: 1400 },
  { x: 300, y: 0 },
];

test("a victim is in the field from a second before he dies, however far away", () => {
  for (const format of [layout, vertical]) {
    for (const victim of farAway) {
      const { views, tickOf, place } = path(victim, { format });
      for (let i = 0; i < views.length; i++) {
        if (tickOf(i) < killTick - tickRate || tickOf(i) > killTick + tickRate) continue;
        expect(place(1, i), `frame ${i}`).toSatisfy((at) => isClear(at, format));
      }
    }
  }
});

test("neither of two who fight is under a panel, also where one comes up as the shot falls", () => {
  for (const format of [layout, vertical]) {
    const { width, height } = format;
    const corner = { left: width * 0.62, top: 0, width: width * 0.38, height: height * 0.2 };
    const banner = { left: width * 0.2, top: height * 0.6, width: width * 0.6, height: height * 0.2 };
    const killFrame = 4 * 60;
    const coveredAt = (frame: number) => (frame < killFrame ? [corner] : [corner, banner]);
    for (const victim of farAway) {
      const { views, tickOf, place } = path(victim, { format, coveredAt });
      for (let i = 0; i < views.length; i++) {
        expect(place(0, i), `frame ${i}`).toSatisfy((at) => isClear(at, format, coveredAt(i)));
        if (tickOf(i) < killTick - tickRate || tickOf(i) > killTick + tickRate) continue;
        expect(place(1, i), `frame ${i}`).toSatisfy((at) => isClear(at, format, coveredAt(i)));
      }
    }
  }
});

test("the camera comes a tenth closer for a decisive kill, however close it was, and goes back", () => {
  const shooter = () => ({ x: 0, y: 0 });
  for (const victim of [
    { x: 160, y: 40 },
    { x: 700, y: 300 },
  ]) {
    const plain = path(victim, { shooter });
    const pushed = path(victim, { shooter, isDecisive: true });
    const closer = (tick: number) => pushed.widthAt(tick) / plain.widthAt(tick);
    // A tenth, and a little because the slower clip has had more time to come close.
    expect(closer(killTick)).toBeLessThan(0.92);
    expect(closer(killTick)).toBeGreaterThan(0.8);
    expect(closer(killTick - tickRate)).toBeCloseTo(1, 2);
    expect(closer(killTick + 2 * tickRate)).toBeCloseTo(1, 2);
  }
});

test("nor does it come closer to a decisive kill than its fight allows", () => {
  for (const format of [layout, vertical]) {
    const played = { format, shooter: () => ({ x: 0, y: 0 }), isDecisive: true };
    const { views, tickOf, place } = path({ x: 1900, y: 0 }, played);
    for (let i = 0; i < views.length; i++) {
      const seconds = (tickOf(i) - killTick) / tickRate;
      if (Math.abs(seconds) > 0.5) continue;
      expect(isClear(place(0, i), format) && isClear(place(1, i), format), `${seconds} s`).toBe(true);
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
