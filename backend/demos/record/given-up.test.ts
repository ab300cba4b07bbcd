import { expect, test } from "vitest";
import type { RecordedRound } from "../../../replay/match-record.ts";
import { winnerOfGivenUp } from "./given-up.ts";

const last: RecordedRound = {
  number: 3,
  startTick: 0,
  freezeEndTick: 100,
  endTick: 1000,
  officialEndTick: 1100,
  finished: true,
  winner: 0,
  reason: "ct_eliminated_t",
  sides: ["CT", "T"],
  scoreBefore: [1, 1],
  overtime: 0,
  aliveAtFreezeEnd: [[], []],
};

const surrender = (ct: number, t: number, winner: unknown = "CT", tick = 1200) => ({
  ...{ event_name: "round_end", tick, winner, reason: "t_surrender" },
  ...{ ct_team_rounds_total: ct, t_team_rounds_total: t },
});

test.each([
  ["the sides stayed", surrender(3, 1), 0],
  ["the sides changed before it", surrender(2, 2), 1],
  ["the game does not count it", surrender(2, 1), null],
  ["the last round itself was given up", surrender(3, 1, "CT", 1000), null],
  ["only the old event tells it", surrender(3, 1, 3), null],
  ["it ended another match", surrender(6, 1), null],
])("who is given a round in freeze time when %s", (_when, event, winner) => {
  expect(winnerOfGivenUp([event], last)).toBe(winner);
});

test("of level teams the score does not tell who was given the round", () => {
  expect(winnerOfGivenUp([surrender(2, 1)], { ...last, winner: 1, scoreBefore: [1, 0] })).toBeNull();
});
