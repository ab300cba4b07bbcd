import { expect, test } from "vitest";
import type { ClipCaption } from "../../replay/clip-spec.ts";
import type { MatchRecord, RecordedKill } from "../../replay/match-record.ts";
import { boxOf, overlapArea } from "../box.ts";
import { type ClipScene, createClipScene } from "../clip-scene.ts";
import { buildRelief } from "../relief/build-relief.ts";
import {
  freezeEndTick,
  killAt,
  roundEndTick,
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
const cast = ["Nova", "mate", "dune", "ember"].map((name, i) => ({
  name,
  team: (i < 2 ? 0 : 1) as 0 | 1,
  pose: { x: 60 * i - 100, y: 0 },
}));
const died = (player: number, second: number) => ({ tick: at(second), round: 1, player, cause: "kill" as const });

const clutch: Partial<MatchRecord> = {
  kills: [killAt(at(5), 2, 1, { attackerSide: "T", victimSide: "CT" }), killAt(at(9), 0, 2), killAt(at(12), 0, 3)],
  deaths: [died(1, 5), died(2, 9), died(3, 12)],
};
const captionOf = (from: number, to: number): ClipCaption => ({
  startTick: at(from),
  endTick: at(to),
  label: "1v2 Clutch",
  reason: "2 kills and the defuse",
  player: 0,
  momentTicks: [at(9), at(12)],
});

function sceneOf(...stretches: [from: number, to: number][]): ClipScene {
  const segments = stretches.map(([from, to]) =>
    segmentOf(to - from, { startTick: at(from), captions: [captionOf(from, to)] }),
  );
  return createClipScene(syntheticTrack(cast, ground, clutch), specOf(segments), { ...sceneOptions, relief });
}

/** Seconds of the video at which a sprite whose key begins so is drawn. */
function videoSecondsOf(scene: ClipScene, beginning: string): number[] {
  return framesOf(scene, beginning).map((frame) => frame / 60);
}

/** Seconds of the round at which a sprite whose key begins so is drawn. */
function secondsOf(scene: ClipScene, beginning: string): number[] {
  return framesOf(scene, beginning).map((frame) => (scene.moment(frame).tick - freezeEndTick) / tickRate);
}

/** Frames with that sprite, looked at ten times a second. */
function framesOf(scene: ClipScene, beginning: string): number[] {
  const isDrawn = (frame: number) =>
    scene.frame(frame).some((operation) => "sprite" in operation && operation.sprite.key.startsWith(beginning));
  return Array.from({ length: Math.ceil(scene.frameCount / 6) }, (_, i) => i * 6).filter(isDrawn);
}

test("the title is gone before what the player does beside the highlight, too", () => {
  const kills = [killAt(at(4.5), 0, 1), ...(clutch.kills ?? []).slice(1)];
  const segment = segmentOf(12, { startTick: at(3), captions: [captionOf(3, 15)] });
  const track = syntheticTrack(cast, ground, { ...clutch, kills });
  const shown = secondsOf(createClipScene(track, specOf([segment]), { ...sceneOptions, relief }), "intro-");
  expect(shown.length).toBeGreaterThan(5);
  expect(Math.max(...shown)).toBeLessThan(4.5);
});

test("a headline is not taken away by a kill of which there is nothing to say", () => {
  const kills = [killAt(at(6), 0, 2, { penetrated: 1 }), killAt(at(6.8), 0, 3)];
  const caption = { ...captionOf(3, 12), label: "Wallbang", reason: "AK-47 through one wall", momentTicks: [at(6)] };
  const segment = segmentOf(9, { startTick: at(3), captions: [caption] });
  const scene = createClipScene(syntheticTrack(cast, ground, { kills }), specOf([segment]), {
    ...sceneOptions,
    relief,
  });
  const seconds = videoSecondsOf(scene, "text|700|52|#ffffff|1|520|WALLBANG");
  expect(Math.max(...seconds) - Math.min(...seconds)).toBeGreaterThan(1.3);
  // Then it is told whom the other one hit.
  expect(Math.max(...videoSecondsOf(scene, "text|700|30|#ff8c98|1|200|ember"))).toBeGreaterThan(Math.max(...seconds));
});

test("whom one bullet kills, and who falls while a headline is read, stand in one banner", () => {
  const bannersOf = (kills: RecordedKill[], momentTicks: number[]) => {
    const caption = { ...captionOf(3, 12), label: "Multi Kill", reason: "2 kills", momentTicks };
    const segment = segmentOf(9, { startTick: at(3), captions: [caption] });
    const flint = { name: "flint", team: 1 as const, pose: { x: 150, y: 50 } };
    const track = syntheticTrack([...cast, flint], ground, { kills });
    const scene = createClipScene(track, specOf([segment]), { ...sceneOptions, relief });
    const drawn = Array.from({ length: scene.frameCount }, (_, frame) => {
      const { layers } = scene.layers(frame);
      const banner = layers.find(({ name }) => name === "banner")?.operations ?? [];
      return banner.flatMap((operation) => {
        const key = "sprite" in operation ? operation.sprite.key : "";
        return /^text\|700\|30\|#ff8c98\|1\|\d+\|(.*)@/.exec(key)?.[1] ?? [];
      });
    });
    return [...new Set(drawn.map((names) => names.join(" and ")))].filter(Boolean);
  };
  const collateral = [2, 3].map((victim) => killAt(at(6), 0, victim, { penetrated: victim - 2 }));
  expect(bannersOf(collateral, [at(6), at(6)])).toEqual(["dune and ember"]);
  const quick = [killAt(at(5), 0, 4), killAt(at(5.2), 0, 2), killAt(at(5.5), 0, 3)];
  expect(bannersOf(quick, [at(5)])).toEqual(["flint", "dune and ember"]);
});

test("what is said of several victims stands below their names, whole", () => {
  const collateral = [2, 3].map((victim) => killAt(at(6), 0, victim, { weapon: "hegrenade" }));
  const caption = { ...captionOf(3, 12), label: "Multi Kill", reason: "2 kills", momentTicks: [at(6), at(6)] };
  const segment = segmentOf(9, { startTick: at(3), captions: [caption] });
  const scene = createClipScene(syntheticTrack(cast, ground, { kills: collateral }), specOf([segment]), {
    ...sceneOptions,
    relief,
  });
  const below = framesOf(scene, "text|600|30|#e6edf5|1|520|HE Grenade  ·  10 m@");
  expect(below.length).toBeGreaterThan(10);
  expect(framesOf(scene, "text|700|30|#ff8c98|1|200|ember@")).toEqual(below);
});

test("the title is there for two seconds at most, once a highlight, and gone before the first kill", () => {
  const scene = sceneOf([3, 7], [8, 16]);
  const shown = videoSecondsOf(scene, "intro-");
  expect(shown.length).toBeGreaterThan(15);
  expect(Math.max(...shown)).toBeLessThanOrEqual(2);
  const late = secondsOf(sceneOf([7.6, 16]), "intro-");
  expect(late.length).toBeGreaterThan(5);
  expect(Math.max(...late)).toBeLessThan(9 - 0.2);
  expect(secondsOf(sceneOf([8.6, 16]), "intro-")).toEqual([]);
});

test("a highlight has its title where its player is followed, not while another one is", () => {
  const cut = 6;
  const segments = [
    segmentOf(cut - 2, { startTick: at(2), player: 2, captions: [captionOf(2, cut)] }),
    segmentOf(16 - cut, { startTick: at(cut), player: 0, captions: [captionOf(cut, 16)] }),
  ];
  const track = syntheticTrack(cast, ground, clutch);
  const sceneWith = (shown: typeof segments) => createClipScene(track, specOf(shown), { ...sceneOptions, relief });
  const followed = secondsOf(sceneWith(segments), "intro-");
  expect(followed.length).toBeGreaterThan(10);
  expect(Math.min(...followed)).toBeGreaterThanOrEqual(cut);
  // Whose turn never comes is told of all the same.
  const unfollowed = secondsOf(sceneWith(segments.slice(0, 1)), "intro-");
  expect(unfollowed.length).toBeGreaterThan(10);
  expect(Math.max(...unfollowed)).toBeLessThan(cut);
});

test("nothing tells how a clutch ends before it is won, and then it is told", () => {
  const roundSeconds = (roundEndTick - freezeEndTick) / tickRate;
  const scene = sceneOf([7, roundSeconds + 2]);
  for (const told of ["clutch-1v2 CLUTCH WON", "outcome-"]) {
    const seconds = secondsOf(scene, told);
    expect(seconds.length).toBeGreaterThan(5);
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(roundSeconds);
  }
  expect(Math.max(...secondsOf(scene, "clutch-1 v 1"))).toBeLessThan(12);
});

test("a cross on the ground is not drawn into a caption, and stands where there is none", () => {
  const wide = walkedArea(-900, -900, 900, 900);
  // Some of the many who fell before lie where the captions of what follows stand.
  const fallen = Array.from({ length: 24 }, (_, i) => ({
    name: `fallen ${i}`,
    team: 1 as const,
    pose: { x: -250 + 100 * (i % 6), y: -300 - 150 * Math.floor(i / 6) },
  }));
  const match = {
    ...clutch,
    deaths: [...(clutch.deaths ?? []), ...fallen.map((_, i) => died(cast.length + i, 1))],
  };
  const scene = createClipScene(
    syntheticTrack([...cast, ...fallen], wide, match),
    specOf([segmentOf(15, { startTick: at(6), captions: [captionOf(6, 21)] })]),
    { ...sceneOptions, relief: buildRelief(wide, { map: "de_test", finestScale: 0.4, maxPixels: 400_000 }) },
  );
  let besides = 0;
  let crosses = 0;
  for (let frame = 0; frame < scene.frameCount && !scene.moment(frame).isEndCard; frame += 3) {
    const { layers } = scene.layers(frame);
    const of = (name: string) => layers.find((layer) => layer.name === name)?.operations ?? [];
    const words = of("banner").flatMap((operation) => boxOf(operation) ?? []);
    const marks = of("deaths").filter(({ op }) => op === "scaled");
    crosses += marks.length;
    if (words.length > 0) besides += 1;
    for (const mark of marks)
      for (const word of words) expect(overlapArea(boxOf(mark)!, word), `frame ${frame}`).toBe(0);
  }
  expect(besides).toBeGreaterThan(0);
  expect(crosses).toBeGreaterThan(0);
});
