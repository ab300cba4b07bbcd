import { expect, test } from "vitest";
import type { RecordedRound } from "../../../replay/match-record.ts";
import { Coaches } from "./coaches.ts";
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

const leaving = (tick: number, player: string): DemoEvent => ({
  ...between("player_disconnect", tick, null, player),
  event_name: "player_disconnect",
});

test("who leaves in freeze time and comes back dies when they leave again, and only then", () => {
  const events = [leaving(50, anna!), leaving(500, anna!), leaving(600, anna!)];
  const { deaths } = recordKills(events, [round], registerWithBots([between("player_hurt", 1, anna!, boris!)], []));
  expect(deaths).toEqual([{ tick: 500, round: 1, player: 0, cause: "disconnect" }]);
});

test("who changes teams alive has left the round, and dies once where the game tells their death as well", () => {
  const change = { ...between("player_team", 500, null, boris!), team: 1, oldteam: 2 };
  const deathsOf = (...events: DemoEvent[]) =>
    recordKills(events, [round], registerWithBots([between("player_hurt", 1, anna!, boris!)], [])).deaths;
  const left = { tick: 500, round: 1, player: 1, cause: "disconnect" };
  expect(deathsOf(change)).toEqual([left]);
  expect(deathsOf({ ...change, tick: 50 }, { ...change, tick: 1001 }, { ...change, oldteam: 0 })).toEqual([]);
  const killed = (tick: number) => between("player_death", tick, boris!, boris!);
  expect(deathsOf(change, killed(503))).toMatchObject([{ tick: 503, cause: "suicide" }]);
  expect(deathsOf(change, killed(500))).toMatchObject([{ tick: 500, cause: "suicide" }]);
  expect(deathsOf(killed(500), change)).toMatchObject([{ tick: 500, cause: "suicide" }]);
  expect(deathsOf(change, killed(700))).toMatchObject([left, { tick: 700 }]);
});

test("who joined late and fights lives until they leave; in a bot's body they take no life with them", () => {
  const late = { ...round, aliveAtFreezeEnd: [[0], []] as [number[], number[]] };
  const shot = { event_name: "weapon_fire", tick: 300, user_steamid: boris!, user_name: boris!, weapon: "weapon_ak47" };
  const left = leaving(500, boris!);
  const register = () => registerWithBots([between("player_hurt", 1, anna!, boris!)], []);
  expect(recordKills([shot, left], [late], register()).deaths).toMatchObject([{ tick: 500, player: 1 }]);
  expect(recordKills([left], [late], register()).deaths).toEqual([]);
  expect(recordKills([{ ...shot, user_is_controlling_bot: true }, left], [late], register()).deaths).toEqual([]);
});

test("a bot that a bot killed is of the roster that still has a living one; where both have, the round is marked", () => {
  // Players 0 and 1 are people, 2 and 3 are bots of roster 0 and 1.
  const withBots = () => ({
    ...round,
    aliveAtFreezeEnd: [
      [0, 2],
      [1, 3],
    ] as [number[], number[]],
  });
  const byBot = (tick: number) => between("player_death", tick, null, null);
  const events = [between("player_death", 200, boris!, null), byBot(300)];
  const told = withBots();
  const { kills } = recordKills(events, [told], registerWithBots(events, [0, 1]));
  expect(kills.map(({ attacker, victim }) => [attacker, victim])).toEqual([
    [1, 2],
    [2, 3],
  ]);
  expect(told.unclearLives).toBeUndefined();

  const markedBy = (tick: number) => {
    const open = withBots();
    recordKills([byBot(tick)], [open], registerWithBots([byBot(tick)], [0, 1]));
    return open.unclearLives;
  };
  expect([300, 1000].map(markedBy)).toEqual([true, true]);
  // Before the round is live, and after it is decided.
  expect([100, 1001].map(markedBy)).toEqual([undefined, undefined]);
});

test("a bot that comes to life again, in freeze time or later, is no team-mate of its killer", () => {
  const withBots = {
    ...round,
    aliveAtFreezeEnd: [
      [0, 2],
      [1, 3],
    ] as [number[], number[]],
  };
  const killed = (tick: number) => between("player_death", tick, anna!, null);
  for (const ticks of [
    [50, 300],
    [200, 300],
  ]) {
    const events = ticks.map(killed);
    const { kills } = recordKills(events, [withBots], registerWithBots(events, [0, 1]));
    expect(kills.map(({ victim }) => victim)).toEqual([3, 3]);
  }
});

test("a bot of one's own is killed where the opponents have none", () => {
  const own = { ...round, aliveAtFreezeEnd: [[0, 2], [1]] as [number[], number[]] };
  const events = [between("player_death", 200, anna!, null)];
  const { kills } = recordKills(events, [own], registerWithBots(events, [0]));
  expect(kills).toMatchObject([{ attacker: 0, victim: 2, attackerSide: "CT", victimSide: "CT" }]);
});

test("bots that come to life again and again outside the match are the same bots", () => {
  const events = Array.from({ length: 300 }, (_, i) => between("player_death", 2000 + i, anna!, null));
  const register = registerWithBots(events, [1]);
  const { kills } = recordKills(events, [round], register);
  expect(kills).toHaveLength(300);
  expect(register.players).toHaveLength(3);
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

test("a bot that is taken out of a round dies then; where both rosters have one of its name, the round is marked", () => {
  const withBots = () => ({
    ...round,
    aliveAtFreezeEnd: [
      [0, 2],
      [1, 3],
    ] as [number[], number[]],
  });
  const teams = new Map<string, 0 | 1>([
    [anna!, 0],
    [boris!, 1],
  ]);
  const left = (tick: number, name: string): DemoEvent => ({
    event_name: "player_disconnect",
    tick,
    networkid: "BOT",
    name,
    user_name: null,
    user_steamid: null,
  });
  const play = (events: DemoEvent[], names: [string, string]) => {
    const met = [between("player_hurt", 1, anna!, boris!), ...events];
    const register = new PlayerRegister(met, teams, [
      { name: names[0], team: 0 },
      { name: names[1], team: 1 },
    ]);
    const played = withBots();
    return { ...recordKills(met, [played], register), unclear: played.unclearLives };
  };
  const told = play([left(50, "Yuri"), left(500, "Yuri"), left(600, "Yuri")], ["Wade", "Yuri"]);
  expect(told.deaths).toEqual([{ tick: 500, round: 1, player: 3, cause: "disconnect" }]);
  expect(told.unclear).toBeUndefined();
  // The other one is already dead.
  const killed = between("player_death", 300, boris!, null);
  expect(play([killed, left(500, "Yuri")], ["Yuri", "Yuri"])).toMatchObject({
    deaths: [{ player: 2 }, { player: 3 }],
    unclear: undefined,
  });
  expect(play([left(500, "Yuri")], ["Yuri", "Yuri"]).unclear).toBe(true);
});

test("who coaches in a round kills for no side, and has no life in it", () => {
  const coaches = new Coaches();
  coaches.add(1, [0]);
  const events = [
    { ...between("player_death", 200, anna!, boris!), attacker_team_num: 3, user_team_num: 2 },
    { ...between("player_death", 300, boris!, anna!), attacker_team_num: 2, user_team_num: 3 },
  ];
  const { kills, deaths } = recordKills(events, [{ ...round }], registerWithBots(events, []), coaches);
  expect(kills.map(({ attackerSide }) => attackerSide)).toEqual([null, "T"]);
  expect(deaths.map(({ player }) => player)).toEqual([1]);
});
