import { expect, test } from "vitest";
import type { RecordedBombEvent } from "../../replay/match-record.ts";
import { bombActions, plantedBomb } from "../bomb-timeline.ts";
import { createClipScene } from "../clip-scene.ts";
import { buildRelief } from "../relief/build-relief.ts";
import { SegmentTimeline } from "../segment-timeline.ts";
import {
  freezeEndTick,
  sceneOptions,
  segmentOf,
  specOf,
  syntheticTrack,
  tickRate,
  walkedArea,
} from "../testing/synthetic-track.ts";

const plantTick = freezeEndTick + 2 * tickRate;
const defuseTick = freezeEndTick + 6 * tickRate;

function event(
  kind: RecordedBombEvent["kind"],
  tick: number,
  changes: Partial<RecordedBombEvent> = {},
): RecordedBombEvent {
  return { tick, kind, player: 1, site: "A", hasKit: false, position: [100, 0, 0], ...changes };
}

const hall = walkedArea(-500, -400, 500, 400);
const relief = buildRelief(hall, { map: "de_test", finestScale: 0.3, maxPixels: 500_000 });

function trackWith(bomb: RecordedBombEvent[]) {
  return syntheticTrack(
    [
      { name: "Nova", team: 0, pose: { x: -100, y: 0 } },
      { name: "dune", team: 1, pose: { x: 120, y: 0 } },
    ],
    hall,
    { bomb },
  );
}

const whole = [
  event("plant_begin", plantTick - 204),
  event("planted", plantTick),
  event("defuse_begin", defuseTick, { player: 0, hasKit: true }),
  event("defused", defuseTick + 5 * tickRate, { player: 0, hasKit: true }),
];

test("a planted bomb has forty seconds, and ends when it is defused", () => {
  const timeline = new SegmentTimeline(trackWith(whole), segmentOf(12));
  expect(plantedBomb(timeline, plantTick - 1)).toBeNull();
  expect(plantedBomb(timeline, plantTick + 10 * tickRate - 1)).toMatchObject({
    defusedTick: defuseTick + 5 * tickRate,
  });
  expect(plantedBomb(timeline, plantTick + tickRate)!.secondsLeft).toBe(39);
});

test("a defuse takes five seconds with a kit and ten without, and stops when it is given up", () => {
  const actions = (bomb: RecordedBombEvent[]) => bombActions(new SegmentTimeline(trackWith(bomb), segmentOf(12)));
  expect(actions(whole).map(({ kind, from, until }) => [kind, until - from])).toEqual([
    ["plant", 204],
    ["defuse", 5 * tickRate],
  ]);
  const givenUp = [
    event("planted", plantTick),
    event("defuse_begin", defuseTick, { player: 0 }),
    event("defuse_abort", defuseTick + 90, { player: 0 }),
  ];
  expect(actions(givenUp)).toMatchObject([{ kind: "defuse", until: defuseTick + 90, ticks: 10 * tickRate }]);
});

test("the clock shows the round's time, then the bomb's, then that it is defused", () => {
  const segment = segmentOf(12);
  const scene = createClipScene(trackWith(whole), specOf([segment]), { ...sceneOptions, relief });
  const clock = (tick: number) => {
    const letters = scene.frame(scene.frameAt(segment, tick)!).flatMap((operation) => {
      if (operation.op !== "sprite") return [];
      const [, text] = /^text\|700\|34\|#\w+\|0\|\|(.)@/.exec(operation.sprite.key) ?? [];
      return text ? [text] : [];
    });
    return letters.join("");
  };
  expect(clock(freezeEndTick + 1.5 * tickRate)).toBe("1:54");
  expect(clock(plantTick + 2.5 * tickRate)).toBe("0:38");
  expect(clock(defuseTick + 5.5 * tickRate)).toBe("");
});
