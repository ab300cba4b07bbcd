import { expect, test } from "vitest";
import type { Rosters } from "./assign-rosters.ts";
import { type DemoEvent, isNameless } from "./demo-events.ts";
import { botsSpawnedIn, findBots, hasBots } from "./find-bots.ts";
import type { FoundRound } from "./find-rounds.ts";

const round = (number: number): FoundRound => ({
  number,
  startTick: number * 1000,
  freezeEndTick: number * 1000 + 100,
  endTick: number * 1000 + 900,
  officialEndTick: number * 1000 + 1000,
  finished: true,
  winner: "T",
  reason: "t_eliminated_ct",
  overtime: 0,
  scoreBefore: { T: null, CT: null },
});

/** One person a side. */
const rosters: Rosters = {
  teamOf: new Map([
    ["76561199999900001", 0],
    ["76561199999900002", 1],
  ]),
  sides: [
    ["CT", "T"],
    ["CT", "T"],
  ],
};

const spawn = (tick: number): DemoEvent => ({ event_name: "player_spawn", tick, user_steamid: null, user_name: null });
const killedBy = (attacker: string | null, tick: number): DemoEvent => ({
  event_name: "player_death",
  tick,
  user_steamid: null,
  user_name: null,
  attacker_steamid: attacker,
});

test("a match of people has no bots", () => {
  const events: DemoEvent[] = [
    { event_name: "player_team", tick: 1, isbot: false, user_steamid: "76561199999900001" },
    { event_name: "player_death", tick: 1200, user_steamid: "76561199999900001", user_name: "a" },
  ];
  expect(hasBots(events)).toBe(false);
});

test("named bots are enough where no more are seen", () => {
  const events = [spawn(1000), killedBy("76561199999900001", 1200)];
  expect(hasBots(events)).toBe(true);
  expect(findBots(events, [round(1), round(2)], rosters, [{ name: "Harvey", team: 1 }])).toEqual([
    { name: "Harvey", team: 1 },
  ]);
});

test("bots nobody names are on the roster whose opponents killed them", () => {
  const events = [
    killedBy("76561199999900001", 1200),
    killedBy("76561199999900001", 1300),
    killedBy("76561199999900002", 2300),
    killedBy("76561199999900001", 950),
  ];
  const teams = findBots(events, [round(1), round(2)], rosters, []).map((bot) => bot.team);
  expect(teams).toEqual([1, 1, 0]);
});

test("bots that came to life but never died to anybody fill up the smaller roster", () => {
  const events = [...Array.from({ length: 5 }, () => spawn(1000)), killedBy("76561199999900001", 1200)];
  const teams = findBots(events, [round(1)], rosters, []).map((bot) => bot.team);
  expect(teams.filter((team) => team === 0)).toHaveLength(3);
  expect(teams.filter((team) => team === 1)).toHaveLength(2);
});

test("a bot that spawns twice before a round is one bot", () => {
  const events = [spawn(1000), spawn(1050), killedBy("76561199999900001", 1200)];
  expect(findBots(events, [round(1)], rosters, [])).toHaveLength(1);
  expect(botsSpawnedIn(events, round(1))).toBe(true);
  expect(botsSpawnedIn(events, round(2))).toBe(false);
});

test("nameless is who is in an event without name and id, and nobody where an event has no such role", () => {
  const event: DemoEvent = { event_name: "player_death", tick: 1, user_name: null, user_steamid: null };
  expect(isNameless(event, "user")).toBe(true);
  expect(isNameless(event, "attacker")).toBe(false);
  expect(isNameless({ ...event, user_name: "", user_steamid: "" }, "user")).toBe(true);
  expect(isNameless({ ...event, user_name: "Harvey" }, "user")).toBe(false);
  expect(isNameless({ ...event, user_steamid: "76561199999900001" }, "user")).toBe(false);
});
