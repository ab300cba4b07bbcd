import { expect, test } from "vitest";
import { type HighlightType, highlightLabel, highlightTypes } from "../contract/highlight-types.ts";
import type { ClipCaption } from "../replay/clip-spec.ts";
import { decodeReplayTrack } from "../replay/decode-track.ts";
import { encodeReplayTrack } from "../replay/encode-track.ts";
import type { MatchRecord, RecordedKill } from "../replay/match-record.ts";
import { sliceReplayTrack } from "../replay/slice-track.ts";
import { headlinedMoments } from "./moment-headlines.ts";
import { SegmentTimeline } from "./segment-timeline.ts";
import { freezeEndTick, killAt, segmentOf, syntheticTrack, tickRate, walkedArea } from "./testing/synthetic-track.ts";

const ground = walkedArea(-300, -300, 300, 300);
const cast = ["Nova", "mate", "b1", "b2", "b3", "b4", "b5"].map((name, i) => ({
  name,
  team: (i < 2 ? 0 : 1) as 0 | 1,
  pose: { x: 40 * i - 120, y: 0 },
}));
const at = (second: number) => freezeEndTick + second * tickRate;

/** Captions of player 0: a type and the seconds of its moments. */
function headlines(
  kills: RecordedKill[],
  highlights: [HighlightType, ...number[]][],
  changes: Partial<MatchRecord> = {},
): (string | null)[][] {
  const captions = highlights.map(([type, ...seconds]): ClipCaption => {
    const momentTicks = seconds.map(at);
    return { ...segmentOf(20).captions[0]!, label: highlightLabel(type), momentTicks };
  });
  const track = syntheticTrack(cast, ground, { kills, ...changes });
  const timeline = new SegmentTimeline(track, segmentOf(20, { captions }));
  return headlinedMoments(timeline).map(({ headline, words }) => [headline, ...words]);
}

test("a clip of one kill names what that kill is, and nothing of the kills beside it", () => {
  const kills = [killAt(at(3), 0, 2), killAt(at(4), 0, 3, { penetrated: 1, headshot: true }), killAt(at(5), 0, 4)];
  expect(headlines(kills, [["wallbang", 4]])).toEqual([
    [null, "AK-47"],
    ["WALLBANG", "AK-47", "HEADSHOT"],
    [null, "AK-47"],
  ]);
});

test("a kill that completes a highlight is called by its name, those before it are counted", () => {
  const kills = [3, 5, 7, 9].map((second, i) => killAt(at(second), 0, 2 + i));
  expect(headlines(kills, [["quad_kill", 3, 5, 7, 9]]).map(([headline]) => headline)).toEqual([
    "FIRST BLOOD",
    "DOUBLE KILL",
    "TRIPLE KILL",
    "QUAD KILL",
  ]);
  const ofStreak = headlines(kills.slice(0, 3), [["headshot_streak", 3, 5, 7]]);
  expect(ofStreak.at(-1)?.[0]).toBe("HEADSHOT STREAK");
});

test("a kill that completes the smaller of two highlights is called by that, not counted for the larger", () => {
  const kills = [3, 5, 7, 9].map((second, i) => killAt(at(second), 0, 2 + i, { headshot: i < 3 }));
  const found = headlines(kills, [
    ["quad_kill", 3, 5, 7, 9],
    ["headshot_streak", 3, 5, 7],
  ]);
  expect(found.map(([headline]) => headline)).toEqual(["FIRST BLOOD", "DOUBLE KILL", "HEADSHOT STREAK", "QUAD KILL"]);
});

test("kills of one bullet complete their highlight together", () => {
  const kills = [killAt(at(3), 0, 2, { penetrated: 1 }), killAt(at(3), 0, 3, { penetrated: 1 })];
  expect(headlines(kills, [["multi_kill", 3, 3]]).map(([headline]) => headline)).toEqual(["MULTI KILL", "MULTI KILL"]);
});

test("a kill that is a highlight of its own is named on the way to another one, and below its name at the end", () => {
  const kills = [3, 5, 7].map((second, i) => killAt(at(second), 0, 2 + i, { throughSmoke: i > 0 }));
  const found = headlines(kills, [
    ["triple_kill", 3, 5, 7],
    ["through_smoke", 5],
    ["through_smoke", 7],
  ]);
  expect(found).toEqual([
    ["FIRST BLOOD", "AK-47"],
    ["THROUGH SMOKE", "AK-47"],
    ["TRIPLE KILL", "AK-47", "THROUGH SMOKE"],
  ]);
});

test("a knife is called by its name, fire and both default knives by a word", () => {
  const nameOf = (weapon: string, type: HighlightType) => headlines([killAt(at(3), 0, 2, { weapon })], [[type, 3]])[0];
  expect(nameOf("knife_flip", "knife_kill")).toEqual(["KNIFE KILL", "Flip Knife"]);
  expect(nameOf("knife_t", "knife_kill")).toEqual(["KNIFE KILL", "Knife"]);
  expect(nameOf("bayonet", "knife_kill")).toEqual(["KNIFE KILL", "Bayonet"]);
  expect(nameOf("inferno", "molly_kill")).toEqual(["MOLLY KILL", "Fire"]);
  expect(nameOf("hegrenade", "nade_kill")).toEqual(["NADE KILL", "HE Grenade"]);
});

test("every type of one kill has its moment", () => {
  const single = highlightTypes.filter((type) => !/^(ace|quad|triple|multi|clutch|headshot|ninja)/.test(type));
  for (const type of single) {
    expect(headlines([killAt(at(3), 0, 2)], [[type, 3]])[0]?.[0]).toBe(highlightLabel(type).toUpperCase());
  }
});

test("a defuse of the player is a moment, ninja or not; somebody else's is none", () => {
  const bomb = (player: number): MatchRecord["bomb"] => [
    { tick: at(6), kind: "defused", player, site: "A", hasKit: true, position: null },
  ];
  expect(headlines([], [["ninja_defuse", 6]], { bomb: bomb(0) })).toEqual([
    ["NINJA DEFUSE", "Defuse kit", "BOMB DEFUSED"],
  ]);
  expect(headlines([killAt(at(3), 0, 2)], [["clutch_1v2", 3, 6]], { bomb: bomb(0) })).toEqual([
    [null, "AK-47"],
    ["BOMB DEFUSED", "Defuse kit"],
  ]);
  expect(headlines([], [["ninja_defuse", 6]], { bomb: bomb(1) })).toEqual([]);
});

test("of the kill that completes a highlight it is told what it took and from how far, of others it is not", () => {
  const kills = [killAt(at(3), 0, 2, { distance: 8 }), killAt(at(5), 0, 3, { distance: 22.6 })];
  const hit = { armor: 0, healthAfter: 0, weapon: "ak47", hitGroup: "chest", attacker: 0 };
  const damages = [
    { ...hit, tick: at(3), victim: 2, health: 100 },
    { ...hit, tick: at(4), victim: 3, health: 12, healthAfter: 88, attacker: 1 },
    { ...hit, tick: at(4.5), victim: 3, health: 27, healthAfter: 61 },
    // As an AWP's: what it would have taken of somebody with more.
    { ...hit, tick: at(5), victim: 3, health: 352 },
  ];
  const captions = [{ ...segmentOf(20).captions[0]!, label: "Multi Kill", momentTicks: [at(3), at(5)] }];
  const timeline = new SegmentTimeline(syntheticTrack(cast, ground, { kills, damages }), segmentOf(20, { captions }));
  expect(headlinedMoments(timeline).map(({ circumstances }) => circumstances)).toEqual([[], ["88 in 2 hits", "23 m"]]);
});

test("what a kill took in all does not depend on when the clip begins, and ends with the life in which it was taken", () => {
  const hit = { armor: 0, weapon: "ak47", hitGroup: "chest", attacker: 0, victim: 2 };
  const kills = [killAt(at(6), 0, 2), killAt(at(29), 0, 2), killAt(at(30), 0, 3)];
  const damages = [
    { ...hit, tick: at(5), health: 60, healthAfter: 40 },
    { ...hit, tick: at(6), health: 80, healthAfter: 0 },
    // In the body of a bot.
    { ...hit, tick: at(8), health: 30, healthAfter: 70 },
    { ...hit, tick: at(10), victim: 3, health: 45, healthAfter: 55 },
    { ...hit, tick: at(29), health: 110, healthAfter: 0 },
    { ...hit, tick: at(30), victim: 3, health: 53, healthAfter: 2 },
    { ...hit, tick: at(30), victim: 3, health: 90, healthAfter: 0 },
  ];
  const track = syntheticTrack(cast, ground, { kills, damages });
  for (const from of [1, 24, 28]) {
    const captions = [at(29), at(30)].map((tick) => ({
      ...segmentOf(20).captions[0]!,
      label: "Wallbang",
      momentTicks: [tick],
    }));
    const timeline = new SegmentTimeline(track, segmentOf(32 - from, { startTick: at(from), captions }));
    const told = headlinedMoments(timeline).filter(({ tick }) => tick >= at(29));
    expect(told.map(({ circumstances }) => circumstances[0])).toEqual(["100 in 2 hits", "100 in 3 hits"]);
  }
});

test("a preview tells what a kill took as the video does, however early in the round", () => {
  const hit = { armor: 0, weapon: "ak47", hitGroup: "chest", attacker: 0, victim: 2 };
  const damages = [
    { ...hit, tick: at(1), health: 70, healthAfter: 30 },
    { ...hit, tick: at(38), health: 99, healthAfter: 0 },
  ];
  const captions = [{ ...segmentOf(20).captions[0]!, label: "Wallbang", momentTicks: [at(38)] }];
  const segment = segmentOf(3, { startTick: at(36.5), captions });
  const track = syntheticTrack(cast, ground, { kills: [killAt(at(38), 0, 2)], damages });
  const preview = decodeReplayTrack(sliceReplayTrack(encodeReplayTrack(track), [segment]));
  const [video, previewed] = [track, preview].map((of) => headlinedMoments(new SegmentTimeline(of, segment)));
  expect(video?.[0]?.circumstances).toEqual(["100 in 2 hits", "10 m"]);
  expect(previewed).toEqual(video);
});
