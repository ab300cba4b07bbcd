import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { joinedWindow } from "../../../replay/joined-window.ts";
import type { MatchRecord, PlayerIndex, RecordedKill, RoundEndReason, Side } from "../../../replay/match-record.ts";
import { recordedStretches } from "../../../replay/recorded-stretches.ts";
import { HeldGrenade, SampleFlag, type TrackWindow } from "../../../replay/replay-track.ts";
import { stateAt, windowAt } from "../../../replay/sample-track.ts";
import type { AnalyzerKill } from "../../../scripts/accuracy/analyzer-match.ts";
import { detectHighlights } from "../../highlights/index.ts";
import { highlightWindows } from "../../highlights/segments.ts";
import { DemoImportError } from "../demo-import-error.ts";
import {
  type DemoFixture,
  expectedOf,
  temporaryFolder,
  unpackedCase,
  unpackedFixture,
} from "../testing/demo-fixtures.ts";
import { collectTrack } from "../track/collect-track.ts";
import { type ParsedDemo, parseDemo } from "./parse-demo.ts";

const directory = temporaryFolder();

/** Demos shared by several tests, unpacked and parsed by the first that needs them. Nothing changes them. */
const parsedFixtures = new Map<DemoFixture, Promise<{ path: string; parsed: ParsedDemo }>>();

function parsedFixture(name: DemoFixture): Promise<{ path: string; parsed: ParsedDemo }> {
  const known = parsedFixtures.get(name);
  if (known) return known;
  const made = unpackedFixture(name, directory).then(async (path) => ({ path, parsed: await parseDemo(path) }));
  parsedFixtures.set(name, made);
  return made;
}

interface AnalyzerMatch {
  map: string;
  players: { steamId: string; name: string }[];
  rounds: {
    number: number;
    startTick: number;
    freezeTimeEndTick: number;
    endTick: number;
    endOfficiallyTick: number;
    overtimeNumber: number;
    winnerSide: number;
    winnerName: string;
    endReason: number;
    teamAScore: number;
    teamBScore: number;
    teamASide: number;
    teamBSide: number;
  }[];
  kills: AnalyzerKill[];
  defuses: { round: number; tick: number; player: string }[];
}

/** Names of weapons in the analyzer, by our event names. */
const analyzerWeapon: Record<string, string> = {
  ak47: "AK-47",
  aug: "AUG",
  awp: "AWP",
  deagle: "Desert Eagle",
  elite: "Dual Berettas",
  famas: "FAMAS",
  fiveseven: "Five-SeveN",
  galilar: "Galil AR",
  glock: "Glock-18",
  hkp2000: "P2000",
  inferno: "Incendiary Grenade",
  m4a1: "M4A4",
  m4a1_silencer: "M4A1",
  mac10: "MAC-10",
  mp9: "MP9",
  p250: "P250",
  planted_c4: "C4",
  ssg08: "SSG 08",
  tec9: "Tec-9",
  usp_silencer: "USP-S",
};

const analyzerReason: Partial<Record<RoundEndReason, number>> = {
  target_bombed: 1,
  bomb_defused: 7,
  ct_eliminated_t: 8,
  t_eliminated_ct: 9,
  time_ran_out: 12,
};

/**
 * Differences from the analyzer in which ours is right: the kill event itself says that the killer was blind. The analyzer ignores that and
 * uses the killer's flash duration, which in this demo ended with an earlier flash.
 */
const differences: { match: string; tick: number; ours: Partial<AnalyzerKill> }[] = [
  { match: "match-de_nuke", tick: 58_557, ours: { attackerBlind: true } },
];

const sideNumber = (side: Side | null) => (side === "T" ? 2 : side === "CT" ? 3 : 0);

function inAnalyzerWords(record: MatchRecord, kill: RecordedKill): AnalyzerKill {
  const steamId = (player: PlayerIndex | null) => (player === null ? "0" : (record.players[player]?.steamId ?? "0"));
  return {
    tick: kill.tick,
    round: kill.round,
    weapon: analyzerWeapon[kill.weapon] ?? kill.weapon,
    attacker: steamId(kill.attacker),
    victim: steamId(kill.victim),
    assister: steamId(kill.assister),
    attackerSide: sideNumber(kill.attackerSide),
    victimSide: sideNumber(kill.victimSide),
    headshot: kill.headshot,
    penetrated: kill.penetrated,
    throughSmoke: kill.throughSmoke,
    noScope: kill.noScope,
    attackerInAir: kill.attackerInAir,
    attackerBlind: kill.attackerBlind,
  };
}

describe.each(["match-de_mirage", "match-de_nuke", "match-de_dust2-overtime", "sample-match"] as const)(
  "%s",
  (name) => {
    const expected = expectedOf<AnalyzerMatch>(name);
    let parsed: ParsedDemo;
    let record: MatchRecord;
    beforeAll(async () => {
      ({ parsed } = await parsedFixture(name));
      record = parsed.record;
    });

    test("every kill is the one the independent analyzer finds, with all its flags", () => {
      const kills = expected.kills.map((kill) => {
        const difference = differences.find((known) => known.match === name && known.tick === kill.tick);
        return { ...kill, ...difference?.ours };
      });
      expect(record.kills.map((kill) => inAnalyzerWords(record, kill))).toEqual(kills);
    });

    test("every round has the analyzer's ticks, winner, reason, sides and overtime", () => {
      expect(record.map).toBe(expected.map);
      const rounds = record.rounds.map((round) => ({
        number: round.number,
        startTick: round.startTick,
        freezeTimeEndTick: round.freezeEndTick,
        endTick: round.endTick,
        endOfficiallyTick: round.officialEndTick,
        overtimeNumber: round.overtime,
        winnerSide: sideNumber(round.winner === null ? null : round.sides[round.winner]),
        winnerName: round.winner === null ? "" : record.teams[round.winner].name,
        endReason: analyzerReason[round.reason],
        teamAScore: round.scoreBefore[0] + (round.winner === 0 ? 1 : 0),
        teamBScore: round.scoreBefore[1] + (round.winner === 1 ? 1 : 0),
        teamASide: sideNumber(round.sides[0]),
        teamBSide: sideNumber(round.sides[1]),
      }));
      // The analyzer ends the last round with its last kill; the recording, and officially the round, goes on.
      const last = { ...expected.rounds.at(-1)!, endOfficiallyTick: record.lastTick };
      expect(rounds).toEqual([...expected.rounds.slice(0, -1), last]);
      expect(record.rounds.every((round) => round.finished)).toBe(true);
      expect(record.teams.map((team) => team.score)).toEqual([
        expected.rounds.at(-1)?.teamAScore,
        expected.rounds.at(-1)?.teamBScore,
      ]);
    });

    test("the players are the analyzer's, five on each roster", () => {
      const players = record.players.map(({ steamId, name: playerName }) => ({ steamId, name: playerName }));
      expect(players.sort((a, b) => (a.steamId! < b.steamId! ? -1 : 1))).toEqual(expected.players);
      expect([0, 1].map((team) => record.players.filter((player) => player.team === team).length)).toEqual([5, 5]);
    });

    test("the defuses are the analyzer's and lie at a site", () => {
      const defuses = record.bomb.filter((event) => event.kind === "defused");
      expect(defuses.map((event) => ({ tick: event.tick, player: record.players[event.player!]?.steamId }))).toEqual(
        expected.defuses.map(({ tick, player }) => ({ tick, player })),
      );
      for (const planted of record.bomb.filter((event) => event.kind === "planted")) {
        expect(planted.site).toMatch(/^[AB]$/);
        expect(planted.position).toHaveLength(3);
      }
    });

    test("everybody who dies in a round lived at the end of its freeze time, and dies once", () => {
      for (const round of record.rounds) {
        const alive = round.aliveAtFreezeEnd.flat();
        expect(alive).toHaveLength(10);
        const dead = record.deaths.filter((death) => death.round === round.number).map((death) => death.player);
        expect(new Set(dead).size).toBe(dead.length);
        expect(alive).toEqual(expect.arrayContaining(dead));
      }
    });

    test("grenades go off after they are thrown, and smokes last as long as smokes do", () => {
      expect(record.grenades.length).toBeGreaterThan(100);
      for (const grenade of record.grenades) {
        expect(grenade.detonateTick).toBeGreaterThanOrEqual(grenade.throwTick);
        expect(grenade.expireTick).toBeGreaterThanOrEqual(grenade.detonateTick);
        expect(grenade.expireTick - grenade.detonateTick).toBeLessThan(25 * 64);
        expect(grenade.path.length).toBeGreaterThan(0);
      }
      const landed = record.grenades.filter((grenade) => grenade.path.length === 2);
      expect(landed.length / record.grenades.length).toBeGreaterThan(0.9);
    });

    test("footprints stay on the map and begin a walk wherever one begins", () => {
      const { xyz, breaks } = parsed.footprints;
      expect(xyz.length / 3).toBeGreaterThan(2000);
      expect(breaks[0]).toBe(0);
      expect(breaks.length).toBeGreaterThanOrEqual(record.rounds.length * 10);
      expect([...breaks].every((start, index) => index === 0 || start > breaks[index - 1]!)).toBe(true);
    });
  },
);

/** Contents of a demo according to the script that made it. */
interface ScriptedMatch {
  map: string;
  players: { name: string; steamId: string; team: string; isBot: boolean }[];
  warmupKills: ScriptedKill[];
  kills: ScriptedKill[];
  killsAfterRoundEnd: ScriptedKill[];
  rounds: {
    number: number;
    winnerSide: string;
    reason: string;
    endTick: number;
    sideOfA: string;
    isKnifeRound: boolean;
  }[];
}

interface ScriptedKill {
  round: number;
  tick: number;
  attacker: string | null;
  victim: string;
  weapon: string;
  headshot: boolean;
  noscope: boolean;
  thrusmoke: boolean;
  penetrated: number;
  attackerinair: boolean;
  attackerblind: boolean;
}

const scriptedReason: Partial<Record<RoundEndReason, string>> = {
  target_bombed: "target_bombed",
  bomb_defused: "bomb_defused",
  ct_eliminated_t: "ct_win",
  t_eliminated_ct: "t_win",
  time_ran_out: "time_ran_out",
};

describe.each(["highlights-reel", "overtime-reconnect"] as const)("%s", (name) => {
  const expected = expectedOf<ScriptedMatch>(name);
  let path: string;
  let parsed: ParsedDemo;
  let record: MatchRecord;
  beforeAll(async () => {
    ({ path, parsed } = await parsedFixture(name));
    record = parsed.record;
  });

  test("every scripted kill is there, those outside of rounds as round 0", () => {
    const nameOf = (player: PlayerIndex | null) => (player === null ? null : record.players[player]!.name);
    const kills = record.kills.map((kill) => ({
      tick: kill.tick,
      attacker: nameOf(kill.attacker),
      victim: nameOf(kill.victim),
      weapon: kill.weapon,
      headshot: kill.headshot,
      noscope: kill.noScope,
      thrusmoke: kill.throughSmoke,
      penetrated: kill.penetrated,
      attackerinair: kill.attackerInAir,
      attackerblind: kill.attackerBlind,
    }));
    const scripted = [...expected.warmupKills, ...expected.kills, ...expected.killsAfterRoundEnd]
      .sort((a, b) => a.tick - b.tick)
      .map(({ round, ...kill }) => kill);
    expect(kills).toEqual(scripted);
    const warmUpEnd = record.rounds[0]!.startTick;
    expect(record.kills.filter((kill) => kill.tick < warmUpEnd).every((kill) => kill.round === 0)).toBe(true);
    expect(record.kills.filter((kill) => kill.tick >= warmUpEnd).every((kill) => kill.round > 0)).toBe(true);
  });

  test("every scripted round is there with its winner, the knife round is not", () => {
    const rosterOfA = record.players.find((player) => player.steamId === expected.players[0]?.steamId)?.team;
    expect(rosterOfA === 0 || rosterOfA === 1).toBe(true);
    const rounds = record.rounds.map((round) => ({
      number: round.number,
      winnerSide: (round.winner === null ? "" : round.sides[round.winner]).toLowerCase(),
      reason: scriptedReason[round.reason],
      endTick: round.endTick,
      sideOfA: round.sides[rosterOfA!].toLowerCase(),
      isKnifeRound: false,
    }));
    expect(rounds).toEqual(expected.rounds.filter((round) => !round.isKnifeRound));
  });

  test("players are who the script says, bots without a SteamID", () => {
    const rosterOfA = record.players.find((player) => player.steamId === expected.players[0]?.steamId)?.team;
    const players = record.players.map((player) => ({
      name: player.name,
      steamId: player.steamId ?? "0",
      team: player.team === rosterOfA ? "a" : "b",
      isBot: player.isBot,
    }));
    const scripted = expected.players
      .filter((player) => player.team !== "spectator")
      .map(({ name: playerName, steamId, team, isBot }) => ({ name: playerName, steamId, team, isBot }));
    expect(players).toHaveLength(scripted.length);
    expect(players).toEqual(expect.arrayContaining(scripted));
  });

  test("the track knows the state of every person around each kill", async () => {
    const windows = record.kills
      .filter((kill) => kill.round > 0)
      .map((kill) => ({ startTick: kill.tick - 128, endTick: kill.tick + 64 }));
    const track = await collectTrack(path, parsed, windows, { scratchDirectory: directory });
    expect(track.sampleRate).toBe(32);
    for (const [index, window] of track.windows.entries()) {
      expect(window.endTick).toBe(window.startTick + (window.sampleCount - 1) * window.tickStep);
      const before = track.windows[index - 1];
      // Windows touch; one with fewer samples may end up to one step of its own after the next began.
      expect(window.startTick).toBeGreaterThan((before?.endTick ?? 0) - (before?.tickStep ?? 0));
    }
    for (const kill of record.kills.filter((candidate) => candidate.round > 0)) {
      const window = windowAt(track, kill.tick)!;
      const isPerson = (player: PlayerIndex | null): player is PlayerIndex =>
        player !== null && !record.players[player]!.isBot;
      if (isPerson(kill.victim)) {
        const before = stateAt(window, kill.victim, kill.tick - 4)!;
        const after = stateAt(window, kill.victim, kill.tick + 4)!;
        expect(before.alive).toBe(true);
        expect(after).toMatchObject({ alive: false, health: 0 });
        const distance = Math.hypot(
          ...kill.victimPosition!.map((value, axis) => value - [after.x, after.y, after.z][axis]!),
        );
        expect(distance).toBeLessThan(40);
      }
      if (isPerson(kill.attacker) && kill.attacker !== kill.victim) {
        expect(stateAt(window, kill.attacker, kill.tick)?.health).toBeGreaterThan(0);
      }
    }
  });
});

test("a player who comes back on another slot is the same player, and his leaving alive is a death", async () => {
  const { record } = (await parsedFixture("overtime-reconnect")).parsed;
  const leavers = record.deaths.filter((death) => death.cause === "disconnect");
  expect(leavers).toHaveLength(1);
  const leaver = record.players[leavers[0]!.player]!;
  expect(leaver.name).toBe("🦊 rotfuchs");
  expect(record.players.filter((player) => player.steamId === leaver.steamId)).toHaveLength(1);
  const away = record.rounds.find((round) => round.startTick > leavers[0]!.tick)!;
  expect(away.aliveAtFreezeEnd.flat()).not.toContain(leavers[0]!.player);
  expect(record.rounds.at(-1)!.aliveAtFreezeEnd.flat()).toContain(leavers[0]!.player);
});

test("who comes back after the last full packet is named as assister where the game counts an assist", async () => {
  const { record } = await parseDemo(await unpackedCase("late-assists", directory));
  const name = (player: PlayerIndex | null) => (player === null ? "" : record.players[player]!.name);
  const last = record.kills.filter((kill) => kill.round === 6);
  expect(last.map(({ attacker, assister, victim }) => [attacker, assister, victim].map(name).join(" "))).toEqual([
    "b4 b3 a2",
    "b4  a4",
    "a1 a3 b1",
    "a3  b5",
    "a3 a5 b2",
    "b4 b3 a5",
    "b3  a3",
    "b3  a1",
  ]);
});

test("who comes back after the last full packet is named whatever they carry, plant, throw or defuse, and nobody else for them", async () => {
  const { record } = await parseDemo(await unpackedCase("late-bomb", directory));
  const name = (player: PlayerIndex | null) => (player === null ? "" : record.players[player]!.name);
  const last = record.rounds.at(-1)!;
  const ofLast = <Event extends { tick: number }>(events: Event[]) =>
    events.filter(({ tick }) => tick >= last.startTick && tick <= last.endTick);
  // b3's killer is unknown: a2, who is back as well, may have thrown the grenade.
  expect(ofLast(record.kills).map(({ attacker, victim }) => `${name(attacker)} ${name(victim)}`)).toEqual([
    "b4 a3",
    "b4 a4",
    " b3",
    "a1 b4",
  ]);
  expect(ofLast(record.bomb).map(({ kind, player }) => `${kind} ${name(player)}`)).toEqual([
    "picked_up b4",
    "plant_begin b4",
    "planted b4",
    "defuse_begin a2",
    "defused a2",
  ]);
  expect(record.players.filter(({ isBot }) => isBot)).toEqual([]);
});

test("who is back is not given a bot's grenade for looking where it goes off, nor the death of a bot beside them", async () => {
  const { record } = await parseDemo(await unpackedCase("late-bots", directory));
  const name = (player: PlayerIndex | null) => (player === null ? "" : record.players[player]!.name);
  const last = record.kills.filter((kill) => kill.round === 6);
  expect(last.map(({ attacker, victim, weapon }) => `${name(attacker)} ${name(victim)} ${weapon}`)).toEqual([
    "b4 a2 m4a1_silencer",
    "b5 a3 hegrenade",
    "a1 b4 awp",
    "a1 b5 awp",
    "a1 b3 ak47",
  ]);
});

test("who is back and dies at one tick with others is named like them, and no bots are made up", async () => {
  const { record } = await parseDemo(await unpackedCase("late-trades", directory));
  const name = (player: PlayerIndex | null) => (player === null ? "" : record.players[player]!.name);
  const last = record.kills.filter((kill) => kill.round === 6);
  expect(last.map(({ attacker, victim }) => `${name(attacker)} ${name(victim)}`)).toEqual([
    "a1 b3",
    "a1 b4",
    "a2 b2",
    "b2 a2",
    "a1 b5",
  ]);
  expect(record.players.filter(({ isBot }) => isBot)).toEqual([]);
});

test("a world death has no killer and the bomb's victims die of the bomb", async () => {
  const { parsed: reel } = await parsedFixture("highlights-reel");
  const falls = reel.record.deaths.filter((death) => death.cause === "world");
  expect(falls).toHaveLength(1);
  expect(reel.record.kills.find((kill) => kill.tick === falls[0]!.tick)?.attacker).toBeNull();
  const { parsed: nuke } = await parsedFixture("match-de_nuke");
  expect(nuke.record.deaths.filter((death) => death.cause === "bomb").map((death) => death.tick)).toEqual([59782]);
});

test("flights are drawn from the hand to the detonation, and the carrier of the bomb is known", async () => {
  const { path, parsed } = await parsedFixture("sample-match");
  const round = parsed.record.rounds[0]!;
  const window = { startTick: round.freezeEndTick, endTick: round.endTick };
  const track = await collectTrack(path, parsed, [window], { scratchDirectory: directory });
  const shown = track.record.grenades.filter(
    (grenade) => grenade.throwTick >= window.startTick && grenade.detonateTick <= window.endTick,
  );
  expect(shown.length).toBeGreaterThan(5);
  for (const grenade of shown) {
    expect(grenade.path.length).toBeGreaterThan(2);
    expect(grenade.path.at(-1)![0]).toBe(grenade.detonateTick);
    const thrower = stateAt(windowAt(track, window.startTick)!, grenade.thrower!, grenade.path[0]![0])!;
    expect(Math.hypot(grenade.path[0]![1] - thrower.x, grenade.path[0]![2] - thrower.y)).toBeLessThan(120);
  }
  const outside = track.record.grenades.filter((grenade) => grenade.throwTick > window.endTick);
  expect(outside.every((grenade) => grenade.path.length <= 2)).toBe(true);

  const planted = track.record.bomb.find((event) => event.kind === "planted" && event.tick < window.endTick)!;
  const carrier = windowAt(track, window.startTick)!.players[planted.player!]!;
  const before = Math.floor((planted.tick - 64 - window.startTick) / 2);
  const after = Math.ceil((planted.tick + 8 - window.startTick) / 2);
  expect(carrier.flags[before]! & SampleFlag.hasBomb).not.toBe(0);
  expect(carrier.flags[after]! & SampleFlag.hasBomb).toBe(0);
});

test("every round is recorded from going live to its end, what is around highlights at the full rate as before", async () => {
  const { path, parsed } = await parsedFixture("sample-match");
  const { record } = parsed;
  const wanted = highlightWindows(detectHighlights(record), record);
  const track = await collectTrack(path, parsed, wanted, { scratchDirectory: directory });
  const stretches = recordedStretches(track.windows);
  for (const { freezeEndTick, endTick } of record.rounds) {
    expect(stretches.some((held) => held.startTick <= freezeEndTick && held.endTick >= endTick)).toBe(true);
  }
  for (const window of wanted) {
    const own = track.windows.filter((each) => each.tickStep === 2 && each.startTick === window.startTick);
    expect(own).toHaveLength(1);
    expect(own[0]!.endTick).toBeGreaterThanOrEqual(window.endTick);
  }
  const states = (windows: readonly TrackWindow[]) => windows.reduce((sum, { sampleCount }) => sum + sampleCount, 0);
  const full = track.windows.filter(({ tickStep }) => tickStep === 2);
  const coarse = track.windows.filter(({ tickStep }) => tickStep === 8);
  expect(full.length + coarse.length).toBe(track.windows.length);
  expect(states(coarse)).toBeLessThan(states(full));

  // Interpolated positions between coarse samples are compared with the full rate over a whole round.
  const round = record.rounds[0]!;
  const live = { startTick: round.freezeEndTick, endTick: round.endTick };
  const truth = windowAt(await collectTrack(path, parsed, [live], { scratchDirectory: directory }), live.startTick)!;
  const joined = joinedWindow(track, live)!;
  const distances: number[] = [];
  for (let tick = live.startTick + 1; tick < live.endTick - 8; tick += 5) {
    for (const player of record.players.keys()) {
      const [drawn, was] = [stateAt(joined, player, tick), stateAt(truth, player, tick)];
      if (drawn?.alive && was?.alive) distances.push(Math.hypot(drawn.x - was.x, drawn.y - was.y));
    }
  }
  distances.sort((a, b) => a - b);
  // A player is 32 units wide.
  expect(distances[Math.floor(distances.length * 0.99)]).toBeLessThan(8);
  expect(distances.length).toBeGreaterThan(1000);
});

test("a thrown grenade was held before, and is gone half a second later", async () => {
  const bits = {
    smoke: HeldGrenade.smoke,
    he: HeldGrenade.he,
    molotov: HeldGrenade.fire,
    incendiary: HeldGrenade.fire,
    flash: HeldGrenade.flash | HeldGrenade.secondFlash,
    decoy: HeldGrenade.decoy,
  };
  const { path, parsed } = await parsedFixture("sample-match");
  const [first] = parsed.record.rounds;
  const window = { startTick: first!.freezeEndTick, endTick: first!.endTick };
  const track = await collectTrack(path, parsed, [window], { scratchDirectory: directory });
  const heldBy = (player: PlayerIndex, tick: number) =>
    stateAt(windowAt(track, window.startTick)!, player, tick)!.grenades;
  const thrown = track.record.grenades.filter(
    ({ throwTick, thrower }) =>
      thrower !== null && throwTick > window.startTick + 64 && throwTick < window.endTick - 64,
  );
  expect(thrown.length).toBeGreaterThan(5);
  for (const { kind, thrower, throwTick } of thrown) {
    const before = heldBy(thrower!, throwTick - 16) & bits[kind];
    expect(before, `${kind} before ${throwTick}`).not.toBe(0);
    // A grenade leaves the hand when the next weapon comes up; during buy time players may soon have another.
    const after = Array.from({ length: 16 }, (_, step) => heldBy(thrower!, throwTick + 2 * step) & bits[kind]);
    expect(Math.min(...after), `${kind} after ${throwTick}`).toBeLessThan(before);
  }
});

test("a recording that stops in a round keeps what was played, the last round undecided", async () => {
  const {
    path: whole,
    parsed: { record, frames },
  } = await parsedFixture("highlights-reel");
  const round = record.rounds[4]!;
  const stopTick = round.freezeEndTick + 640;
  const stop = frames.packetEnds[frames.packetTicks.indexOf(stopTick)]!;
  const cut = join(directory, "cut.dem");
  writeFileSync(cut, readFileSync(whole).subarray(0, stop + 5));
  const parsed = await parseDemo(cut);
  expect(parsed.frames.complete).toBe(false);
  expect(parsed.record.rounds.map((found) => [found.number, found.finished])).toEqual([
    [1, true],
    [2, true],
    [3, true],
    [4, true],
    [5, false],
  ]);
  expect(parsed.record.rounds[4]).toMatchObject({ winner: null, endTick: stopTick, officialEndTick: stopTick });
  expect(parsed.record.kills).toEqual(record.kills.filter((kill) => kill.tick <= stopTick));
});

test("a demo of which only the beginning came is called cut off", async () => {
  const path = join(directory, "beginning.dem");
  writeFileSync(path, readFileSync((await parsedFixture("highlights-reel")).path).subarray(0, 60_000));
  await expect(parseDemo(path)).rejects.toMatchObject({ code: "cut_off" });
});

test("bytes within a demo that make no sense end in a sentence", async () => {
  const path = join(directory, "damaged.dem");
  copyFileSync((await parsedFixture("highlights-reel")).path, path);
  const bytes = readFileSync(path);
  for (let at = 20_000; at < bytes.length; at += 701) bytes[at]! ^= 0x55;
  writeFileSync(path, bytes);
  const error = await parseDemo(path).catch((reason) => reason);
  expect(error).toBeInstanceOf(DemoImportError);
  expect(["parser_failed", "cut_off", "no_rounds"]).toContain(error.code);
});

test("a recording that has warm-up only has no rounds", async () => {
  const {
    path: whole,
    parsed: { record, frames },
  } = await parsedFixture("highlights-reel");
  const warmUp = frames.packetEnds[frames.packetTicks.indexOf(record.rounds[0]!.startTick) - 1]!;
  const path = join(directory, "warm-up.dem");
  writeFileSync(path, Buffer.concat([readFileSync(whole).subarray(0, warmUp), Buffer.from([0, 0, 0])]));
  await expect(parseDemo(path)).rejects.toMatchObject({ code: "no_rounds" });
});

test("a demo still being written gives what was played until then, wherever it is cut", async () => {
  const {
    path: whole,
    parsed: { record, frames },
  } = await parsedFixture("highlights-reel");
  const bytes = readFileSync(whole);
  const path = join(directory, "being-written.dem");
  // The offset of the summary at the end stays 0 until the recording is over.
  bytes.fill(0, 8, 16);
  for (const part of [0.35, 0.5, 0.62, 0.8, 0.93]) {
    const index = Math.floor(frames.packetTicks.length * part);
    for (const beyond of [0, 1, 9]) {
      writeFileSync(path, bytes.subarray(0, frames.packetEnds[index]! + beyond));
      const parsed = await parseDemo(path);
      const lastTick = frames.packetTicks[index]!;
      expect(parsed.record.kills).toEqual(record.kills.filter((kill) => kill.tick <= lastTick));
      const begun = record.rounds.filter((round) => round.freezeEndTick <= lastTick);
      expect(parsed.record.rounds.map(({ number }) => number)).toEqual(begun.map(({ number }) => number));
    }
  }
});

test.each(["dota", "citadel", "hlvr"])(
  "a recording of another game of the engine, %s, is told as such",
  async (game) => {
    const path = join(directory, `${game}.dem`);
    const bytes = readFileSync((await parsedFixture("highlights-reel")).path);
    const folder = Buffer.from("/home/steam/cs2/game/csgo");
    const at = bytes.indexOf(folder);
    expect(at).toBeGreaterThan(0);
    Buffer.from(`/${"x".repeat(folder.length - game.length - 2)}/${game}`).copy(bytes, at);
    writeFileSync(path, bytes);
    await expect(parseDemo(path)).rejects.toMatchObject({ code: "other_source2_game" });
  },
);

test("rounds without freeze time have the score and the sides of their own beginning, though they go live at that tick", async () => {
  const { record } = await parseDemo(await unpackedCase("no-freeze-time", directory));
  expect(record.rounds.map(({ number, sides, scoreBefore }) => [number, sides, scoreBefore])).toEqual([
    [1, ["CT", "T"], [0, 0]],
    [2, ["CT", "T"], [0, 1]],
    [3, ["T", "CT"], [0, 2]],
    [4, ["T", "CT"], [0, 3]],
  ]);
  expect(record.teams.map(({ name, score }) => [name, score])).toEqual([
    ["B", 1],
    ["A", 3],
  ]);
});

test("who leaves their team alive has left the round, and who has left the server is in none after it", async () => {
  const { record } = await parseDemo(await unpackedCase("left-alive", directory));
  const nameOf = (player: number) => record.players[player]?.name;
  const left = record.deaths.filter(({ cause }) => cause === "disconnect");
  expect(left.map(({ round, player }) => [round, nameOf(player)])).toEqual([
    [1, "a4"],
    [1, "a5"],
    [2, "b5"],
  ]);
  expect(record.rounds.map(({ aliveAtFreezeEnd }) => aliveAtFreezeEnd[0].map(nameOf))).toEqual([
    ["b1", "b2", "b3", "b4", "b5"],
    ["b1", "b2", "b3", "b4", "b5"],
    ["b1", "b2", "b3", "b4"],
  ]);
});

test("a surrender in freeze time counts in the score as the game counts it, for the team that was given the round", async () => {
  const { record } = await parseDemo(await unpackedCase("given-up", directory));
  expect(record.rounds).toHaveLength(2);
  expect(record.teams.map(({ name, score }) => [name, score])).toEqual([
    ["B", 0],
    ["A", 3],
  ]);
});
