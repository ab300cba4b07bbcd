import { expect, test } from "vitest";
import type { RecordedRound } from "../../../replay/match-record.ts";
import type { DemoEvent } from "./demo-events.ts";
import { PlayerRegister } from "./player-register.ts";
import { recordDamages } from "./record-damages.ts";
import { recordKills } from "./record-kills.ts";

const [anna, boris] = ["76561199999900001", "76561199999900002"];

const round: RecordedRound = {
  number: 1,
  startTick: 0,
  freezeEndTick: 100,
  endTick: 1000,
  officialEndTick: 1100,
  finished: true,
  winner: 0,
  reason: "ct_eliminated_t",
  sides: ["CT", "T"],
  scoreBefore: [0, 0],
  overtime: 0,
  aliveAtFreezeEnd: [[0], [1]],
};

const between = (event_name: string, tick: number, attacker: string | null, victim: string | null): DemoEvent => ({
  event_name,
  tick,
  weapon: "ak47",
  dmg_health: 30,
  health: 70,
  attacker_steamid: attacker,
  attacker_name: attacker,
  user_steamid: victim,
  user_name: victim,
});

function registerWithBots(events: readonly DemoEvent[], bots: (0 | 1)[]): PlayerRegister {
  const teams = new Map<string, 0 | 1>([
    [anna!, 0],
    [boris!, 1],
  ]);
  return new PlayerRegister(
    events,
    teams,
    bots.map((team) => ({ name: "BOT", team })),
  );
}

test.each([
  [3, "CT"],
  [2, "T"],
  [1, null],
  [0, null],
  [null, "CT"],
] as const)("a killer of the game's team %s is on side %s", (teamNumber, side) => {
  const events = [{ ...between("player_death", 200, anna!, boris!), attacker_team_num: teamNumber, user_team_num: 2 }];
  const { kills } = recordKills(events, [round], registerWithBots(events, []));
  expect(kills.map(({ attackerSide, victimSide }) => [attackerSide, victimSide])).toEqual([[side, "T"]]);
});

test("a hurt bot is told where only one can be meant", () => {
  const events = [between("player_hurt", 200, anna!, null), between("player_hurt", 210, boris!, anna!)];
  const hurt = (bots: (0 | 1)[]) => {
    const register = registerWithBots(events, bots);
    return recordDamages(events, [round], register).map(({ tick, victim }) => [tick, register.players[victim]?.isBot]);
  };
  const person = [210, false];
  expect(hurt([1])).toEqual([[200, true], person]);
  expect(hurt([0, 1])).toEqual([[200, true], person]);
  expect(hurt([1, 1])).toEqual([person]);
  expect(hurt([0])).toEqual([person]);
  expect(hurt([])).toEqual([person]);
});

test("one hit that cannot be told hides the others on bots in its round, but no person's", () => {
  const events = [
    between("player_hurt", 200, anna!, null),
    between("player_hurt", 220, null, null),
    between("player_hurt", 240, boris!, anna!),
  ];
  const damages = recordDamages(events, [round], registerWithBots(events, [0, 1]));
  expect(damages.map(({ tick }) => tick)).toEqual([240]);
});
