import { expect, test } from "vitest";
import type { ClipCaption } from "../../replay/clip-spec.ts";
import { type Box, overlapArea } from "../box.ts";
import { type ClipScene, createClipScene } from "../clip-scene.ts";
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

const ground = walkedArea(-700, -700, 700, 700);
const relief = buildRelief(ground, { map: "de_test", finestScale: 0.3, maxPixels: 400_000 });
const at = (second: number) => freezeEndTick + second * tickRate;
const formats = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 1080, height: 1920 },
];
/** The victims stand south of the player, so that the fight moves them up in the frame. */
const cast = ["Nova", "dune", "ember", "flint"].map((name, i) => ({
  name,
  team: (i === 0 ? 0 : 1) as 0 | 1,
  pose: { x: 30 * i, y: i === 0 ? 200 : -200 },
}));
const kills = [5, 6.2, 7.4].map((second, i) => killAt(at(second), 0, 1 + i));

/** Every letter as wide as a little less than half of its font, as the server's are. */
const measureText = (text: string, font: string) => ({
  width: [...text].length * 0.45 * Number(/(\d+)px/.exec(font)?.[1]),
});

/** A clip of three highlights with reasons of two lines, each over at one of these seconds. */
function sceneOf(frame: { width: number; height: number }, lasts: readonly number[]): ClipScene {
  const captions = ["Triple Kill", "Headshot Streak", "Wallbang"].map((label, i): ClipCaption => {
    const reason = "AK-47 through one wall at 20 m, headshot";
    return { startTick: at(1), endTick: at(12), label, reason, player: 0, momentTicks: [at(lasts[i] ?? 0)] };
  });
  const spec = { ...specOf([segmentOf(11, { captions })]), ...frame };
  return createClipScene(syntheticTrack(cast, ground, { kills }), spec, {
    ...sceneOptions,
    measureText,
    ...frame,
    relief,
  });
}

/** Outcomes in a frame, each with the label it is of. */
function outcomesIn(scene: ClipScene, frame: number): { label: string; box: Box }[] {
  const titles = scene.layers(frame).layers.find(({ name }) => name === "title")?.operations ?? [];
  return titles.flatMap((operation) => {
    if (operation.op !== "sprite" || !operation.sprite.key.startsWith("outcome-")) return [];
    const { x, y, sprite } = operation;
    const label = /\["([^"]+)"/.exec(sprite.key)?.[1] ?? "";
    return [{ label, box: { left: x, top: y, width: sprite.width, height: sprite.height } }];
  });
}

const lookEvery = 4;

test("no reason lies over the followed player, however many there are, in any format", () => {
  for (const frame of formats) {
    for (const lasts of [
      [7.4, 7.4, 7.4],
      [7.4, 6.2, 5],
    ]) {
      const scene = sceneOf(frame, lasts);
      let most = 0;
      for (let index = 0; index < scene.frameCount; index += lookEvery) {
        const hero = scene.layers(index).players.find(({ isFollowed }) => isFollowed);
        const outcomes = outcomesIn(scene, index);
        most = Math.max(most, outcomes.length);
        if (!hero) continue;
        const reach = (22 * frame.width) / (frame.height > frame.width ? 900 : 1280);
        const token = { left: hero.x - reach, top: hero.y - reach, width: 2 * reach, height: 2 * reach };
        for (const { label, box } of outcomes) {
          expect(overlapArea(token, box), `${label}, frame ${index} of ${frame.height} lines`).toBeLessThan(2 * reach);
        }
      }
      expect(most).toBeGreaterThan(1);
    }
  }
});

test("titles that begin together, or nearly, are read one after the other where they have no room together", () => {
  const captionFrom = (label: string, from: number): ClipCaption => {
    return { startTick: at(from), endTick: at(12), label, reason: "AK-47", player: 0, momentTicks: [at(7.4)] };
  };
  const secondsOf = (captions: ClipCaption[]) => {
    const frame = { width: 1080, height: 1920 };
    const spec = { ...specOf([segmentOf(11, { captions })]), ...frame };
    const track = syntheticTrack(cast, ground, { kills: kills.slice(2) });
    const scene = createClipScene(track, spec, { ...sceneOptions, measureText, ...frame, relief });
    const seconds = new Map<string, number>();
    for (let index = 0; index < scene.frameCount; index++) {
      const titles = scene.layers(index).layers.find(({ name }) => name === "title")?.operations ?? [];
      for (const operation of titles) {
        const key = operation.op === "sprite" ? operation.sprite.key : "";
        const label = /^intro-\[\["([^"]+)"/.exec(key)?.[1];
        if (label) seconds.set(label, (seconds.get(label) ?? 0) + 1 / 60);
      }
    }
    return [...seconds].sort(([a], [b]) => a.localeCompare(b));
  };
  for (const [first, later] of [
    [1, 1],
    [1, 1.3],
    [1.5, 1.5],
    [1.7, 1.7],
  ] as const) {
    const read = secondsOf([
      captionFrom("1v3 Clutch", first),
      captionFrom("Ace", later),
      captionFrom("Triple Kill", later),
    ]);
    expect(read.map(([label]) => label)).toEqual(["1v3 CLUTCH", "ACE", "TRIPLE KILL"]);
    for (const [label, seconds] of read) expect(seconds, label).toBeGreaterThan(0.75);
  }
});

test("where a new reason has no room, those that were read longest leave, and each is shown", () => {
  const scene = sceneOf({ width: 1080, height: 1920 }, [7.4, 6.2, 5]);
  const shown = Array.from({ length: scene.frameCount }, (_, index) => outcomesIn(scene, index));
  const columns = [...new Set(shown.map((outcomes) => outcomes.map(({ label }) => label).join(" / ")))].filter(Boolean);
  // Alone for a frame, when the one that leaves has faded.
  const expected = ["WALLBANG", "HEADSHOT STREAK / WALLBANG", "HEADSHOT STREAK", "TRIPLE KILL / HEADSHOT STREAK"];
  expect(columns).toEqual(expected);
  for (const outcomes of shown) {
    for (const [i, { box }] of outcomes.entries())
      for (const other of outcomes.slice(i + 1)) expect(overlapArea(box, other.box)).toBe(0);
  }
});
