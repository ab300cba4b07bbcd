import { parseEvents, parseHeader, parsePlayerInfo, parseTicks } from "@laihoe/demoparser2";
import { boundedLine } from "../../../contract/clean-text.ts";
import { internalMapName } from "../../../contract/maps.ts";
import { textLimits } from "../../../contract/text-limits.ts";
import type {
  MatchRecord,
  PlayerIndex,
  RecordedBlind,
  RecordedRound,
  RecordedShot,
  RecordedTeam,
  Side,
  TeamIndex,
} from "../../../replay/match-record.ts";
import type { Footprints } from "../../../replay/replay-track.ts";
import { DemoImportError } from "../demo-import-error.ts";
import { askParser, type ColumnsBySteamId } from "./ask-parser.ts";
import { assignRosters, type Rosters } from "./assign-rosters.ts";
import { Coaches } from "./coaches.ts";
import {
  type DemoEvent,
  eventGameFields,
  eventPlayerFields,
  flagOf,
  numberOf,
  sideOfTeamNumber,
  textOf,
  wantedEvents,
  weaponOf,
} from "./demo-events.ts";
import { type DemoFrames, packetTickAt, readDemoFrames } from "./demo-frames.ts";
import { botsAlive, eventsOfBots, findBots, hasBots, type OfBothRosters } from "./find-bots.ts";
import { type FoundRound, findRounds } from "./find-rounds.ts";
import { collectFootprints, footprintTicks } from "./footprints.ts";
import { gameMode } from "./game-mode.ts";
import { winnerOfGivenUp } from "./given-up.ts";
import { goneInRounds } from "./gone-players.ts";
import { addLateJoiners } from "./late-joiners.ts";
import { markRespawns } from "./mark-respawns.ts";
import { nameReturnedPlayers } from "./name-returned-players.ts";
import { givenName, isSteamId, type KnownBot, namelessBot, PlayerRegister } from "./player-register.ts";
import { readingVersion } from "./reading-version.ts";
import { type BombCarrier, recordBomb } from "./record-bomb.ts";
import { recordDamages } from "./record-damages.ts";
import { isGrenadeWeapon, recordGrenades } from "./record-grenades.ts";
import { recordKills, roundAt } from "./record-kills.ts";
import { refuseOversizedEvents, refuseOversizedRecord } from "./refuse-oversized.ts";
import { refuseWithoutDeaths, refuseWithoutRounds } from "./refuse-untold.ts";
import { settleFreezeEnds } from "./settle-freeze-ends.ts";
import { bombDefinition } from "./weapon-definitions.ts";

/** The game always simulates 64 ticks per second. */
const tickRate = 64;

export interface ParsedDemo {
  record: MatchRecord;
  footprints: Footprints;
  frames: DemoFrames;
}

/** Requested for every player at the ends of freeze time and for footprints. */
const coarseFields = [
  "X",
  "Y",
  "Z",
  "is_alive",
  "is_controlling_bot",
  "is_airborne",
  "last_place_name",
  "team_num",
  "is_coach_team",
  "comp_rank_type",
  "inventory_as_bitmask",
];

/** Called after every step with 0..1, and awaited, so that the message is sent before the next step blocks the thread. */
export type StepProgress = (fraction: number) => void | Promise<void>;

/**
 * Reads a demo into its match record, in two passes over the file: all events, then players twice a second.
 * @param path an unpacked `.dem` file
 * @throws DemoImportError `parser_failed` when the parser gives up, `no_rounds` when nothing was played, `untold` for a demo without
 *   necessary data, `too_much` beyond `demoLimits`
 */
export async function parseDemo(path: string, onProgress: StepProgress = () => {}): Promise<ParsedDemo> {
  const frames = await readDemoFrames(path);
  if (frames.packetTicks.length === 0 && !frames.complete) throw new DemoImportError("cut_off");
  await onProgress(0.1);
  const header = askParser(() => parseHeader(path) as Record<string, string>);
  if (!isCounterStrike(header)) throw new DemoImportError("other_source2_game");
  const events = readEvents(path, frames);
  nameReturnedPlayers(path, events, frames);
  await onProgress(0.6);
  const lastTick = frames.packetTicks.at(-1) ?? events.at(-1)?.tick ?? 0;
  const found = findRounds(events, lastTick);
  if (found.length === 0) refuseWithoutRounds(events);

  const ticks = footprintTicks(found, frames, tickRate);
  const columns = askParser(() => parseTicks(path, coarseFields, ticks, null, true, true) as ColumnsBySteamId);
  await onProgress(0.95);
  const gone = goneInRounds(events, found);
  const roundStates = found.map((round, index) =>
    playersAtFreezeEnd(columns, packetTickAt(frames.packetTicks, round.freezeEndTick), gone[index]!),
  );
  const rosters = assignRosters(roundStates.map((states) => sidesOf(states)));
  const coachIds = roundStates.map(
    (states) => new Set(states.filter(({ isCoach }) => isCoach).map(({ steamId }) => steamId)),
  );
  addLateJoiners(events, found, rosters, coachIds);
  if (rosters.teamOf.size === 0) refuseWithoutRounds(events);

  const bots = botsOf(path, events, found, rosters, roundStates);
  const register = new PlayerRegister(events, rosters.teamOf, bots);
  const rounds = recordRounds(found, rosters, roundStates, events, register);
  const coaches = coachesOf(found, coachIds, register);
  const { kills, deaths } = recordKills(events, rounds, register, coaches);
  refuseWithoutDeaths(events, rounds, deaths);
  const shots = recordShots(events, rounds, register, coaches);
  markRespawns(columns, rounds, { deaths, shots }, register);
  const restarts = rounds.map((round) => round.startTick);
  // Folders precede the name, so the text is shortened only after removing them.
  const map = internalMapName(header.map_name ?? "");
  const rawMap = boundedLine(header.map_name ?? "", textLimits.mapName);
  const serverName = boundedLine(header.server_name ?? "", textLimits.serverName);
  const record: MatchRecord = {
    version: 1,
    reading: readingVersion,
    map,
    rawMap,
    tickRate,
    firstTick: Math.max(frames.packetTicks[0] ?? 0, 0),
    lastTick,
    gameMode: gameModeOf(serverName, events, roundStates, rounds),
    serverName,
    teams: recordTeams(rounds, events),
    players: register.players,
    rounds,
    kills,
    deaths,
    shots,
    damages: recordDamages(events, rounds, register),
    blinds: recordBlinds(events, register),
    bomb: recordBomb(events, rounds, register, bombCarriers(found, roundStates, register)),
    grenades: recordGrenades(events, register, tickRate, restarts),
  };
  refuseOversizedRecord(record);
  return { record, footprints: collectFootprints(columns, rounds), frames };
}

/** Other games of the engine (Dota 2, Deadlock) record in the same format, but the server ran from another folder. */
function isCounterStrike(header: Record<string, string>): boolean {
  const folder = header.game_directory ?? "";
  return folder === "" || !/[\\/](dota|citadel|hlvr)[\\/]?$/i.test(folder);
}

function readEvents(path: string, frames: DemoFrames): DemoEvent[] {
  const events = askParser(() => parseEvents(path, wantedEvents, eventPlayerFields, eventGameFields) as DemoEvent[]);
  refuseOversizedEvents(events, frames);
  // The parser reads in parallel pieces, so events are only nearly in order; `sort` keeps the order within a tick.
  events.sort((a, b) => a.tick - b.tick);
  settleFreezeEnds(events);
  return events;
}

function coachesOf(
  found: readonly FoundRound[],
  coachIds: readonly ReadonlySet<string>[],
  register: PlayerRegister,
): Coaches {
  const coaches = new Coaches();
  for (const [index, ids] of coachIds.entries()) {
    const players = [...ids].map((id) => register.person(id)).filter((player) => player !== null);
    coaches.add(found[index]!.number, players);
  }
  return coaches;
}

function gameModeOf(
  serverName: string,
  events: readonly DemoEvent[],
  roundStates: readonly PlayerAtFreezeEnd[][],
  rounds: readonly RecordedRound[],
): MatchRecord["gameMode"] {
  const variables = events.filter((event) => event.event_name === "server_cvar");
  return gameMode({
    serverName,
    isValveServer: events.some((event) => flagOf(event, "is_valve_dedicated_server")),
    rankTypes: roundStates.flatMap((states) => states.map((state) => state.rankType)),
    serverVariables: new Map(variables.map((event) => [textOf(event, "name"), textOf(event, "value")])),
    playersASide: Math.max(...rounds.flatMap((round) => round.aliveAtFreezeEnd.map((alive) => alive.length))),
  });
}

interface PlayerAtFreezeEnd {
  steamId: string;
  side: Side | null;
  isCoach: boolean;
  alive: boolean;
  rankType: number;
  hasBomb: boolean;
}

function playersAtFreezeEnd(columns: ColumnsBySteamId, tick: number, gone: ReadonlySet<string>): PlayerAtFreezeEnd[] {
  return Object.entries(columns).flatMap(([steamId, column]) => {
    const row = column.tick.indexOf(tick);
    if (row < 0 || !isSteamId(steamId)) return [];
    const isCoach = Number(column.is_coach_team?.[row] ?? 0) > 0;
    const items = column.inventory_as_bitmask?.[row];
    return {
      steamId,
      side: isCoach ? null : sideOfTeamNumber(column.team_num?.[row]),
      isCoach,
      alive: column.is_alive?.[row] === true && !gone.has(steamId),
      rankType: Number(column.comp_rank_type?.[row] ?? 0),
      hasBomb: typeof items === "string" && (BigInt(items) & (1n << BigInt(bombDefinition))) !== 0n,
    };
  });
}

function sidesOf(states: readonly PlayerAtFreezeEnd[]): Map<string, Side> {
  return new Map(states.flatMap(({ steamId, side }) => (side ? [[steamId, side] as const] : [])));
}

/** The bots of a demo. Its list of players is requested only if there are any, since that takes another pass. */
function botsOf(
  path: string,
  events: readonly DemoEvent[],
  found: readonly FoundRound[],
  rosters: Rosters,
  roundStates: readonly PlayerAtFreezeEnd[][],
): KnownBot[] {
  if (!hasBots(events)) return [];
  const people = askParser(() => parsePlayerInfo(path) as { name?: string; steamid?: string; team_number?: number }[]);
  const lastSides = rosters.sides.at(-1)!;
  const named = people.flatMap(({ name, steamid, team_number }): KnownBot[] => {
    const side = sideOfTeamNumber(team_number);
    if (isSteamId(steamid ?? "0") || !side) return [];
    return [{ ...(givenName(name ?? "") ?? namelessBot), team: lastSides[0] === side ? 0 : 1 }];
  });
  const alive = roundStates.map((states, index) => peopleAlive(states, rosters.sides[index]!));
  return findBots(eventsOfBots(events), found, rosters, alive, named);
}

function peopleAlive(states: readonly PlayerAtFreezeEnd[], sides: [Side, Side]): OfBothRosters {
  const on = (side: Side) => states.filter((state) => state.alive && state.side === side).length;
  return [on(sides[0]), on(sides[1])];
}

function recordRounds(
  found: readonly FoundRound[],
  rosters: Rosters,
  roundStates: readonly PlayerAtFreezeEnd[][],
  events: readonly DemoEvent[],
  register: PlayerRegister,
): RecordedRound[] {
  const score: [number, number] = [0, 0];
  const botEvents = eventsOfBots(events);
  return found.map((round, index) => {
    const sides = rosters.sides[index]!;
    const scoreBefore: [number, number] = [
      round.scoreBefore[sides[0]] ?? score[0],
      round.scoreBefore[sides[1]] ?? score[1],
    ];
    const winner: TeamIndex | null = round.winner === null ? null : round.winner === sides[0] ? 0 : 1;
    score[0] = scoreBefore[0] + (winner === 0 ? 1 : 0);
    score[1] = scoreBefore[1] + (winner === 1 ? 1 : 0);
    return {
      number: round.number,
      startTick: round.startTick,
      freezeEndTick: round.freezeEndTick,
      endTick: round.endTick,
      officialEndTick: round.officialEndTick,
      finished: round.finished,
      winner,
      reason: round.reason,
      sides,
      scoreBefore,
      overtime: round.overtime,
      aliveAtFreezeEnd: aliveAtFreezeEnd(round, sides, roundStates[index]!, botEvents, register, rosters),
    };
  });
}

function aliveAtFreezeEnd(
  round: FoundRound,
  sides: [Side, Side],
  states: readonly PlayerAtFreezeEnd[],
  botEvents: readonly DemoEvent[],
  register: PlayerRegister,
  rosters: Rosters,
): [PlayerIndex[], PlayerIndex[]] {
  // Bots have no rows, only spawn events without a name.
  const known: OfBothRosters = [register.botsOf(0).length, register.botsOf(1).length];
  const bots = register.hasBots ? botsAlive(botEvents, round, rosters, peopleAlive(states, sides), known) : [0, 0];
  const alive = (team: TeamIndex): PlayerIndex[] => [
    ...states
      .filter((state) => state.alive && state.side === sides[team])
      .map((state) => register.person(state.steamId))
      .filter((player) => player !== null),
    ...register.botsOf(team).slice(0, bots[team]),
  ];
  return [alive(0), alive(1)];
}

function bombCarriers(
  found: readonly FoundRound[],
  roundStates: readonly PlayerAtFreezeEnd[][],
  register: PlayerRegister,
): BombCarrier[] {
  return found.flatMap((round, index) => {
    const carrier = roundStates[index]!.find((state) => state.hasBomb && state.alive);
    const player = carrier ? register.person(carrier.steamId) : null;
    return player === null ? [] : [{ round: round.number, player }];
  });
}

function recordTeams(rounds: readonly RecordedRound[], events: readonly DemoEvent[]): [RecordedTeam, RecordedTeam] {
  const first = rounds[0]!;
  const last = rounds.at(-1)!;
  const named = events.find((event) => event.event_name === "round_freeze_end" && event.tick === last.freezeEndTick);
  const givenTo = winnerOfGivenUp(events, last);
  const team = (index: TeamIndex): RecordedTeam => ({
    name: named
      ? boundedLine(textOf(named, `${last.sides[index].toLowerCase()}_team_clan_name`), textLimits.clanName)
      : "",
    score: last.scoreBefore[index] + (last.winner === index ? 1 : 0) + (givenTo === index ? 1 : 0),
    firstSide: first.sides[index],
  });
  return [team(0), team(1)];
}

/** Shots of guns, knives and the Zeus; thrown grenades are in `grenades`. */
function recordShots(
  events: readonly DemoEvent[],
  rounds: readonly RecordedRound[],
  register: PlayerRegister,
  coaches: Coaches,
): RecordedShot[] {
  return events.flatMap((event) => {
    if (event.event_name !== "weapon_fire") return [];
    const player = register.personIn(event, "user");
    const weapon = weaponOf(event);
    if (player === null || isGrenadeWeapon(weapon) || weapon === "c4") return [];
    if (coaches.isCoach(player, roundAt(rounds, event.tick))) return [];
    const shot = { tick: event.tick, player, weapon, yaw: numberOf(event, "user_yaw") };
    return [flagOf(event, "user_is_controlling_bot") ? { ...shot, controlsBot: true } : shot];
  });
}

function recordBlinds(events: readonly DemoEvent[], register: PlayerRegister): RecordedBlind[] {
  return events.flatMap((event) => {
    if (event.event_name !== "player_blind") return [];
    const victim = register.personIn(event, "user");
    if (victim === null) return [];
    return [
      {
        tick: event.tick,
        attacker: register.personIn(event, "attacker"),
        victim,
        seconds: numberOf(event, "blind_duration") ?? 0,
      },
    ];
  });
}
