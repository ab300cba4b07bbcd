import { expect, test } from "vitest";
import { type ClipScene, createClipScene } from "./clip-scene.ts";
import { endCardSeconds, planClipTime } from "./clip-time.ts";
import type { DisplayList } from "./display-list.ts";
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

const ground = walkedArea(-300, -300, 300, 300);
const cast = ["Nova", "dune", "ember", "flint"].map((name, i) => ({
  name,
  team: (i === 0 ? 0 : 1) as 0 | 1,
  pose: { x: i * 40, y: 0 },
}));
const at = (second: number) => freezeEndTick + 64 + second * tickRate;
const trackWith = (killSeconds: readonly number[]) =>
  syntheticTrack(cast, ground, { kills: killSeconds.map((second, i) => killAt(at(second), 0, i + 1)) });
const track = trackWith([2, 22]);
const [first, second] = [segmentOf(4), segmentOf(4, { startTick: at(20) })];
const named = specOf(
  [first, second].map((segment) => ({
    ...segment,
    captions: segment.captions.map((caption) => ({ ...caption, label: "Ace", momentTicks: [at(2), at(22)] })),
  })),
);
const sceneOf = (spec = named, frame = formatSizes["720p"]): ClipScene =>
  createClipScene(track, { ...spec, ...frame }, { ...sceneOptions, ...frame });

const operationsOf = (scene: ClipScene, index: number, name: string) =>
  scene.layers(index).layers.find((layer) => layer.name === name)?.operations ?? [];

test("a clip ends with a card of at most two seconds, which comes when everything has been played", () => {
  const time = planClipTime(track.record, named);
  expect(endCardSeconds).toBeLessThanOrEqual(2);
  expect(time.endCardFrames).toBe(endCardSeconds * 60);
  expect(time.playedFrames).toBe(time.segments.reduce((sum, { timeMap }) => sum + timeMap.frameCount, 0));
  const scene = sceneOf();
  expect(scene.frameCount).toBe(time.frameCount);
  const isCard = Array.from({ length: scene.frameCount }, (_, index) => scene.moment(index).isEndCard);
  expect(isCard.indexOf(true)).toBe(time.playedFrames);
  expect(isCard.lastIndexOf(false)).toBe(time.playedFrames - 1);
  expect(scene.frameAt(second, at(22))! / 60).toBeLessThan(time.playedFrames / 60 - 1.7);
  expect(scene.moment(scene.frameCount - 1)).toEqual({ ...scene.moment(time.playedFrames - 1), isEndCard: true });
});

test("the end card names the highlight, its player, the score and the clip, within every format's frame", () => {
  for (const frame of Object.values(formatSizes)) {
    const scene = sceneOf(named, frame);
    const card = operationsOf(scene, scene.frameCount - 1, "endCard");
    const keys = card.flatMap((operation) => (operation.op === "sprite" ? [operation.sprite.key] : []));
    for (const said of ["|ACE@", "|Nova@", 'end-score-[["CT","3"],["T","4"]]', "Round 1@", "|A clip@", "brand"])
      expect(
        keys.some((key) => key.includes(said)),
        said,
      ).toBe(true);
    for (const operation of card) {
      if (operation.op !== "sprite") throw new Error(`The card has a ${operation.op}.`);
      expect(operation.x).toBeGreaterThan(0);
      expect(operation.x + operation.sprite.width).toBeLessThan(frame.width);
      expect(operation.y).toBeGreaterThan(0);
      expect(operation.y + operation.sprite.height).toBeLessThan(frame.height);
    }
    // Nothing else is read then.
    const others = scene.layers(scene.frameCount - 1).layers.map(({ name }) => name);
    expect(others).toEqual(["map", "endCard"]);
  }
});

test("a clip of many highlights names three of them and counts the others", () => {
  const labels = ["Ace", "Wallbang", "No Scope", "One Tap", "Knife Kill"];
  const captions = labels.map((label, i) => ({ ...first.captions[0]!, label, momentTicks: [at(2) + i] }));
  const scene = sceneOf(specOf([{ ...first, captions }]));
  const card = operationsOf(scene, scene.frameCount - 1, "endCard");
  const keys = card.flatMap((operation) => (operation.op === "sprite" ? [operation.sprite.key] : []));
  const isSaid = (text: string) => keys.some((key) => key.includes(`|${text}`));
  expect(["ACE", "WALLBANG", "NO SCOPE", "and 2 more"].every(isSaid)).toBe(true);
  expect(isSaid("ONE TAP")).toBe(false);
});

test("moments without a name and a kill of one player and round are as many as were marked", () => {
  const momentAt = (from: number, to: number) => {
    const segment = segmentOf(to - from, { startTick: at(from) });
    const marked = { startTick: at(from), endTick: at(to) };
    return { ...segment, captions: [{ ...segment.captions[0]!, label: "Custom Moment", marked }] };
  };
  const segments = [momentAt(4, 8), momentAt(12, 16)];
  const scene = sceneOf(specOf(segments));
  const card = operationsOf(scene, scene.frameCount - 1, "endCard");
  const isNamed = (operation: (typeof card)[number]) =>
    operation.op === "sprite" && operation.sprite.key.includes("|CUSTOM MOMENT  ·  Nova@");
  expect(card.filter(isNamed)).toHaveLength(2);
  for (const segment of segments) {
    const titles = operationsOf(scene, scene.frameAt(segment, segment.startTick + tickRate)!, "title");
    expect(titles).toHaveLength(1);
  }
});

test("nothing that marks a place or a player shines through the end card: it fades with the light", () => {
  const fallen = syntheticTrack(cast, ground, {
    kills: [killAt(at(2), 0, 1)],
    deaths: [{ tick: at(2), round: 1, player: 1, cause: "kill" }],
    bomb: [{ tick: at(1), kind: "planted", player: 2, site: "A", hasKit: false, position: [-120, 60, 0] }],
  });
  const scene = createClipScene(fallen, { ...named, segments: named.segments.slice(0, 1) }, sceneOptions);
  const first = scene.frameCount - endCardSeconds * 60;
  const marks = (list: DisplayList) => list.filter(({ op }) => op !== "map" && op !== "rect" && op !== "dissolve");
  const dissolves = (frame: number) =>
    operationsOf(scene, frame, "map").flatMap((operation) => (operation.op === "dissolve" ? [operation] : []));
  for (let frame = first; frame < scene.frameCount; frame++)
    expect(marks(operationsOf(scene, frame, "map")), `frame ${frame}`).toEqual([]);
  const [begun] = dissolves(first);
  expect(begun?.alpha).toBe(1);
  const keys = marks(begun?.from ?? []).map((operation) => ("sprite" in operation ? operation.sprite.key : ""));
  expect(keys.some((key) => key.startsWith("fallen-"))).toBe(true);
  // One list, as painters keep its picture.
  expect(dissolves(first + 5)[0]?.from).toBe(begun?.from);
  expect(dissolves(first + 5)[0]?.alpha).toBeLessThan(1);
  expect(dissolves(scene.frameCount - 1)).toEqual([]);
});

test("a clip without captions has no end card, and one without frames has none either", () => {
  const bare = specOf([first], { highlightInfo: false });
  expect(planClipTime(track.record, bare).endCardFrames).toBe(0);
  const scene = sceneOf(bare);
  expect(scene.moment(scene.frameCount - 1).isEndCard).toBe(false);
  expect(planClipTime(track.record, specOf([segmentOf(0)])).frameCount).toBe(0);
});

test("one segment dissolves into the next over a few frames, of which the last shows nearly nothing of what was", () => {
  const scene = sceneOf();
  const [, into] = planClipTime(track.record, named).segments;
  if (!into) throw new Error("The clip has one segment.");
  expect(into.dissolveFrames).toBe(12);
  const before = scene.frame(into.firstFrame - 1);
  const alphas = Array.from({ length: into.dissolveFrames + 1 }, (_, i) => {
    const [dissolve] = operationsOf(scene, into.firstFrame + i, "dissolve");
    if (dissolve?.op !== "dissolve") return 0;
    expect(dissolve.from.map(({ op }) => op)).toEqual(before.map(({ op }) => op));
    return dissolve.alpha;
  });
  expect(alphas[0]).toBeGreaterThan(0.9);
  expect(alphas.at(-2)).toBeLessThan(0.1);
  expect(alphas.at(-1)).toBe(0);
  expect([...alphas].sort((a, b) => b - a)).toEqual(alphas);
  // The same picture in all of them: painters need to paint it once.
  const pictures = [0, 5].map((i) => operationsOf(scene, into.firstFrame + i, "dissolve")[0]);
  if (pictures[0]?.op !== "dissolve" || pictures[1]?.op !== "dissolve") throw new Error("Nothing dissolves.");
  expect(pictures[0].from).toBe(pictures[1].from);
});

test("a kill soon after a cut is not seen through what was before", () => {
  const dissolveBefore = (killSecond: number) =>
    planClipTime(trackWith([2, 20 + killSecond]).record, specOf([first, second])).segments[1]?.dissolveFrames;
  expect(dissolveBefore(0.3)).toBe(0);
  expect(dissolveBefore(0.7)).toBe(6);
  expect(dissolveBefore(2)).toBe(12);
});
