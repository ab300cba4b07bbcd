import { expect, test } from "vitest";
import { detectHighlights } from "./index.ts";
import { type KillSetup, MatchBuilder, type RoundBuilder, type RoundSetup } from "./testing/round-builder.ts";

const untraced = { traced: false };

function score(
  type: string,
  play: (round: RoundBuilder) => void,
  setup: RoundSetup = {},
  match = new MatchBuilder(),
): number {
  const record = match.round({ winner: "a", ...setup }, play).build();
  const found = detectHighlights(record).find((highlight) => highlight.type === type);
  if (!found) throw new Error(`no ${type}`);
  return found.score;
}

/** `count` kills of a1, `pause` seconds apart. */
const kills =
  (count: number, pause: number, setup: KillSetup = untraced) =>
  (round: RoundBuilder) => {
    for (let number = 1; number <= count; number += 1) round.kill(number * pause, "a1", `b${number}`, setup);
  };

/** a1 alone against `opponents`, all of whom he kills. */
const clutch = (opponents: number) => (round: RoundBuilder) => {
  for (let number = 5; number > opponents; number -= 1) round.kill(1, "a2", `b${number}`, untraced);
  for (const number of [2, 3, 4, 5]) round.kill(number * 2, "b1", `a${number}`, untraced);
  for (let number = 1; number <= opponents; number += 1) round.kill(15 + number * 6, "a1", `b${number}`, untraced);
};

function expectAscending(scores: number[]): void {
  expect([...scores].sort((a, b) => a - b)).toEqual(scores);
  expect(new Set(scores).size).toBe(scores.length);
}

test("more kills rank higher", () => {
  expectAscending([
    score("multi_kill", kills(2, 2)),
    score("triple_kill", kills(3, 2)),
    score("quad_kill", kills(4, 2)),
    score("ace", kills(5, 2)),
  ]);
});

test("clutches rank by the number of opponents, and above the kills they are made of", () => {
  const clutches = [2, 3, 4, 5].map((opponents) => score(`clutch_1v${opponents}`, clutch(opponents)));
  expectAscending(clutches);
  expect(clutches[1]).toBeGreaterThan(score("triple_kill", clutch(3)));
  expect(clutches[2]).toBeGreaterThan(score("quad_kill", clutch(4)));
  expect(clutches[3]).toBeGreaterThan(score("ace", clutch(5)));
});

test("a clutch in which the player does nothing ranks below one he fights", () => {
  const idle = score("clutch_1v5", (round) => {
    for (const number of [2, 3, 4, 5]) round.kill(number * 2, "b1", `a${number}`, untraced);
  });
  expect(idle).toBeLessThan(score("clutch_1v3", clutch(3)));
});

test("the same kills rank higher the faster they come", () => {
  expectAscending([12, 4, 2, 0.5].map((pause) => score("triple_kill", kills(3, pause))));
});

test("each thing that makes a kill harder adds to it", () => {
  const plain = score("triple_kill", kills(3, 2));
  const harder: KillSetup[] = [
    { headshot: true },
    { penetrated: 1 },
    { weapon: "awp", noScope: true },
    { throughSmoke: true },
    { attackerInAir: true },
    { attackerBlind: true },
    { weapon: "knife" },
    { weapon: "taser" },
    { weapon: "deagle" },
  ];
  for (const setup of harder) {
    expect(score("triple_kill", kills(3, 2, { ...untraced, ...setup })), JSON.stringify(setup)).toBeGreaterThan(plain);
  }
});

test("a longer headshot streak ranks higher", () => {
  const streak = (count: number) =>
    score("headshot_streak", kills(count, 6, { ...untraced, headshot: true }), { number: 20, scoreBefore: [3, 9] });
  expect([3, 4, 5].map(streak)).toEqual([26, 34, 42]);
});

test("what a type is about is not counted twice", () => {
  const usual = { number: 20, scoreBefore: [3, 9] as [number, number] };
  const wallbang = (setup: KillSetup) =>
    score("wallbang", kills(1, 2, { ...untraced, penetrated: 1, ...setup }), usual);
  const smoke = (setup: KillSetup) =>
    score("through_smoke", kills(1, 2, { ...untraced, throughSmoke: true, ...setup }), usual);
  expect([wallbang({}), smoke({})]).toEqual([14, 13]);
  expect(wallbang({ throughSmoke: true }) - wallbang({})).toBeCloseTo(5);
  expect(smoke({ penetrated: 1 }) - smoke({})).toBeCloseTo(4);
});

test("match point, overtime, a pistol round and a close score weigh more, a lost round less", () => {
  const twoHalves = () => new MatchBuilder().round({ sideOfA: "CT", number: 1 }).round({ sideOfA: "T", number: 13 });
  const late = (setup: RoundSetup) =>
    score("triple_kill", kills(3, 2), { number: 20, sideOfA: "T", ...setup }, twoHalves());
  const usual = late({ scoreBefore: [3, 9] });
  expect(late({ scoreBefore: [7, 12] })).toBeGreaterThan(usual);
  expect(late({ scoreBefore: [9, 9] })).toBeGreaterThan(usual);
  expect(late({ number: 26, overtime: 1, scoreBefore: [12, 13] })).toBeGreaterThan(usual);
  expect(score("triple_kill", kills(3, 2), { number: 1 })).toBeGreaterThan(usual);
  expect(late({ scoreBefore: [3, 9], winner: "b" })).toBeLessThan(usual);
});

test("a recording that begins after half time has a match point where its end tells the length of the match", () => {
  const scoreOf = (scoreBefore: [number, number], end: [number, number]) => {
    const match = new MatchBuilder().round({ winner: "a", number: 20, scoreBefore }, kills(3, 2));
    const record = match.round({ winner: "a", number: 21, scoreBefore: end }).build();
    return detectHighlights(record).find(({ type }) => type === "triple_kill")?.score;
  };
  const usual = scoreOf([10, 5], [11, 5]);
  // A match of 24 rounds, and one of possibly 30.
  expect(scoreOf([12, 5], [12, 7])).toBeGreaterThan(usual!);
  expect(scoreOf([12, 5], [13, 7])).toBe(usual);
});

test("who changed teams has won the rounds of their new one", () => {
  const record = new MatchBuilder()
    .round({ winner: "b", number: 20 }, kills(3, 2))
    .round({ winner: "b", number: 21 }, kills(3, 2))
    .build();
  const changed = record.rounds[1]!;
  const [first, second] = changed.aliveAtFreezeEnd;
  changed.aliveAtFreezeEnd = [first.slice(1), [...second, first[0]!]];
  const [lost, won] = detectHighlights(record)
    .filter(({ type }) => type === "triple_kill")
    .map(({ score }) => score);
  expect(won).toBeGreaterThan(lost!);
});

test("the pistol round after half time is known from when the sides swapped", () => {
  const rounds = (swapAfter: number) => {
    const match = new MatchBuilder();
    for (let number = 1; number <= swapAfter + 2; number += 1) {
      match.round({ winner: "a", sideOfA: number > swapAfter ? "CT" : "T", scoreBefore: [0, 3] }, kills(3, 2));
    }
    return detectHighlights(match.build())
      .filter(({ type }) => type === "triple_kill")
      .map(({ score }) => score);
  };
  const short = rounds(8);
  expect(short[8]).toBeGreaterThan(short[9]!);
  expect(short[0]).toBeGreaterThan(short[1]!);
});
