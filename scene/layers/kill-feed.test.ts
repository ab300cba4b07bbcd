import { expect, test } from "vitest";
import { overlapArea } from "../box.ts";
import { type ClipScene, createClipScene } from "../clip-scene.ts";
import { layoutOf } from "../layout.ts";
import { buildRelief } from "../relief/build-relief.ts";
import {
  everySetting,
  freezeEndTick,
  killAt,
  sceneOptions,
  segmentOf,
  specOf,
  syntheticTrack,
  tickRate,
  walkedArea,
} from "../testing/synthetic-track.ts";

const ground = walkedArea(-300, -300, 300, 300);
const relief = buildRelief(ground, { map: "de_test", finestScale: 0.4, maxPixels: 400_000 });
const at = (second: number) => freezeEndTick + second * tickRate;
const cast = ["Nova", "mate", "dune", "ember", "flint", "a name that is far too long", "gale"].map((name, i) => ({
  name,
  team: (i < 2 ? 0 : 1) as 0 | 1,
  pose: { x: 60 * i - 100, y: 0 },
}));

/** Every letter as wide as half of its font. */
const measureText = (text: string, font: string) => ({
  width: [...text].length * (Number(/(\d+)px/.exec(font)?.[1]) / 2),
});

/** The feed's cards in a frame, from top to bottom. */
function cards(scene: ClipScene, second: number): { key: string; left: number; top: number; width: number }[] {
  const feed = scene.layers(Math.round((second - 1) * 60)).layers.find(({ name }) => name === "killFeed");
  return (feed?.operations ?? []).flatMap((operation) =>
    operation.op === "sprite"
      ? [{ key: operation.sprite.key, left: operation.x, top: operation.y, width: operation.sprite.width }]
      : [],
  );
}

test("the feed has three cards at most, the newest below", () => {
  const kills = [2, 2.5, 3, 3.5, 4].map((second, i) => killAt(at(second), 0, 2 + i));
  // Who is busy is shown at the match's own speed.
  const shots = Array.from({ length: 13 }, (_, i) => ({ tick: at(i), player: 0, weapon: "ak47", yaw: 0 }));
  const scene = createClipScene(syntheticTrack(cast, ground, { kills, shots }), specOf([segmentOf(12)]), {
    ...sceneOptions,
    relief,
  });
  let most = 0;
  for (let second = 1; second < 12.9; second += 1 / 60) {
    const shown = cards(scene, second);
    most = Math.max(most, shown.length);
    const tops = shown.map(({ top }) => top);
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
  }
  expect(most).toBe(3);
  const settled = cards(scene, 5);
  expect(settled.map(({ key }) => /"(ember|flint|a name[^"]*|gale)"/.exec(key)?.[1]?.slice(0, 5))).toEqual([
    "flint",
    "a nam",
    "gale",
  ]);
  expect(settled.map(({ top }) => top - (settled[0]?.top ?? 0))).toEqual([0, 47, 94]);
  expect(cards(scene, 11)).toEqual([]);
});

test("a card with every sign and long names keeps its signs and its place below the players' cards", () => {
  const long = { name: "a name that is far too long", team: 0 as const, pose: { x: 0, y: 0 } };
  const everySign = {
    assister: 1,
    flashAssist: true,
    headshot: true,
    noScope: true,
    penetrated: 1,
    throughSmoke: true,
    attackerInAir: true,
    attackerBlind: true,
    weapon: "awp",
  };
  const kills = [killAt(at(2), 0, 5, everySign)];
  const scene = createClipScene(syntheticTrack([long, ...cast.slice(1)], ground, { kills }), specOf([segmentOf(4)]), {
    ...sceneOptions,
    relief,
  });
  const [card] = cards(scene, 3);
  for (const sign of ["blindfold", "jump-across", "crosshair", "smoking-orb", "brick-wall", "headshot"])
    expect(card?.key).toContain(sign);
  const plates = scene
    .frame(120)
    .filter((operation) => operation.op === "sprite" && /^(scoreboard-\d|strip-(CT|T)-)/.test(operation.sprite.key));
  expect(plates.length).toBeGreaterThan(1);
  for (const plate of plates)
    if (plate.op === "sprite") expect(card?.top).toBeGreaterThan(plate.y + plate.sprite.height);
});

test("names stand whole where they fit together, and the longer one is cut where they do not", () => {
  const written = (names: [string, string]) => {
    const [attacker, victim] = names.map((name, i) => ({ name, team: i as 0 | 1, pose: { x: 200 * i, y: 0 } }));
    if (!attacker || !victim) throw new Error("Two names are needed.");
    const track = syntheticTrack([attacker, victim], ground, { kills: [killAt(at(2), 0, 1)] });
    const scene = createClipScene(track, specOf([segmentOf(4)]), { ...sceneOptions, measureText, relief });
    const [card] = cards(scene, 3);
    expect(card?.width).toBeLessThanOrEqual(layoutOf(1280, 720, everySetting).killFeed.widest);
    return namesOn(card?.key ?? "");
  };
  // Room for 23 letters of 15 units beside an AK-47 and its margins.
  expect(written(["a_handle_of_16ab", "kay"])).toEqual(["a_handle_of_16ab", "kay"]);
  expect(written(["kay", "a_handle_of_16ab"])).toEqual(["kay", "a_handle_of_16ab"]);
  expect(written(["a_handle_that_is_longer", "kay"])).toEqual(["a_handle_that_is_lo…", "kay"]);
  expect(written(["a_handle_that_is_longer", "another_of_these"])).toEqual(["a_handle_t…", "another_of…"]);
});

test("in a tall frame names stand whole; beside an introduction cards have the room it leaves, and outcomes give way", () => {
  const [attacker, victim] = ["a_handle_of_16ab", "another_handle16"];
  const people = [attacker, victim, victim].map((name, i) => ({
    name,
    team: (i === 0 ? 0 : 1) as 0 | 1,
    pose: { x: 80 * i, y: 0 },
  }));
  const caption = {
    startTick: at(1),
    endTick: at(9),
    label: "Wallbang",
    reason: "AK-47 through one wall at 20 m, headshot",
    player: 0,
    momentTicks: [at(5)],
  };
  const frame = { width: 1080, height: 1920 };
  const track = syntheticTrack(people, ground, { kills: [killAt(at(0.5), 0, 1), killAt(at(5), 0, 2)] });
  const spec = { ...specOf([segmentOf(9, { captions: [caption] })]), ...frame };
  const scene = createClipScene(track, spec, { ...sceneOptions, measureText, relief, ...frame });
  const seen: string[][] = [];
  for (let index = 0; index < scene.frameCount; index += 1) {
    const { layers } = scene.layers(index);
    const [feed, titles] = ["killFeed", "title"].map((layer) =>
      (layers.find(({ name }) => name === layer)?.operations ?? []).flatMap((operation) =>
        operation.op === "sprite" && operation.alpha > 0.9
          ? [{ key: operation.sprite.key, left: operation.x, top: operation.y, ...sizeOf(operation.sprite) }]
          : [],
      ),
    );
    for (const card of feed ?? [])
      for (const title of titles ?? []) {
        expect(overlapArea(card, title), `frame ${index}`).toBe(0);
        seen.push([title.key.split("-")[0] ?? "", ...namesOn(card.key)]);
      }
  }
  const distinct = [...new Set(seen.map((line) => line.join(" ")))];
  // The first kill's card stays as it came.
  expect(distinct).toEqual([
    expect.stringMatching(/^intro a_h\S*… ano\S*…$/),
    expect.stringMatching(/^outcome a_h\S*… ano\S*…$/),
    `outcome ${attacker} ${victim}`,
  ]);
});

const sizeOf = ({ width, height }: { width: number; height: number }) => ({ width, height });

/** Attacker and victim as they are written. */
function namesOn(key: string): string[] {
  const [lines] = JSON.parse(key.replace(/^kill-|@.*$/g, ""));
  return [lines[0], lines[2]];
}
