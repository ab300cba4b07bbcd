import { expect, test } from "vitest";
import type { ClipSegment, ClipSpec } from "../../replay/clip-spec.ts";
import { decisiveFrame, landscapeMoment } from "./decisive-moment.ts";

const size = { width: 640, height: 360, framesPerSecond: 30 };

function segment(round: number, ...momentTicks: number[][]): ClipSegment {
  const [startTick, endTick] = [round * 10_000, round * 10_000 + 1000];
  const caption = { startTick, endTick, label: "Ace", reason: "", player: 0 };
  const inRound = (ticks: number[]) => ticks.map((tick) => startTick + tick);
  return {
    round,
    startTick,
    endTick,
    player: 0,
    captions: momentTicks.map((t) => ({ ...caption, momentTicks: inRound(t) })),
  };
}

function specOf(...segments: ClipSegment[]): ClipSpec {
  const settings = { xray: true, hud: true, radar: true, killfeed: true, highlightInfo: true, watermark: true };
  return { version: 1, segments, settings, title: "", width: 1280, height: 720, framesPerSecond: 60 };
}

/** The tick of the picture, in a scene of one frame per tick and sixty-four ticks a second. */
function tickOfPicture(spec: ClipSpec): number {
  const scene = { frameCount: 300_000, frameAt: (_: ClipSegment, tick: number) => tick };
  // Only the track's tick rate is used.
  const track = { record: { tickRate: 64 } } as Parameters<typeof decisiveFrame>[1];
  return decisiveFrame(scene, track, spec);
}

test("The picture of a clip is of the highlight with the most kills, of several of the first", () => {
  const single = segment(1, [400]);
  const ace = segment(2, [100, 900], [100, 200, 300, 500, 800]);
  const other = segment(3, [10, 20, 30, 40, 50]);
  const spec = specOf(single, ace, other);
  expect(landscapeMoment(spec, size).segments).toEqual([ace]);
  expect(tickOfPicture(spec)).toBeCloseTo(20_800 + 0.08 * 64);
  expect(tickOfPicture(specOf(single, other))).toBeCloseTo(30_050 + 0.08 * 64);
});

test("A highlight whose end the clip does not show is in no picture; without any it is a third into the clip", () => {
  const cut = segment(2, [100, 200, 1000]);
  const spec = specOf(segment(1, [400]), cut);
  expect(tickOfPicture(spec)).toBeCloseTo(10_400 + 0.08 * 64);
  expect(tickOfPicture(specOf(cut))).toBe(100_000);
  expect(landscapeMoment(specOf(cut), size).segments).toEqual([cut]);
});
