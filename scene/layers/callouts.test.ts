import { expect, test } from "vitest";
import type { Footprints } from "../../replay/replay-track.ts";
import { createClipScene } from "../clip-scene.ts";
import { buildRelief, type Relief } from "../relief/build-relief.ts";
import { sceneOptions, segmentOf, specOf, syntheticTrack, walkedArea } from "../testing/synthetic-track.ts";

const walked = walkedArea(-600, -400, 600, 400);
const ground: Footprints = {
  ...walked,
  places: { names: ["Palace"], ofFootprint: new Uint8Array(walked.xyz.length / 3) },
};
const relief = buildRelief(ground, { map: "de_test", finestScale: 0.4, maxPixels: 400_000 });

/** The relief with a ground of one grey. */
function greyed(grey: number): Relief {
  const floors = relief.floors.map((floor) => ({
    ...floor,
    image: { ...floor.image, rgba: new Uint8ClampedArray(floor.image.rgba.length).fill(grey) },
  }));
  return { ...relief, floors };
}

/** How strong the name on the ground is, and how it is written. */
function callout(grey: number): { alpha: number; key: string } {
  const players = [{ name: "Nova", team: 0 as const, pose: { x: -400, y: 200 } }];
  const scene = createClipScene(syntheticTrack(players, ground), specOf([segmentOf(2)]), {
    ...sceneOptions,
    relief: greyed(grey),
  });
  const drawn = scene.layers(30).layers.find(({ name }) => name === "callouts")?.operations ?? [];
  const [name] = drawn.flatMap((operation) => (operation.op === "sprite" ? [operation] : []));
  if (!name) throw new Error("There is no name on the ground.");
  return { alpha: name.alpha, key: name.sprite.key };
}

test("a name is outlined, and stronger the lighter the ground is", () => {
  const [dark, middle, light] = [callout(30), callout(85), callout(150)];
  expect(dark.alpha).toBeLessThan(0.4);
  expect(middle.alpha).toBeGreaterThan(dark.alpha);
  expect(light.alpha).toBeGreaterThan(middle.alpha);
  // Never as strong as the names of players.
  expect(light.alpha).toBeLessThan(0.75);
  // The sprite's outline is what separates light letters from light ground.
  expect(light.key).toMatch(/^text\|700\|30\|#dcebfa\|1\|/);
});
