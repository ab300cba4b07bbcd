import { expect, test } from "vitest";
import type { ClipSegment, ClipSpec } from "./clip-spec.ts";
import { heldSpec } from "./held-spec.ts";

const segment = (startTick: number, endTick: number): ClipSegment => ({
  round: 1,
  startTick,
  endTick,
  player: 0,
  captions: [],
});
const clip = (...segments: ClipSegment[]) => ({ version: 1, segments }) as ClipSpec;
const track = {
  windows: [
    { startTick: 100, endTick: 500 },
    { startTick: 900, endTick: 1200 },
  ],
};

test("a clip that its track holds is the same object, to the last sample", () => {
  for (const spec of [clip(segment(100, 500)), clip(segment(120.5, 503), segment(900, 1200))]) {
    expect(heldSpec(spec, track)).toBe(spec);
  }
});

test("what a track does not hold is left out, at the ends and as a whole", () => {
  const spec = clip(segment(300, 640), segment(700, 880), segment(850, 1000));
  expect(heldSpec(spec, track).segments).toEqual([segment(300, 500), segment(900, 1000)]);
});

test("a clip of which a track holds nothing is left as it is", () => {
  const spec = clip(segment(2000, 2100));
  expect(heldSpec(spec, track)).toBe(spec);
  expect(heldSpec(spec, { windows: [] })).toBe(spec);
});
