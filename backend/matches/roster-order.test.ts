import { expect, test } from "vitest";
import type { DemoPlayer } from "../storage/schema.ts";
import { orderedScores, userOutcome } from "./roster-order.ts";

const players: DemoPlayer[] = [
  { name: "first", steam_id: "1", team: 0 },
  { name: "second", steam_id: "2", team: 1 },
  { name: "spectator", steam_id: "3", team: null },
  { name: "BOT", steam_id: null, team: 1 },
];

function told(steamId: string, scores: [number, number]) {
  const teams = scores.map((score) => ({ name: "", score }));
  const provider = { provider_score1: null, provider_score2: null };
  const { score1, score2, own } = orderedScores({ players, teams }, provider, steamId);
  return userOutcome(score1, score2, own);
}

test("the player's own roster comes first, whichever it is, and decides win, loss or draw", () => {
  expect(told("1", [13, 9])).toEqual({ color_class: "win", formatted_score: "13 - 9" });
  expect(told("2", [13, 9])).toEqual({ color_class: "loss", formatted_score: "9 - 13" });
  expect(told("1", [12, 12])).toEqual({ color_class: "draw", formatted_score: "12 - 12" });
  expect(told("2", [12, 12])).toEqual({ color_class: "draw", formatted_score: "12 - 12" });
});

test("to who was no player of it, a spectator included, a match is neither", () => {
  expect(told("3", [13, 9])).toEqual({ color_class: "other", formatted_score: "13 - 9" });
  expect(told("4", [12, 12])).toEqual({ color_class: "other", formatted_score: "12 - 12" });
});

test("a match without scores is neither, and shows none", () => {
  const provider = { provider_score1: null, provider_score2: null };
  const { score1, score2, own } = orderedScores(null, provider, "1");
  expect(userOutcome(score1, score2, own)).toEqual({ color_class: "other", formatted_score: "" });
});
