import { expect, test } from "vitest";
import { createClipScene } from "../clip-scene.ts";
import type { DisplayList } from "../display-list.ts";
import { buildRelief } from "../relief/build-relief.ts";
import {
  freezeEndTick,
  sceneOptions,
  segmentOf,
  specOf,
  syntheticTrack,
  tickRate,
  walkedArea,
} from "../testing/synthetic-track.ts";
import { overlapArea } from "./labels.ts";

const hall = walkedArea(-900, -600, 900, 600);
const relief = buildRelief(hall, { map: "de_test", finestScale: 0.3, maxPixels: 500_000 });
const options = { ...sceneOptions, relief };
const onlyPlayers = { hud: false, radar: false, killfeed: false, highlightInfo: false, watermark: false };

function labelsOf(list: DisplayList) {
  return list.flatMap((operation) => {
    if (operation.op !== "sprite" || !/^text\|700\|1[47]\|.*\|1\|150\|/.test(operation.sprite.key)) return [];
    const { width, height } = operation.sprite;
    // A line's letters fill the middle four fifths of their sprite.
    return [{ left: operation.x, top: operation.y + height * 0.1, width, height: height * 0.8 - 2 }];
  });
}

test("names never overlap, even when ten players run through each other", () => {
  const players = Array.from({ length: 10 }, (_, i) => ({
    name: `player number ${i}`,
    team: (i % 2) as 0 | 1,
    pose: (tick: number) => {
      const seconds = (tick - freezeEndTick) / tickRate;
      const angle = i * 0.63 + seconds * (i % 2 ? 0.5 : -0.4);
      const away = 40 + 250 * Math.abs(Math.sin(seconds * 0.5 + i));
      return { x: Math.cos(angle) * away, y: Math.sin(angle) * away, yaw: 0 };
    },
  }));
  const track = syntheticTrack(players, hall);
  const scene = createClipScene(track, specOf([segmentOf(8)], onlyPlayers), options);
  let max = 0;
  for (let i = 0; i < scene.frameCount; i++) {
    const labels = labelsOf(scene.frame(i));
    max = Math.max(max, labels.length);
    for (const [j, label] of labels.entries()) {
      for (const other of labels.slice(j + 1))
        expect(overlapArea(label, other), `frame ${i}`).toBeLessThan(label.width);
    }
  }
  expect(max).toBe(10);
});

test("a name stays in its place while nothing comes in its way", () => {
  const track = syntheticTrack(
    [
      { name: "Nova", team: 0, pose: (tick) => ({ x: -500 + (tick - freezeEndTick) * 2, y: 0 }) },
      { name: "dune", team: 1, pose: { x: 300, y: 400 } },
    ],
    hall,
  );
  const scene = createClipScene(track, specOf([segmentOf(3)], onlyPlayers), options);
  const middleOf = (list: DisplayList, key: RegExp) => {
    const found = list.filter((operation) => operation.op === "sprite" && key.test(operation.sprite.key));
    expect(found).toHaveLength(1);
    const [{ x, y, sprite }] = found as [Extract<DisplayList[number], { op: "sprite" }>];
    return { x: x + sprite.width / 2, y: y + sprite.height / 2 };
  };
  const first = scene.frame(0);
  const below = middleOf(first, /\|dune@/).y - middleOf(first, /^token-T@/).y;
  expect(below).toBeGreaterThan(0);
  for (let i = 0; i < scene.frameCount; i++) {
    const list = scene.frame(i);
    expect(labelsOf(list).length).toBe(2);
    const [name, token] = [middleOf(list, /\|dune@/), middleOf(list, /^token-T@/)];
    // Both are drawn at whole pixels.
    expect(Math.abs(name.x - token.x), `frame ${i}`).toBeLessThanOrEqual(1);
    expect(Math.abs(name.y - token.y - below), `frame ${i}`).toBeLessThanOrEqual(1);
  }
});
