import { createCanvas } from "@napi-rs/canvas";
import { expect, test } from "vitest";
import { createClipScene } from "../clip-scene.ts";
import type { SpriteContext } from "../display-list.ts";
import {
  canvasKit,
  freezeEndTick,
  killAt,
  sceneOptions,
  segmentOf,
  specOf,
  syntheticTrack,
  walkedArea,
} from "../testing/synthetic-track.ts";

const tick = freezeEndTick + 120;
const track = syntheticTrack(
  ["Nova", "dune"].map((name, i) => ({ name, team: i as 0 | 1, pose: { x: 40 * i, y: 0 } })),
  walkedArea(-200, -200, 200, 200),
  { kills: [killAt(tick, 0, 1)], deaths: [{ tick, round: 1, player: 1, cause: "kill" }] },
);
const segment = segmentOf(4);
const scene = createClipScene(track, specOf([segment]), sceneOptions);

/** Avatars of a layer at a frame, by player. */
function avatarsIn(name: string, index: number): string[] {
  const layer = scene.layers(index).layers.find((candidate) => candidate.name === name);
  const keys = layer?.operations.flatMap((operation) => ("sprite" in operation ? [operation.sprite.key] : [])) ?? [];
  return keys.filter((key) => key.startsWith("avatar-"));
}

test("the hero's picture stands in their panel and on the end card, the victim's in the banner", () => {
  const afterKill = scene.frameAt(segment, tick)! + 20;
  expect(avatarsIn("playerPanel", afterKill)).toEqual([expect.stringMatching(/^avatar-0-/)]);
  expect(avatarsIn("banner", afterKill)).toEqual([expect.stringMatching(/^avatar-1-/)]);
  expect(avatarsIn("endCard", scene.frameCount - 1)).toEqual([expect.stringMatching(/^avatar-0-/)]);
});

test("a player's picture fills their avatar, and without one there is the first letter of their name", () => {
  const face = createCanvas(184, 184);
  const paint = face.getContext("2d");
  paint.fillStyle = "#11cc55";
  paint.fillRect(0, 0, 184, 184);
  const sprite = scene.sprites().find(({ key }) => key.startsWith("avatar-0-110"))!;
  const baked = (avatar: unknown) => {
    const canvas = createCanvas(sprite.width, sprite.height);
    const context = canvas.getContext("2d");
    const written: string[] = [];
    const fillText = context.fillText.bind(context);
    context.fillText = (text: string, ...place: [number, number]) => {
      written.push(text);
      fillText(text, ...place);
    };
    sprite.paint(context as unknown as SpriteContext, { ...canvasKit, avatar: () => avatar as CanvasImageSource });
    return { middle: [...context.getImageData(55, 30, 1, 1).data], written };
  };
  expect(baked(face)).toEqual({ middle: [0x11, 0xcc, 0x55, 255], written: [] });
  expect(baked(null).written).toEqual(["N"]);
});

test("of team-mates who begin alike two letters stand in the avatar, on small ones one that tells them apart, within its frame", () => {
  const names = ["WWW", "WMM"];
  const alike = syntheticTrack(
    [...names, "dune"].map((name, i) => ({ name, team: i < names.length ? 0 : 1, pose: { x: 40 * i, y: 0 } })),
    walkedArea(-200, -200, 200, 200),
    { kills: [killAt(tick, 0, 2)], deaths: [{ tick, round: 1, player: 2, cause: "kill" }] },
  );
  const drawn = createClipScene(alike, specOf([segment]), sceneOptions);
  drawn.layers(0);
  const avatars = drawn.sprites().filter(({ key }) => /^avatar-[01]-/.test(key));
  const written = (width: number) =>
    avatars.filter((avatar) => avatar.width === width).map(({ key }) => key.split("-")[3]);
  // On cards two letters could not be read on a phone.
  expect(new Set(written(28))).toEqual(new Set(["W", "M"]));
  expect(avatars.find(({ width }) => width > 60)?.key.split("-")[3]).toBe("Ww");
  for (const { width, height, paint } of avatars) {
    const context = createCanvas(width, height).getContext("2d");
    const ends: number[] = [];
    let pixels = 0;
    context.fillText = (text: string, x: number) => {
      pixels = Number.parseFloat(/[\d.]+px/.exec(context.font)?.[0] ?? "0");
      ends.push(x, x + context.measureText(text).width);
    };
    paint(context as unknown as SpriteContext, canvasKit);
    expect((pixels * 390) / 1280).toBeGreaterThanOrEqual(9);
    if (width < 60) continue;
    expect(Math.min(...ends)).toBeGreaterThan(0.1 * width);
    expect(Math.max(...ends)).toBeLessThan(0.9 * width);
  }
});
