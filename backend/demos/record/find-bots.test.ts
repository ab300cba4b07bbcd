import { expect, test } from "vitest";
import type { Rosters } from "./assign-rosters.ts";
import { type DemoEvent, isNameless } from "./demo-events.ts";
import { botsAlive, findBots, hasBots } from "./find-bots.ts";
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

/** One person on each side. */
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

/** One person of each roster is alive. */
const oneEach = [
  [1, 1],
  [1, 1],
] as const;

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
  expect(findBots(events, [round(1), round(2)], rosters, oneEach, [{ name: "Harvey", team: 1 }])).toEqual([
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
  const teams = findBots(events, [round(1), round(2)], rosters, oneEach, []).map((bot) => bot.team);
  expect(teams).toEqual([1, 1, 0]);
});

test("bots that came to life but never died to anybody fill up the smaller roster", () => {
  const events = [...Array.from({ length: 5 }, () => spawn(1000)), killedBy("76561199999900001", 1200)];
  const teams = findBots(events, [round(1)], rosters, oneEach, []).map((bot) => bot.team);
  expect(teams.filter((team) => team === 0)).toHaveLength(3);
  expect(teams.filter((team) => team === 1)).toHaveLength(2);
});

test("a bot that spawns twice before a round is one bot", () => {
  const events = [spawn(1000), spawn(1050), killedBy("76561199999900001", 1200)];
  expect(findBots(events, [round(1)], rosters, oneEach, [])).toHaveLength(1);
  expect(botsAlive(events, round(1), rosters, [1, 1], [0, 1])).toEqual([0, 1]);
  expect(botsAlive(events, round(2), rosters, [1, 1], [0, 1])).toEqual([0, 0]);
});

test("a bot lives in the rounds in which its roster was short of people, or it was killed, and in no other", () => {
  // A bot fills up roster 0 in the first round and another one roster 1 in the second; in the third round each roster has one.
  const events = [spawn(1000), spawn(2000), spawn(3000), spawn(3000)];
  const known = [1, 1] as const;
  expect(botsAlive(events, round(1), rosters, [4, 5], known)).toEqual([1, 0]);
  expect(botsAlive(events, round(2), rosters, [5, 4], known)).toEqual([0, 1]);
  expect(botsAlive(events, round(3), rosters, [4, 4], known)).toEqual([1, 1]);
  expect(botsAlive(events, round(4), rosters, [5, 5], known)).toEqual([0, 0]);
  // Two bots fill it up one after the other.
  expect(botsAlive([spawn(1000), spawn(1050)], round(1), rosters, [3, 5], [2, 0])).toEqual([2, 0]);
  expect(botsAlive([spawn(1000), spawn(1050)], round(1), rosters, [4, 5], [2, 0])).toEqual([1, 0]);
  // When both rosters have equally many people, the killer shows whose bot it was.
  const killed = [spawn(1000), killedBy("76561199999900001", 1200)];
  expect(botsAlive(killed, round(1), rosters, [5, 5], known)).toEqual([0, 1]);
});

test("a bot that a team-mate kills is its own roster's, where that alone was short of people", () => {
  const events = [spawn(1000), killedBy("76561199999900001", 1200), killedBy("76561199999900001", 1300)];
  expect(findBots(events.slice(0, 2), [round(1)], rosters, [[4, 5]], []).map((bot) => bot.team)).toEqual([0]);
  expect(botsAlive(events, round(1), rosters, [4, 5], [1, 1])).toEqual([1, 0]);
});

test("nameless is who is in an event without name and id, and nobody where an event has no such role", () => {
  const event: DemoEvent = { event_name: "player_death", tick: 1, user_name: null, user_steamid: null };
  expect(isNameless(event, "user")).toBe(true);
  expect(isNameless(event, "attacker")).toBe(false);
  expect(isNameless({ ...event, user_name: "", user_steamid: "" }, "user")).toBe(true);
  expect(isNameless({ ...event, user_name: "Harvey" }, "user")).toBe(false);
  expect(isNameless({ ...event, user_steamid: "76561199999900001" }, "user")).toBe(false);
});
