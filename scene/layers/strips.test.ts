import { expect, test } from "vitest";
import { HeldGrenade, type PlayerSamples, SampleFlag } from "../../replay/replay-track.ts";
import { type ClipScene, createClipScene } from "../clip-scene.ts";
import type { DrawOperation } from "../display-list.ts";
import { buildRelief } from "../relief/build-relief.ts";
import { formatSizes } from "../testing/format-sizes.ts";
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

const ground = walkedArea(-600, -400, 600, 400);
const relief = buildRelief(ground, { map: "de_test", finestScale: 0.4, maxPixels: 400_000 });
const at = (second: number) => freezeEndTick + second * tickRate;
const cast = Array.from({ length: 10 }, (_, i) => ({
  name: `${"abcdefghij"[i]}-player`,
  team: (i < 5 ? 0 : 1) as 0 | 1,
  pose: { x: 100 * i - 450, y: 60 * (i % 5) - 100 },
}));
/** Keeps the clip at the speed of play: whoever shoots is not idle. */
const shots = Array.from({ length: 26 }, (_, i) => ({ tick: at(i / 2), player: 0, weapon: "ak47", yaw: 0 }));
const deadAt = (second: number, player: number) => ({
  kills: [killAt(at(second), 0, player)],
  deaths: [{ tick: at(second), round: 1, player, cause: "kill" as const }],
});

interface Changes {
  /** By player: what differs from a sample on. */
  samples?: Record<number, (samples: PlayerSamples) => void>;
  kill?: [second: number, player: number];
  isXrayOff?: boolean;
  frame?: { width: number; height: number };
}

function sceneOf({ samples = {}, kill, isXrayOff = false, frame = formatSizes["720p"] }: Changes): ClipScene {
  const track = syntheticTrack(cast, ground, { shots, ...(kill && deadAt(...kill)) });
  for (const [player, change] of Object.entries(samples)) {
    const own = track.windows[0]?.players[Number(player)];
    if (own) change(own);
  }
  const spec = { ...specOf([segmentOf(8, { captions: [] })], { xray: !isXrayOff }), ...frame };
  return createClipScene(track, spec, { ...sceneOptions, ...frame, relief });
}

/** The frame that shows a second of the round. */
function frameOf(scene: ClipScene, second: number): number {
  let frame = 0;
  while (scene.moment(frame).tick < at(second)) frame++;
  return frame;
}

function drawn(scene: ClipScene, frame: number): DrawOperation[] {
  return scene.layers(frame).layers.find(({ name }) => name === "strips")?.operations ?? [];
}

function keys(operations: readonly DrawOperation[]): string[] {
  return operations.flatMap((operation) => ("sprite" in operation ? [operation.sprite.key] : []));
}

const plates = (operations: readonly DrawOperation[]) =>
  operations.flatMap((operation) =>
    operation.op === "sprite" && /^strip-(CT|T)-/.test(operation.sprite.key)
      ? [{ left: operation.x, right: operation.x + operation.sprite.width, key: operation.sprite.key }]
      : [],
  );

test("everybody who lives has a card, counter-terrorists left of the score and terrorists right, in the frame", () => {
  for (const frame of Object.values(formatSizes)) {
    const scene = sceneOf({ frame });
    const cards = plates(drawn(scene, 60));
    const middle = frame.width / 2;
    expect(cards.filter(({ right, key }) => right <= middle && key.startsWith("strip-CT"))).toHaveLength(5);
    expect(cards.filter(({ left, key }) => left >= middle && key.startsWith("strip-T-"))).toHaveLength(5);
    for (const { left, right } of cards) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(frame.width);
    }
    const sorted = cards.sort((a, b) => a.left - b.left);
    for (const [i, card] of sorted.slice(1).entries()) expect(card.left).toBeGreaterThanOrEqual(sorted[i]?.right ?? 0);
  }
});

test("a card goes with its player, not before, and the others close up", () => {
  const [dying, living] = [sceneOf({ kill: [5, 6] }), sceneOf({})];
  const before = frameOf(dying, 4.95);
  const words = (scene: ClipScene, frame: number) => JSON.stringify(drawn(scene, frame));
  expect(words(dying, before)).toBe(words(living, frameOf(living, 4.95)));
  const fallen = frameOf(dying, 5) + 6;
  expect(plates(drawn(dying, fallen)).filter(({ key }) => key.includes("fallen"))).toHaveLength(1);
  const after = frameOf(dying, 5) + 60;
  const terrorists = plates(drawn(dying, after)).filter(({ key }) => key.startsWith("strip-T-"));
  expect(terrorists).toHaveLength(4);
  expect(keys(drawn(dying, after)).some((key) => key.startsWith("avatar-6-"))).toBe(false);
  const beforeIt = plates(drawn(dying, before)).filter(({ key }) => key.startsWith("strip-T-"));
  expect(terrorists.map(({ left }) => left).sort((a, b) => a - b)).toEqual(
    beforeIt
      .map(({ left }) => left)
      .sort((a, b) => a - b)
      .slice(0, 4),
  );
});

test("a card shows the weapon in hand, armour, bomb or kit and every grenade held, from the tick on at which it is so", () => {
  const changedFrom = (at(4) - freezeEndTick) / 2;
  const scene = sceneOf({
    samples: {
      6: (own) => {
        own.weaponNames = ["ak47", "awp"];
        own.weapon.fill(1, changedFrom);
        own.grenades.fill(HeldGrenade.flash | HeldGrenade.secondFlash | HeldGrenade.he);
        own.grenades.fill(HeldGrenade.flash, changedFrom);
        own.flags.fill(SampleFlag.present | SampleFlag.alive | SampleFlag.helmet | SampleFlag.hasBomb);
      },
      1: (own) => {
        own.armor.fill(0);
        own.grenades.fill(0);
        own.flags.fill(SampleFlag.present | SampleFlag.alive | SampleFlag.defuseKit);
      },
    },
  });
  const has = (frame: number, key: string) => keys(drawn(scene, frame)).some((drawnKey) => drawnKey.startsWith(key));
  const [before, after] = [frameOf(scene, 4) - 1, frameOf(scene, 4)];
  const items = "equipment-14-small-helmet-small-bomb-small-flash";
  for (const key of [`${items}-small-flash-small-he@`, "equipment-14-small-kit@"])
    expect(has(before, key), key).toBe(true);
  expect(has(before, "strip-weapon-awp")).toBe(false);
  expect(has(before, `${items}@`)).toBe(false);
  expect(has(after, "strip-weapon-awp")).toBe(true);
  expect(has(after, `${items}@`)).toBe(true);
});

test("without x-ray an opponent's card tells that they live, and nothing else", () => {
  const samples = {
    6: (own: PlayerSamples) => {
      own.weaponNames = ["awp"];
      own.health.fill(12);
    },
  };
  const [seen, unseen] = [sceneOf({ samples }), sceneOf({ samples, isXrayOff: true })];
  expect(keys(drawn(seen, 60))).toContainEqual(expect.stringMatching(/^strip-weapon-awp/));
  const operations = drawn(unseen, 60);
  expect(plates(operations).filter(({ key }) => key.startsWith("strip-T-"))).toHaveLength(5);
  expect(keys(operations)).not.toContainEqual(expect.stringMatching(/^strip-weapon-awp/));
  expect(keys(operations).filter((key) => key.startsWith("equipment-"))).toHaveLength(4);
  const opponents = operations.filter((operation) => operation.op === "rect" && operation.x > 640);
  expect(new Set(opponents.map((operation) => (operation.op === "rect" ? operation.width : 0))).size).toBe(1);
});

test("strips are drawn with the other furniture of the game, and not without it", () => {
  const spec = specOf([segmentOf(2)], { hud: false });
  const scene = createClipScene(syntheticTrack(cast, ground, { shots }), spec, { ...sceneOptions, relief });
  expect(drawn(scene, 30)).toEqual([]);
});
