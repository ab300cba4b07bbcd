import { expect, test } from "vitest";
import { boxOf } from "./box.ts";
import { type ClipScene, createClipScene } from "./clip-scene.ts";
import { buildRelief } from "./relief/build-relief.ts";
import { formatSizes } from "./testing/format-sizes.ts";
import {
  freezeEndTick,
  killAt,
  sceneOptions,
  segmentOf,
  specOf,
  syntheticTrack,
  tickRate,
  walkedArea,
} from "./testing/synthetic-track.ts";

const ground = walkedArea(-1500, -1500, 1500, 1500);
const relief = buildRelief(ground, { map: "de_test", finestScale: 0.4, maxPixels: 1_500_000 });
const killTick = freezeEndTick + 5 * tickRate;

/** A kill, and a third player whom it has nothing to do with. */
function sceneWith(
  bystander: { team: 0 | 1; x: number; y: number },
  frame: { width: number; height: number },
): ClipScene {
  const { team, x, y } = bystander;
  const players = [
    { name: "Nova", team: 0 as const, pose: { x: 0, y: 0 } },
    { name: "dune", team: 1 as const, pose: { x: 260, y: 60 } },
    { name: "ember", team, pose: { x, y } },
  ];
  const track = syntheticTrack(players, ground, {
    kills: [killAt(killTick, 0, 1)],
    deaths: [{ tick: killTick, round: 1, player: 1, cause: "kill" }],
  });
  return createClipScene(track, { ...specOf([segmentOf(8)]), ...frame }, { ...sceneOptions, ...frame, relief });
}

/** Frames in which the third player stands within a banner's operations, and the middles at which banners stand. */
function bannerOf(scene: ClipScene): { covering: number; middles: Set<number> } {
  let covering = 0;
  const middles = new Set<number>();
  for (let frame = 0; frame < scene.frameCount; frame += 4) {
    const { layers, players } = scene.layers(frame);
    const boxes = (layers.find(({ name }) => name === "banner")?.operations ?? []).flatMap(
      (operation) => boxOf(operation) ?? [],
    );
    const line = layers.find(({ name }) => name === "banner")?.operations.find(({ op }) => op === "line");
    if (line?.op === "line") middles.add(Math.round((line.x0 + line.x1) / 2));
    const third = players.find(({ player }) => player === 2);
    if (
      third &&
      boxes.some(
        ({ left, top, width, height }) =>
          third.x > left && third.x < left + width && third.y > top && third.y < top + height,
      )
    )
      covering++;
  }
  return { covering, middles };
}

test("a banner leaves its place for a living opponent who would stand under it", () => {
  for (const [format, southward] of [
    ["720p", 600],
    ["1080p", 600],
    ["vertical", 780],
  ] as const) {
    const frame = formatSizes[format];
    const far = bannerOf(sceneWith({ team: 1, x: 1400, y: 1400 }, frame));
    expect([...far.middles], format).toEqual([frame.width / 2]);
    // Whoever is on his side may stand under it: nobody waits for what a team-mate does.
    const mate = bannerOf(sceneWith({ team: 0, x: 60, y: -southward }, frame));
    expect([...mate.middles], format).toEqual([frame.width / 2]);
    expect(mate.covering, format).toBeGreaterThan(5);
    const opponent = bannerOf(sceneWith({ team: 1, x: 60, y: -southward }, frame));
    expect(opponent.middles.size, format).toBe(1);
    expect(opponent.covering, format).toBeLessThan(mate.covering / 4);
  }
});
