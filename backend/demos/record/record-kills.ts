import { isWeaponOfNobody } from "../../../contract/weapons.ts";
import { firstIndexWhere } from "../../../replay/first-index.ts";
import type {
  MatchRecord,
  PlayerIndex,
  RecordedDeath,
  RecordedKill,
  RecordedRound,
  Side,
  TeamIndex,
} from "../../../replay/match-record.ts";
import { isLive } from "../../../replay/round-lives.ts";
import { Coaches } from "./coaches.ts";
import { type DemoEvent, flagOf, numberOf, positionOf, sideOfTeamNumber, textOf, weaponOf } from "./demo-events.ts";
import type { PlayerRegister } from "./player-register.ts";

/** Events that show who is alive. */
const livesOf = new Set(["player_death", "weapon_fire", "player_disconnect", "player_team"]);

/** The most ticks between a change of team and the death it causes. */
const ticksToDieOfChange = 16;

/** The counted round that contains a tick, from its start to its official end; null between rounds and before the match. */
export function roundAt(rounds: readonly RecordedRound[], tick: number): RecordedRound | null {
  const isLast = (round: RecordedRound) => round === rounds.at(-1);
  return (
    rounds.find(
      (round) =>
        round.startTick <= tick && (tick < round.officialEndTick || (isLast(round) && tick === round.officialEndTick)),
    ) ?? null
  );
}

/**
 * All kills and deaths of a demo, in tick order. Rounds in which a bot of an unknown roster died or left are marked (`unclearLives`).
 * Coaches of a round kill for no side and have no life in it.
 */
export function recordKills(
  events: readonly DemoEvent[],
  rounds: readonly RecordedRound[],
  register: PlayerRegister,
  coaches: Coaches = new Coaches(),
): Pick<MatchRecord, "kills" | "deaths"> {
  const recorder = new KillRecorder(register, coaches, deathTicks(events));
  for (const event of events.filter(({ event_name: name }) => livesOf.has(name))) {
    const round = roundAt(rounds, event.tick);
    if (event.event_name === "player_death") recorder.death(event, round);
    else if (event.event_name === "weapon_fire") recorder.shot(event, round);
    else if (event.event_name === "player_disconnect") recorder.disconnect(event, round);
    else if (leavesTeam(event)) recorder.changeOfTeam(event, round);
  }
  return { kills: recorder.kills, deaths: recorder.deaths };
}

class KillRecorder {
  readonly kills: RecordedKill[] = [];
  readonly deaths: RecordedDeath[] = [];
  private readonly lives = new Lives();
  private readonly register: PlayerRegister;
  private readonly coaches: Coaches;
  /** By SteamID. */
  private readonly ticksOfDeaths: ReadonlyMap<string, number[]>;

  constructor(register: PlayerRegister, coaches: Coaches, ticksOfDeaths: ReadonlyMap<string, number[]>) {
    this.register = register;
    this.coaches = coaches;
    this.ticksOfDeaths = ticksOfDeaths;
  }

  death(event: DemoEvent, round: RecordedRound | null): void {
    const { kill, isSure } = killOf(event, round, this.register);
    if (!kill) return;
    if (round && !isSure && isLive(round, kill.tick)) round.unclearLives = true;
    if (this.coaches.isCoach(kill.attacker, round)) kill.attackerSide = null;
    this.kills.push(kill);
    if (this.coaches.isCoach(kill.victim, round)) return;
    this.deaths.push({ tick: kill.tick, round: kill.round, player: kill.victim, cause: causeOf(kill) });
    if (kill.attacker !== null && !kill.attackerControlsBot) this.lives.fights(kill.attacker, round, kill.tick);
    this.lives.end(kill.victim, round, kill.tick);
  }

  shot(event: DemoEvent, round: RecordedRound | null): void {
    const shooter = this.register.personIn(event, "user");
    if (shooter === null || this.coaches.isCoach(shooter, round)) return;
    if (!flagOf(event, "user_is_controlling_bot")) this.lives.fights(shooter, round, event.tick);
  }

  disconnect(event: DemoEvent, round: RecordedRound | null): void {
    if (!round) return;
    const person = this.register.personIn(event, "user");
    if (person === null) {
      const bot = leavingBot(event, round, this.register);
      if (bot !== null) this.leave(bot, round, event.tick);
    } else if (this.lives.isAlive(person, round, event.tick)) this.leave(person, round, event.tick);
  }

  changeOfTeam(event: DemoEvent, round: RecordedRound | null): void {
    const player = this.register.personIn(event, "user");
    if (player === null || !round || !isLive(round, event.tick)) return;
    if (!this.lives.isAlive(player, round, event.tick)) return;
    if (diesOf(event, this.ticksOfDeaths.get(textOf(event, "user_steamid")))) return;
    this.leave(player, round, event.tick);
  }

  private leave(player: PlayerIndex, round: RecordedRound, tick: number): void {
    this.deaths.push({ tick, round: round.number, player, cause: "disconnect" });
    this.lives.end(player, round, tick);
  }
}

/** Whoever changes sides or joins the spectators leaves the round, with or without a death event. */
function leavesTeam(event: DemoEvent): boolean {
  return event.event_name === "player_team" && sideOfTeamNumber(event.oldteam) !== null && event.team !== event.oldteam;
}

/** The ticks of each player's deaths, in order, by SteamID. */
function deathTicks(events: readonly DemoEvent[]): Map<string, number[]> {
  const ticks = new Map<string, number[]>();
  for (const event of events) {
    if (event.event_name !== "player_death") continue;
    const steamId = textOf(event, "user_steamid");
    const known = ticks.get(steamId);
    if (known) known.push(event.tick);
    else ticks.set(steamId, [event.tick]);
  }
  return ticks;
}

/**
 * The game kills players who change teams, and reports it at once.
 * @param deaths of the player, by tick
 */
function diesOf(change: DemoEvent, deaths: readonly number[] = []): boolean {
  const next = deaths[firstIndexWhere(deaths, (tick) => tick >= change.tick)];
  return next !== undefined && next <= change.tick + ticksToDieOfChange;
}

/**
 * The bot that a server removes from a round, or a bot of its roster: the event has only its name, which both rosters may have. Null if
 * none can have been alive.
 */
function leavingBot(event: DemoEvent, round: RecordedRound, register: PlayerRegister): PlayerIndex | null {
  if (textOf(event, "networkid") !== "BOT" || isInFreezeTime(round, event.tick)) return null;
  const named = register.rostersOfBot(textOf(event, "name"));
  const living = rostersOfLivingBots(round, register);
  const possible = named.length === 1 ? named.filter((team) => living.includes(team)) : living;
  const [team] = possible;
  if (team === undefined) return null;
  const isSure = possible.length === 1;
  if (!isSure && isLive(round, event.tick)) round.unclearLives = true;
  const bot = register.livingBot(team, round.number);
  register.markBotDead(bot, round.number, isSure);
  return bot;
}

/** Tracks who is alive in the live part of each round. */
class Lives {
  private readonly ended = new Set<string>();
  private readonly joinedLate = new Set<string>();

  end(player: PlayerIndex, round: RecordedRound | null, tick: number): void {
    if (round && !isInFreezeTime(round, tick)) this.ended.add(`${round.number}/${player}`);
  }

  fights(player: PlayerIndex, round: RecordedRound | null, tick: number): void {
    if (round && !isInFreezeTime(round, tick)) this.joinedLate.add(`${round.number}/${player}`);
  }

  isAlive(player: PlayerIndex, round: RecordedRound, tick: number): boolean {
    const inRound = `${round.number}/${player}`;
    const spawned = round.aliveAtFreezeEnd.some((team) => team.includes(player)) || this.joinedLate.has(inRound);
    return !isInFreezeTime(round, tick) && spawned && !this.ended.has(inRound);
  }
}

function causeOf(kill: RecordedKill): RecordedDeath["cause"] {
  if (kill.weapon === "planted_c4") return "bomb";
  if (kill.attacker === null) return "world";
  return kill.attacker === kill.victim ? "suicide" : "kill";
}

interface ReadKill {
  kill: RecordedKill | null;
  /** False if the victim may have been a bot of either roster. */
  isSure: boolean;
}

function killOf(event: DemoEvent, round: RecordedRound | null, register: PlayerRegister): ReadKill {
  const weapon = weaponOf(event);
  const { attacker, victim, isSure } = partiesOf(event, weapon, round, register);
  if (victim === null) return { kill: null, isSure };
  // Other team numbers are those of spectators. Without a number the roster decides.
  const side = (player: PlayerIndex | null, teamNumber: unknown): Side | null => {
    if (player === null) return null;
    return typeof teamNumber === "number" ? sideOfTeamNumber(teamNumber) : sideInRound(player, round, register);
  };
  const kill: RecordedKill = {
    tick: event.tick,
    round: round?.number ?? 0,
    attacker,
    victim,
    assister: register.personIn(event, "assister"),
    attackerSide: side(attacker, event.attacker_team_num),
    victimSide: side(victim, event.user_team_num),
    weapon,
    headshot: flagOf(event, "headshot"),
    penetrated: numberOf(event, "penetrated") ?? 0,
    noScope: flagOf(event, "noscope"),
    throughSmoke: flagOf(event, "thrusmoke"),
    attackerInAir: flagOf(event, "attackerinair"),
    attackerBlind: flagOf(event, "attackerblind"),
    flashAssist: flagOf(event, "assistedflash"),
    distance: numberOf(event, "distance") ?? 0,
    attackerControlsBot: flagOf(event, "attacker_is_controlling_bot"),
    victimPosition: positionOf(event, "user"),
    attackerPosition: attacker === null ? null : positionOf(event, "attacker"),
  };
  return { kill, isSure };
}

/** Killer and victim. The parser leaves bots out of events, so a missing player is a bot if it can be one. */
function partiesOf(
  event: DemoEvent,
  weapon: string,
  round: RecordedRound | null,
  register: PlayerRegister,
): { attacker: PlayerIndex | null; victim: PlayerIndex | null; isSure: boolean } {
  const named = register.personIn(event, "attacker");
  let victim = register.personIn(event, "user");
  const bySelf = named !== null && named === victim;
  let attacker = isWeaponOfNobody(weapon) && !bySelf ? null : named;
  if (!register.hasBots) return { attacker, victim, isSure: true };

  const roundNumber = round?.number ?? 0;
  let isSure = true;
  if (victim === null) {
    const roster = rosterOfBot(attacker, round, register);
    isSure = roster.isSure;
    victim = register.livingBot(roster.team, roundNumber);
  }
  if (attacker === null && !isWeaponOfNobody(weapon)) {
    const team = otherTeam(register.players[victim]?.team);
    if (register.botsOf(team).length > 0) attacker = register.livingBot(team, roundNumber);
  }
  if (register.players[victim]?.isBot && !isInFreezeTime(round, event.tick))
    register.markBotDead(victim, roundNumber, isSure);
  return { attacker, victim, isSure };
}

/** The roster of a dead bot; not sure if it may as well have been of the other one. */
function rosterOfBot(
  attacker: PlayerIndex | null,
  round: RecordedRound | null,
  register: PlayerRegister,
): { team: TeamIndex; isSure: boolean } {
  const hadBots = (team: TeamIndex) =>
    round === null
      ? register.botsOf(team).length > 0
      : round.aliveAtFreezeEnd[team].some((player) => register.players[player]?.isBot);
  const attackerTeam = attacker === null ? null : (register.players[attacker]?.team ?? null);
  if (attackerTeam !== null) {
    const opposite = otherTeam(attackerTeam);
    // The attacker's own roster only if it cannot be the other: bots that are all dead may have respawned.
    return { team: hadBots(opposite) || !hadBots(attackerTeam) ? opposite : attackerTeam, isSure: true };
  }
  const living = round ? rostersOfLivingBots(round, register) : ([0, 1] as const).filter(hadBots);
  if (living[0] !== undefined) return { team: living[0], isSure: living.length === 1 };
  return { team: register.botsOf(0).length > 0 ? 0 : 1, isSure: true };
}

function rostersOfLivingBots(round: RecordedRound, register: PlayerRegister): TeamIndex[] {
  const isLivingBot = (player: PlayerIndex) =>
    register.players[player]?.isBot && !register.isBotDown(player, round.number);
  return ([0, 1] as const).filter((team) => round.aliveAtFreezeEnd[team].some(isLivingBot));
}

/** Players who die in freeze time respawn. */
function isInFreezeTime(round: RecordedRound | null, tick: number): boolean {
  return round !== null && tick <= round.freezeEndTick;
}

function otherTeam(team: TeamIndex | null | undefined): TeamIndex {
  return team === 0 ? 1 : 0;
}

function sideInRound(player: PlayerIndex, round: RecordedRound | null, register: PlayerRegister): Side | null {
  const team = register.players[player]?.team;
  return round && team != null ? round.sides[team] : null;
}
