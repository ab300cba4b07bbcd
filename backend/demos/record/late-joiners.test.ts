import { expect, test } from "vitest";
import type { Rosters } from "./assign-rosters.ts";
import type { DemoEvent } from "./demo-events.ts";
import type { FoundRound } from "./find-rounds.ts";
import { addLateJoiners } from "./late-joiners.ts";

const [anna, boris, coach] = ["76561199999900001", "76561199999900002", "76561199999900003"];

const round = (number: number): FoundRound => ({
  number,
  startTick: number * 1000,
  freezeEndTick: number * 1000 + 100,
  endTick: number * 1000 + 900,
  officialEndTick: number * 1000 + 990,
  finished: true,
  winner: "T",
  reason: "unknown",
  overtime: 0,
  scoreBefore: { T: 0, CT: 0 },
});

const shot = (tick: number, by: string, team: number): DemoEvent => ({
  event_name: "weapon_fire",
  tick,
  user_steamid: by,
  user_team_num: team,
});

function rostersAfter(events: DemoEvent[]): [string, 0 | 1][] {
  const rosters: Rosters = {
    teamOf: new Map([[anna!, 0]]),
    sides: [
      ["CT", "T"],
      ["T", "CT"],
    ],
  };
  addLateJoiners(events, [round(1), round(2)], rosters, [new Set(), new Set([coach!])]);
  return [...rosters.teamOf];
}

test("who fights before the first freeze time of their own is of the roster on whose side", () => {
  expect(rostersAfter([shot(2500, boris!, 2)])).toEqual([
    [anna, 0],
    [boris, 0],
  ]);
  expect(rostersAfter([shot(1500, boris!, 2)])).toEqual([
    [anna, 0],
    [boris, 1],
  ]);
});

test("nobody is who fights outside of rounds, for no side, or as a coach", () => {
  expect(rostersAfter([shot(1050, boris!, 2), shot(1500, boris!, 1), shot(2500, coach!, 2)])).toEqual([[anna, 0]]);
});

test("who is on a roster stays there", () => {
  expect(rostersAfter([shot(1500, anna!, 2)])).toEqual([[anna, 0]]);
});
