import { expect, test } from "vitest";
import { found } from "./testing/brief.ts";
import { MatchBuilder, type RoundBuilder } from "./testing/round-builder.ts";

const killFive = (round: RoundBuilder) =>
  [1, 2, 3, 4, 5].forEach((number) => {
    round.kill(number * 10, "a1", `b${number}`);
  });

test("killing the whole enemy team is an ace and no quad, triple or multi kill", () => {
  expect(found(new MatchBuilder().round({ winner: "a" }, killFive).build())).toEqual(["ace a1 r1"]);
});

test("an opponent who falls, leaves or is killed by a team-mate makes it no ace", () => {
  const four = (round: RoundBuilder) =>
    round.kill(10, "a1", "b1").kill(20, "a1", "b2").kill(30, "a1", "b3").kill(40, "a1", "b4");
  for (const fifth of [
    (round: RoundBuilder) => round.kill(50, null, "b5", { weapon: "worldspawn" }),
    (round: RoundBuilder) => round.leave(50, "b5"),
    (round: RoundBuilder) => round.kill(50, "a2", "b5"),
  ]) {
    const record = new MatchBuilder().round({ winner: "a" }, (round) => fifth(four(round))).build();
    expect(found(record)).toEqual(["quad_kill a1 r1"]);
  }
});

test("five kills are no ace while a sixth opponent is not his", () => {
  expect(found(new MatchBuilder(6).round({ winner: "a" }, killFive).build(), "ace")).toEqual([]);
});

test("killing all of a team of four is a quad kill", () => {
  const record = new MatchBuilder()
    .round({ winner: "a", away: ["b5"] }, (round) =>
      round.kill(1, "a1", "b1").kill(20, "a1", "b2").kill(30, "a1", "b3").kill(40, "a1", "b4"),
    )
    .build();
  expect(found(record)).toEqual(["quad_kill a1 r1"]);
});

test("a fifth opponent who joined after freeze end completes the ace", () => {
  expect(found(new MatchBuilder().round({ winner: "a", away: ["b5"] }, killFive).build())).toEqual(["ace a1 r1"]);
});

test("two wingman opponents are never an ace", () => {
  const record = new MatchBuilder(2)
    .round({ winner: "a" }, (round) => round.kill(10, "a1", "b1").kill(11, "a1", "b2"))
    .build();
  expect(found(record)).toEqual(["multi_kill a1 r1"]);
});

test("an opponent who took over a bot has to be killed twice", () => {
  const match = () => new MatchBuilder().person("bot", { team: 1, isBot: true });
  const without = match().round({ winner: "a", away: ["b5"] }, (round) =>
    round.kill(1, "a1", "b1").kill(20, "a1", "b2").kill(30, "a1", "b3").kill(40, "a1", "b4"),
  );
  const twice = match().round({ winner: "a", away: ["b5"] }, (round) =>
    round.kill(1, "a1", "b1").kill(20, "a1", "b2").kill(30, "a1", "b3").kill(40, "a1", "b4").kill(50, "a1", "b1"),
  );
  expect(found(without.build())).toEqual(["quad_kill a1 r1"]);
  expect(found(twice.build())).toEqual(["ace a1 r1"]);
});

test("a death told again on the tick on which a bot falls does not take the bot's place, whoever is listed first", () => {
  const people = ["b1", "b2", "b3", "b4", "bot"];
  for (const order of [people, [...people].reverse()]) {
    const match = new MatchBuilder(0).person("a1", { team: 0 });
    for (const id of order) match.person(id, { team: 1, isBot: id === "bot" });
    const record = match
      .round({ winner: "a" }, (round) =>
        round
          .death(9, "b1", "world")
          .kill(10, "a1", "b1")
          .kill(10, "a1", "bot")
          .kill(20, "a1", "b2")
          .kill(30, "a1", "b3")
          .kill(40, "a1", "b4"),
      )
      .build();
    expect(found(record, "ace")).toEqual(["ace a1 r1"]);
  }
});
