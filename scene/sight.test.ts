import { expect, test } from "vitest";
import { buildRelief } from "./relief/build-relief.ts";
import { SegmentTimeline } from "./segment-timeline.ts";
import { TeamSight } from "./sight.ts";
import { freezeEndTick, segmentOf, syntheticTrack, walkedArea } from "./testing/synthetic-track.ts";

const hall = walkedArea(-600, -200, 600, 200);
const relief = buildRelief(hall, { map: "de_test", finestScale: 0.4, maxPixels: 200_000 });

test("a smoke blocks sight half a second after it went off, at any number of ticks a second", () => {
  for (const tickRate of [64, 128]) {
    const detonateTick = freezeEndTick + 2 * tickRate;
    const track = syntheticTrack([{ name: "Nova", team: 0, pose: { x: -400, y: 0 } }], hall, {
      tickRate,
      grenades: [
        {
          kind: "smoke",
          thrower: null,
          throwTick: freezeEndTick,
          detonateTick,
          expireTick: detonateTick + 18 * tickRate,
          path: [[detonateTick, 0, 0, 0]],
        },
      ],
    });
    const sight = new TeamSight(new SegmentTimeline(track, segmentOf(8)), relief);
    const sees = (seconds: number) => sight.sees({ x: 400, y: 0, z: 0 }, detonateTick + seconds * tickRate);
    expect([0.4, 0.6].map(sees)).toEqual([true, false]);
  }
});
