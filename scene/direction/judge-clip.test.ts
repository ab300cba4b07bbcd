import { createCanvas } from "@napi-rs/canvas";
import { expect, test } from "vitest";
import type { ClipSegment } from "../../replay/clip-spec.ts";
import type { MatchRecord } from "../../replay/match-record.ts";
import type { PlayerState } from "../../replay/sample-track.ts";
import type { DisplayList, Sprite, SpriteContext } from "../display-list.ts";
import { buildRelief } from "../relief/build-relief.ts";
import { SpriteShelf } from "../sprite-shelf.ts";
import type { LayerName, StagedPlayer } from "../stage.ts";
import {
  canvasKit,
  freezeEndTick,
  killAt,
  roundEndTick,
  sceneOptions,
  segmentOf,
  syntheticTrack,
  tickRate,
  walkedArea,
} from "../testing/synthetic-track.ts";
import { figuresOf } from "./direction-figures.ts";
import type { JudgedScene } from "./drawn-clip.ts";
import { type Findings, judgeClip } from "./judge-clip.ts";
import type { JudgedHighlight, KnownHighlight } from "./judged-highlight.ts";
import { inkReader } from "./sprite-ink.ts";

// Clips drawn by hand, so that each fault is there or not, whatever the scene draws by now.
const frame = { width: 1280, height: 720 };
const framesPerSecond = 60;
const ground = walkedArea(-400, -400, 400, 400);
const relief = buildRelief(ground, { map: "de_test", finestScale: 0.2, maxPixels: 100_000 });
const shelf = new SpriteShelf(1, sceneOptions.measureText, canvasKit);
const inkOf = inkReader((sprite) => {
  const canvas = createCanvas(sprite.width, sprite.height);
  sprite.paint(canvas.getContext("2d") as unknown as SpriteContext, canvasKit);
  return canvas.data();
});

const startTick = freezeEndTick + 10 * tickRate;
const atSecond = (second: number) => startTick + second * tickRate;
const shooter = { x: 500, y: 300 };
const victim = { x: 800, y: 300 };
const cast = [
  { name: "Nova", team: 0 as const, pose: { x: 0, y: 0 } },
  { name: "who won", team: 1 as const, pose: { x: 100, y: 0 } },
];
/** The shooter kills in the clip's fourth second, and shoots twice before. */
const recordWith = (changes: Partial<MatchRecord> = {}): MatchRecord =>
  syntheticTrack(cast, ground, {
    kills: [killAt(atSecond(4), 0, 1)],
    deaths: [{ tick: atSecond(4), round: 1, player: 1, cause: "kill" }],
    shots: [atSecond(1.5), atSecond(3)].map((tick) => ({ tick, player: 0, weapon: "ak47", yaw: 0 })),
    ...changes,
  }).record;

const wallbang: JudgedHighlight = {
  type: "wallbang",
  round: 1,
  player: 0,
  reason: "Through a wall at 12 m",
  momentTicks: [atSecond(4)],
};
const clutch: JudgedHighlight = {
  ...wallbang,
  type: "clutch_1v3",
  reason: "Last alive against three, 3 kills and the defuse",
};

/** What stands in the layers of a frame at a second of the video. */
type Drawing = (second: number, tick: number) => Partial<Record<LayerName, DisplayList>>;

interface HandDrawn {
  seconds?: number;
  /** Of those the last. */
  endCardSeconds?: number;
  draw?: Drawing;
  state?: Partial<PlayerState>;
  /** Ticks from the beginning, at a second of the video. */
  tickOf?: (second: number) => number;
  segments?: [ClipSegment, ...ClipSegment[]];
  /** What was found in the match. */
  known?: KnownHighlight[];
}

const paintOrder: readonly LayerName[] = [
  "map",
  "deaths",
  "smoke",
  "players",
  "names",
  "radar",
  "title",
  "banner",
  "clutchScore",
];

function judged(highlight: JudgedHighlight, record: MatchRecord, drawn: HandDrawn = {}): Findings {
  const { seconds = 6, endCardSeconds = 0, draw = () => ({}), tickOf = (second) => second * tickRate } = drawn;
  const segments = drawn.segments ?? [segmentOf(60, { startTick })];
  const moment = (index: number) => {
    const tick = startTick + tickOf(index / framesPerSecond);
    const segment = segments.find((candidate) => tick >= candidate.startTick && tick < candidate.endTick);
    if (!segment) throw new RangeError(`No segment at ${tick}.`);
    return { segment, tick, isEndCard: index >= (seconds - endCardSeconds) * framesPerSecond };
  };
  const layers = (index: number) => {
    const { tick } = moment(index);
    const isDead = tick >= atSecond(4);
    const players = [playerAt(0, shooter, true, drawn.state), playerAt(1, victim, !isDead, drawn.state)];
    const byLayer: Partial<Record<LayerName, DisplayList>> = {
      players: players.flatMap(({ x, y, isAlive }) => (isAlive ? [token(x, y)] : [])),
      deaths: isDead ? [{ op: "scaled", sprite: cross, ...victim, width: 26, height: 20, alpha: 0.95 }] : [],
      ...draw(index / framesPerSecond, tick),
    };
    return { players, layers: paintOrder.map((name) => ({ name, operations: byLayer[name] ?? [] })) };
  };
  const scene: JudgedScene = {
    frameCount: Math.round(seconds * framesPerSecond),
    framesPerSecond,
    moment,
    layers,
  };
  return judgeClip(scene, highlight, { record, relief, frame, inkOf, known: drawn.known ?? [highlight] }).findings;
}

function playerAt(player: number, place: { x: number; y: number }, isAlive: boolean, changes = {}): StagedPlayer {
  const state = { x: 0, y: 0, z: 0, airborne: false, ...changes } as PlayerState;
  return { player, side: player === 0 ? "CT" : "T", state, isAlive, isFollowed: player === 0, opacity: 1, ...place };
}

const token = (x: number, y: number): DisplayList[number] => ({
  op: "ring",
  x,
  y,
  radius: 10.3,
  width: 3,
  squash: 1,
  fraction: 1,
  colour: "#ffffff",
  alpha: 1,
});
const filled = (key: string, width: number, height: number): Sprite =>
  shelf.sprite(key, width, height, (context) => {
    context.fillStyle = "#101820";
    context.fillRect(0, 0, width, height);
  });
const cross = filled("cross", 26, 26);
const panel = filled("panel", 100, 60);
const cloud = filled("cloud", 120, 120);
const panelOver = ({ x, y }: { x: number; y: number }, alpha = 1): DisplayList => [
  { op: "sprite", sprite: panel, x: x - 50, y: y - 30, alpha },
];
const words = (text: string, size = 40, alpha = 1): DisplayList => [
  { op: "sprite", sprite: shelf.text(text, { weight: 700, size, colour: "#ffffff" }), x: 40, y: 600, alpha },
];

test("a kill is hidden when a panel covers shooter or victim within half a second of it", () => {
  const under = (place: typeof victim, from: number, to: number, alpha = 1) =>
    judged(wallbang, recordWith(), {
      draw: (second) => (second >= from && second < to ? { radar: panelOver(place, alpha) } : {}),
    }).hidden;
  expect(under(victim, 4.3, 6)).toBe(1);
  expect(under(shooter, 3, 3.7)).toBe(1);
  expect(under(victim, 4.7, 6)).toBe(0);
  expect(under(shooter, 0, 3.4)).toBe(0);
  expect(under(victim, 3, 5, 0.1)).toBe(0);
  expect(under({ x: victim.x + 70, y: victim.y }, 3, 5)).toBe(0);
  expect(under({ x: victim.x + 54, y: victim.y }, 3, 5)).toBe(1);
});

test("who is drawn nowhere, or outside of the frame, at the kill is as hidden", () => {
  const hidden = (draw: Drawing) => judged(wallbang, recordWith(), { draw }).hidden;
  expect(hidden(() => ({}))).toBe(0);
  expect(hidden((second) => (second > 4.2 ? { deaths: [] } : {}))).toBe(1);
  expect(hidden((second) => (second < 3.8 ? { players: [token(victim.x, victim.y)] } : {}))).toBe(1);
  expect(hidden((second) => (second < 3.4 ? { players: [] } : {}))).toBe(0);
});

test("names beside tokens are no panels", () => {
  expect(judged(wallbang, recordWith(), { draw: () => ({ names: panelOver(victim) }) }).hidden).toBe(0);
});

test("kills of others and of team-mates are not counted", () => {
  const kills = [killAt(atSecond(2), 1, 0), killAt(atSecond(3), 0, 0), killAt(atSecond(4), 0, 1)];
  expect(judged(wallbang, recordWith({ kills })).kills).toBe(1);
  expect(judged(wallbang, recordWith({ kills: kills.slice(0, 2) })).kills).toBe(0);
});

test("the headline is wrong when it names something else than the type, or nothing", () => {
  const said = (text: string, highlight = wallbang, from = 4.1) =>
    judged(highlight, recordWith(), { draw: (second) => (second >= from ? { banner: words(text) } : {}) })
      .wrongHeadline;
  expect(said("WALLBANG")).toBe(0);
  expect(said("DOUBLE KILL")).toBe(1);
  expect(said("NO SCOPE")).toBe(1);
  expect(said("AWP  ·  WALLBANG")).toBe(1);
  expect(said("WALLBANG", wallbang, 5.7)).toBe(1);
  expect(said("KNIFE", { ...wallbang, type: "knife_kill" })).toBe(0);
  expect(said("TRIPLE KILL", { ...wallbang, type: "triple_kill" })).toBe(0);
  expect(said("DOUBLE KILL", { ...wallbang, type: "triple_kill" })).toBe(1);
  const inTitle = judged(wallbang, recordWith(), { draw: () => ({ title: words("WALLBANG") }) });
  expect(inTitle.wrongHeadline).toBe(1);
  const faint = judged(wallbang, recordWith(), { draw: () => ({ banner: words("WALLBANG", 40, 0.3) }) });
  expect(faint.wrongHeadline).toBe(1);
});

const wonAt = 6;
const clutchRecord = (): MatchRecord => {
  const record = recordWith();
  return { ...record, rounds: record.rounds.map((round) => ({ ...round, endTick: atSecond(wonAt) })) };
};

test("a clutch is headlined when it is won", () => {
  const said = (text: string) =>
    judged(clutch, clutchRecord(), {
      seconds: 8,
      draw: (second) => (second >= wonAt ? { clutchScore: words(text) } : {}),
    }).wrongHeadline;
  expect(said("1v3 CLUTCH WON")).toBe(0);
  expect(said("1v4 CLUTCH WON")).toBe(1);
});

test("a clutch that nobody won is a wrong headline, in a clip of something else, too", () => {
  const said = (text: string, known: KnownHighlight[], highlight = wallbang) =>
    judged(highlight, clutchRecord(), {
      seconds: 8,
      known,
      draw: (second) => ({
        ...(second >= 4 && highlight === wallbang ? { banner: words("WALLBANG") } : {}),
        ...(second >= wonAt ? { clutchScore: words(text) } : {}),
      }),
    }).wrongHeadline;
  expect(said("1v3 CLUTCH WON", [wallbang])).toBe(1);
  expect(said("1v3 CLUTCH WON", [wallbang, clutch])).toBe(0);
  expect(said("1v4 CLUTCH WON", [wallbang, clutch])).toBe(1);
  expect(said("1v3 CLUTCH WON", [wallbang, { ...clutch, player: 1 }])).toBe(1);
  expect(said("1v3 CLUTCH WON", [wallbang, { ...clutch, round: 2 }])).toBe(1);
  expect(said("1 v 3", [wallbang])).toBe(0);
  expect(said("1v4 CLUTCH WON", [clutch], clutch)).toBe(1);
});

test("a win is told too early by whatever says it before the round is decided", () => {
  const told = (layer: LayerName, text: string, from: number, highlight = clutch) =>
    judged(highlight, clutchRecord(), {
      seconds: 8,
      draw: (second) => (second >= from ? { [layer]: words(text) } : {}),
    }).toldEarly;
  expect(told("clutchScore", "1v3 CLUTCH WON", 4)).toBe(1);
  expect(told("clutchScore", "1v3 CLUTCH WON", wonAt)).toBe(0);
  expect(told("title", "3 kills and the defuse", 0)).toBe(1);
  expect(told("title", "Last alive against three, 3 kills", 0)).toBe(1);
  expect(told("title", "Last alive against three, 3 kills", wonAt)).toBe(0);
  expect(told("title", "1v3 CLUTCH", 0)).toBe(0);
  expect(told("title", "who won", 0)).toBe(0);
  expect(told("title", "NINJA DEFUSE", 0, { ...wallbang, type: "ninja_defuse" })).toBe(0);
  expect(told("banner", "BOMB DEFUSED", 4, { ...wallbang, type: "ninja_defuse" })).toBe(1);
});

test("what the bomb does decides the round", () => {
  const bomb = [
    { tick: atSecond(5), kind: "defused" as const, player: 0, site: "A" as const, hasKit: true, position: null },
  ];
  const told = (record: MatchRecord) =>
    judged(wallbang, record, { seconds: 8, draw: (second) => (second >= 5 ? { banner: words("BOMB DEFUSED") } : {}) })
      .toldEarly;
  expect(told({ ...clutchRecord(), bomb })).toBe(0);
  expect(told(clutchRecord())).toBe(1);
});

test("a clutch's win is shown when the clip goes on and says so", () => {
  const shown = (seconds: number, text: string, highlight = clutch) =>
    judged(highlight, clutchRecord(), {
      seconds,
      draw: (second) => (second >= wonAt ? { clutchScore: words(text) } : {}),
    }).notShown;
  expect(shown(8, "1v3 CLUTCH WON")).toBe(0);
  expect(shown(6.2, "1v3 CLUTCH WON")).toBe(1);
  expect(shown(5, "1v3 CLUTCH WON")).toBe(1);
  expect(shown(8, "1 v 0")).toBe(1);
  expect(shown(5, "", wallbang)).toBe(0);
});

test("a clip is cut short that ends less than 1.2 s of video after the last kill", () => {
  const cut = (drawn: HandDrawn, highlight = wallbang) => judged(highlight, recordWith(), drawn).cutShort;
  expect(cut({ seconds: 5.25 })).toBe(0);
  expect(cut({ seconds: 5.1 })).toBe(1);
  expect(cut({ seconds: 3.9 })).toBe(1);
  // The half second after the kill at a third of its speed.
  expect(cut({ seconds: 5.5, tickOf: (second) => tickRate * Math.min(second, 4 + (second - 4) / 3) })).toBe(0);
  expect(cut({ seconds: 5.5, tickOf: (second) => tickRate * second * 0.9 })).toBe(1);
  expect(cut({ seconds: 3 }, { ...clutch, momentTicks: [] })).toBe(0);
});

test("an end card is neither play nor waiting: it completes no highlight that is cut short, and nobody is idle in it", () => {
  const withCard = judged(wallbang, recordWith(), { seconds: 7, endCardSeconds: 2 });
  expect(withCard).toMatchObject({ cutShort: 1, idleFrames: 0, frames: 5 * framesPerSecond });
  expect(withCard.looks).toBe((7 * framesPerSecond) / 4);
});

test("a cut after the kill ends it as well, a change of the camera does not", () => {
  const first = segmentOf(5, { startTick });
  const cut = (second: ClipSegment) =>
    judged(wallbang, recordWith(), { seconds: 6, segments: [first, second] }).cutShort;
  expect(cut({ ...segmentOf(5, { startTick: first.endTick }), player: 1 })).toBe(0);
  expect(cut({ ...segmentOf(5, { startTick: first.endTick }), round: 2 })).toBe(1);
});

test("idle is who does nothing for more than two seconds of video", () => {
  const idle = (changes: Partial<MatchRecord>, drawn: HandDrawn = {}) =>
    judged(wallbang, recordWith(changes), drawn).idleFrames / framesPerSecond;
  const shots = (...seconds: number[]) => ({
    shots: seconds.map((second) => ({ tick: atSecond(second), player: 0, weapon: "ak47", yaw: 0 })),
  });
  expect(idle({})).toBe(0);
  expect(idle(shots(3))).toBeCloseTo(3, 1);
  expect(idle(shots(3), { seconds: 7 })).toBeCloseTo(6, 1);
  expect(idle({ ...shots(), kills: [] })).toBeCloseTo(6, 1);
  expect(idle({ ...shots(3), damages: [hitOn(0, atSecond(1.5))] })).toBe(0);
  expect(idle({ ...shots(3), damages: [hitOn(1, atSecond(1.5))] })).toBeCloseTo(3, 1);
  const defuse = (["defuse_begin", "defused"] as const).map((kind, i) => {
    return { tick: atSecond(i * 3), kind, player: 0, site: "A" as const, hasKit: false, position: null };
  });
  expect(idle({ ...shots(), bomb: defuse })).toBe(0);
  // Three seconds of the round in one of the video.
  expect(idle(shots(3), { seconds: 4, tickOf: (second) => tickRate * (second < 1 ? 3 * second : second + 2) })).toBe(0);
});

function hitOn(hitPlayer: number, tick: number): MatchRecord["damages"][number] {
  const [health, armor, healthAfter] = [20, 0, 80];
  return { tick, attacker: 7, victim: hitPlayer, weapon: "ak47", health, armor, healthAfter, hitGroup: "chest" };
}

test("the smallest text is that of the sprites drawn, legible and within the frame", () => {
  const smallest = (list: DisplayList) =>
    judged(wallbang, recordWith(), { draw: () => ({ names: list }) }).smallestTextPx390;
  const [label] = words("dune", 14);
  if (label?.op !== "sprite") throw new Error("No label.");
  const at14 = (14 * 390) / 1280;
  expect(smallest([...words("DUNE", 40), label])).toBeCloseTo(at14);
  expect(
    smallest([{ ...label, op: "scaled", width: 2 * label.sprite.width, height: 2 * label.sprite.height }]),
  ).toBeCloseTo(2 * at14);
  expect(smallest([{ ...label, op: "affine", a: 0, b: 3, c: -3, d: 0 }])).toBeCloseTo(3 * at14);
  expect(smallest([{ ...label, alpha: 0.3 }])).toBe(Number.POSITIVE_INFINITY);
  expect(smallest([{ ...label, x: -400 }])).toBe(Number.POSITIVE_INFINITY);
  expect(smallest([])).toBe(Number.POSITIVE_INFINITY);
});

test("panels cover what they cover together, once", () => {
  const share = (list: DisplayList) => {
    const { panelShares, looks } = judged(wallbang, recordWith(), { draw: () => ({ radar: list }) });
    return (panelShares / looks) * frame.width * frame.height;
  };
  const [one] = panelOver({ x: 200, y: 200 });
  if (one?.op !== "sprite") throw new Error("No panel.");
  expect(share([one])).toBeCloseTo(100 * 60);
  expect(share([one, { ...one, x: one.x + 50 }])).toBeCloseTo(150 * 60);
  expect(share([one, { ...one, x: one.x + 200 }])).toBeCloseTo(200 * 60);
  expect(share([{ ...one, x: -60 }])).toBeCloseTo(40 * 60);
  expect(share([])).toBe(0);
});

test("players on their feet are off the ground when it is drawn elsewhere", () => {
  const off = (state: Partial<PlayerState>) => {
    const { offGround, grounded } = judged(wallbang, recordWith(), { state, seconds: 3 });
    return grounded === 0 ? null : offGround / grounded;
  };
  expect(off({})).toBe(0);
  expect(off({ z: 30 })).toBe(0);
  expect(off({ z: 60 })).toBe(1);
  expect(off({ z: -60 })).toBe(1);
  expect(off({ x: 560 })).toBe(1);
  expect(off({ z: 60, airborne: true })).toBe(null);
});

test("a death lies below smoke that is painted over its cross", () => {
  const clouds: DisplayList = [{ op: "scaled", sprite: cloud, x: 810, y: 310, width: 100, height: 80, alpha: 0.8 }];
  const below = (draw: ReturnType<Drawing>) => judged(wallbang, recordWith(), { draw: () => draw }).belowSmoke;
  expect(below({ smoke: clouds })).toBe(1);
  expect(below({ smoke: clouds.map((operation) => ({ ...operation, alpha: 0.4 })) })).toBe(0);
  expect(below({ smoke: clouds.map((operation) => ({ ...operation, x: 900 })) })).toBe(0);
  expect(below({ map: clouds })).toBe(0);
});

test("figures of several clips are sums, shares of all their time, and the smallest text", () => {
  const one = judged(wallbang, recordWith(), { draw: () => ({ names: words("dune", 14), radar: panelOver(victim) }) });
  const other = judged(wallbang, recordWith({ shots: [], kills: [] }), {
    seconds: 12,
    draw: () => ({ names: words("dune", 28) }),
  });
  const figures = figuresOf([one, other]);
  expect(figures).toMatchObject({ kills: 1, hidden: 1, wrongHeadline: 2, cutShort: 0, toldEarly: 0, notShown: 0 });
  expect(figures.idleShare).toBeCloseTo(12 / 18, 2);
  expect(figures.panelShare).toBeCloseTo((100 * 60) / (1280 * 720) / 3, 4);
  expect(figures.smallestTextPx390).toBeCloseTo((14 * 390) / 1280);
  expect(figuresOf([])).toMatchObject({ kills: 0, idleShare: 0, smallestTextPx390: null });
  expect(roundEndTick).toBeGreaterThan(atSecond(12));
});
