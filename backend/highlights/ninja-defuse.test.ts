import { expect, test } from "vitest";
import { detectHighlights } from "./index.ts";
import { found } from "./testing/brief.ts";
import { MatchBuilder, type RoundBuilder } from "./testing/round-builder.ts";

const ninjas = (play: (round: RoundBuilder) => void, match = new MatchBuilder()) =>
  found(match.round({ winner: "b", reason: "bomb_defused" }, play).build(), "ninja_defuse");

test("a defuse with a terrorist alive is a ninja defuse, with none alive it is not", () => {
  expect(ninjas((round) => round.defuse(60, "b1"))).toEqual(["ninja_defuse b1 r1"]);
  const killed = (round: RoundBuilder, last: number) => {
    for (let number = 1; number <= last; number += 1) round.kill(number * 5, "b2", `a${number}`);
    return round.defuse(60, "b1");
  };
  expect(ninjas((round) => killed(round, 4))).toEqual(["ninja_defuse b1 r1"]);
  expect(ninjas((round) => killed(round, 5))).toEqual([]);
});

test("terrorists who fell or left do not make it one", () => {
  expect(
    ninjas((round) => {
      for (const number of [1, 2, 3]) round.kill(number * 5, "b2", `a${number}`);
      round.kill(20, null, "a4", { weapon: "worldspawn" }).leave(25, "a5").defuse(60, "b1");
    }),
  ).toEqual([]);
});

test("it is the side that counts, not the roster", () => {
  const record = new MatchBuilder()
    .round({ winner: "a", reason: "bomb_defused", sideOfA: "CT" }, (round) => round.defuse(60, "a3"))
    .build();
  expect(found(record)).toEqual(["ninja_defuse a3 r1"]);
  expect(detectHighlights(record)[0]?.reason).toBe("Defused with five terrorists alive");
});

test("a defuse told twice is one, and where nobody knows who was left it is none", () => {
  expect(ninjas((round) => round.defuse(60, "b1").defuse(60, "b1"))).toEqual(["ninja_defuse b1 r1"]);
  expect(ninjas((round) => round.defuse(60, "b1").loseTrack())).toEqual([]);
});

test("a bot's defuse is nobody's", () => {
  expect(
    ninjas((round) => round.defuse(60, "bot"), new MatchBuilder(4).person("bot", { team: 1, isBot: true })),
  ).toEqual([]);
});
