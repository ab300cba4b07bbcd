import { expect, test } from "vitest";
import { itemAt } from "../../replay/checked-reads.ts";
import type { RecordedDamage } from "../../replay/match-record.ts";
import { overlapArea } from "../box.ts";
import { createClipScene } from "../clip-scene.ts";
import type { DisplayList } from "../display-list.ts";
import { buildRelief } from "../relief/build-relief.ts";
import {
  freezeEndTick,
  killAt,
  sceneOptions,
  segmentOf,
  specOf,
  syntheticTrack,
  tickRate,
  walkedArea,
} from "../testing/synthetic-track.ts";

const hall = walkedArea(-900, -600, 900, 600);
const relief = buildRelief(hall, { map: "de_test", finestScale: 0.3, maxPixels: 500_000 });
const options = { ...sceneOptions, relief };
const onlyPlayers = { hud: false, radar: false, killfeed: false, highlightInfo: false, watermark: false };

/** Middles of the sprites whose key fits. */
function middlesOf(list: DisplayList, key: RegExp): { x: number; y: number }[] {
  return list.flatMap((operation) => {
    if (!("sprite" in operation) || !key.test(operation.sprite.key)) return [];
    const { x, y, sprite } = operation;
    return [operation.op === "sprite" ? { x: x + sprite.width / 2, y: y + sprite.height / 2 } : { x, y }];
  });
}

function labelsOf(list: DisplayList) {
  return list.flatMap((operation) => {
    if (operation.op !== "sprite" || !/^text\|700\|3[02]\|.*\|1\|190\|/.test(operation.sprite.key)) return [];
    const { width, height } = operation.sprite;
    // A line's letters fill the middle four fifths of their sprite.
    return [{ left: operation.x, top: operation.y + height * 0.1, width, height: height * 0.8 - 2 }];
  });
}

/** The followed player hits somebody every quarter of a second. */
function hits(victims: readonly number[]): RecordedDamage[] {
  return Array.from({ length: 60 }, (_, i) => ({
    tick: freezeEndTick + i * 16,
    attacker: 0,
    victim: victims[i % victims.length] ?? 0,
    weapon: "ak47",
    health: 1,
    armor: 0,
    healthAfter: 90,
    hitGroup: "chest",
  }));
}

test("names overlap neither each other nor anybody in the fight, even when ten players run through each other", () => {
  const players = Array.from({ length: 10 }, (_, i) => ({
    name: `player ${i}`,
    team: (i % 2) as 0 | 1,
    pose: (tick: number) => {
      const seconds = (tick - freezeEndTick) / tickRate;
      const angle = i * 0.63 + seconds * (i % 2 ? 0.5 : -0.4);
      const away = 60 + 350 * Math.abs(Math.sin(seconds * 0.5 + i));
      return { x: Math.cos(angle) * away, y: Math.sin(angle) * away, yaw: 0 };
    },
  }));
  const track = syntheticTrack(players, hall, { damages: hits([1, 3, 5, 7, 9]) });
  const scene = createClipScene(track, specOf([segmentOf(8)], onlyPlayers), options);
  const counts: number[] = [];
  for (let i = 0; i < scene.frameCount; i++) {
    const list = scene.frame(i);
    const labels = labelsOf(list);
    counts.push(labels.length);
    for (const [j, label] of labels.entries()) {
      for (const other of labels.slice(j + 1))
        expect(overlapArea(label, other), `frame ${i}`).toBeLessThan(label.width);
      for (const token of [...middlesOf(list, /^token-T@/), ...middlesOf(list, /^followed-ring@/)]) {
        const core = { left: token.x - 10, top: token.y - 10, width: 20, height: 20 };
        expect(overlapArea(label, core), `frame ${i}`).toBe(0);
      }
    }
  }
  expect(Math.max(...counts)).toBe(6);
  expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).toBeGreaterThan(4.5);
});

test("named are the followed player and those they fight, others when they decide something", () => {
  const track = syntheticTrack(
    ["Nova", "mate", "dune", "ember"].map((name, i) => ({
      name,
      team: (i < 2 ? 0 : 1) as 0 | 1,
      pose: { x: 250 * i - 400, y: i % 2 ? 150 : 0 },
    })),
    hall,
    { damages: hits([2]), kills: [killAt(freezeEndTick + 10 * tickRate, 1, 3)] },
  );
  const scene = createClipScene(track, specOf([segmentOf(12)], onlyPlayers), options);
  const namesAt = (second: number) =>
    scene
      .frame(Math.round((second - 1) * 60))
      .flatMap((operation) => ("sprite" in operation ? (/\|190\|(\w+)@/.exec(operation.sprite.key)?.[1] ?? []) : []))
      .sort();
  expect(namesAt(5)).toEqual(["Nova", "dune"].sort());
  expect(namesAt(10)).toContain("mate");
  expect(namesAt(12.9)).not.toContain("mate");
});

test("a name stays in its place while nothing comes in its way", () => {
  const track = syntheticTrack(
    [
      { name: "Nova", team: 0, pose: (tick) => ({ x: -500 + (tick - freezeEndTick) * 2, y: 0 }) },
      { name: "dune", team: 1, pose: { x: 300, y: 400 } },
    ],
    hall,
    { damages: hits([1]) },
  );
  const scene = createClipScene(track, specOf([segmentOf(3)], onlyPlayers), options);
  const middleOf = (list: DisplayList, key: RegExp) => {
    const middles = middlesOf(list, key);
    expect(middles).toHaveLength(1);
    return itemAt(middles, 0);
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
