import { expect, test } from "vitest";
import { detectHighlights } from "./index.ts";
import { found } from "./testing/brief.ts";
import { MatchBuilder, type RoundBuilder } from "./testing/round-builder.ts";

const head = { headshot: true, traced: false };
const body = { traced: false };
const streaks = (play: (round: RoundBuilder) => void, size = 5) =>
  found(new MatchBuilder(size).round({ winner: "b" }, play).build(), "headshot_streak");

test("three headshots in a row are a streak beside the triple kill", () => {
  const record = new MatchBuilder()
    .round({ winner: "a" }, (round) =>
      round.kill(1, "a1", "b1", head).kill(20, "a1", "b2", head).kill(50, "a1", "b3", head),
    )
    .build();
  expect(found(record)).toEqual(["headshot_streak a1 r1", "triple_kill a1 r1"]);
});

test("a body kill or a team kill between breaks the streak, one before or after does not", () => {
  expect(
    streaks((round) =>
      round.kill(1, "a1", "b1", head).kill(2, "a1", "b2", head).kill(3, "a1", "b3", body).kill(4, "a1", "b4", head),
    ),
  ).toEqual([]);
  expect(
    streaks((round) =>
      round.kill(1, "a1", "b1", head).kill(2, "a1", "b2", head).kill(3, "a1", "a2", head).kill(4, "a1", "b4", head),
    ),
  ).toEqual([]);
  expect(
    streaks((round) =>
      round.kill(1, "a1", "b1", body).kill(2, "a1", "b2", head).kill(3, "a1", "b3", head).kill(4, "a1", "b4", head),
    ),
  ).toEqual(["headshot_streak a1 r1"]);
});

test("a death told twice does not break the streak", () => {
  expect(
    streaks((round) =>
      round.kill(1, "a1", "b1", head).kill(2, "a1", "b2", head).kill(2, "a1", "b2", head).kill(4, "a1", "b3", head),
    ),
  ).toEqual(["headshot_streak a1 r1"]);
});

test("other players' kills do not break a streak", () => {
  expect(
    streaks((round) =>
      round.kill(1, "a1", "b1", head).kill(2, "a1", "b2", head).kill(3, "a2", "b3", body).kill(4, "a1", "b4", head),
    ),
  ).toEqual(["headshot_streak a1 r1"]);
});

test("a streak ends with its round", () => {
  const record = new MatchBuilder()
    .round({ winner: "a" }, (round) => round.kill(1, "a1", "b1", head).kill(2, "a1", "b2", head))
    .round({ winner: "a" }, (round) => round.kill(1, "a1", "b1", head))
    .build();
  expect(found(record, "headshot_streak")).toEqual([]);
});

test("one bullet through a head and a body breaks the streak", () => {
  expect(
    streaks((round) =>
      round.kill(1, "a1", "b1", head).kill(2, "a1", "b2", head).kill(3, "a1", "b3", head).kill(3, "a1", "b4", body),
    ),
  ).toEqual([]);
});

test("two rows in a round are two streaks", () => {
  const record = new MatchBuilder(7)
    .round({ winner: "b" }, (round) => {
      for (const number of [1, 2, 3]) round.kill(number, "a1", `b${number}`, head);
      round.kill(4, "a1", "b4", body);
      for (const number of [5, 6, 7]) round.kill(number, "a1", `b${number}`, head);
    })
    .build();
  expect(
    detectHighlights(record)
      .filter(({ type }) => type === "headshot_streak")
      .map(({ victims }) => victims),
  ).toEqual([
    [7, 8, 9],
    [11, 12, 13],
  ]);
});
