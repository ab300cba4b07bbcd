import type {
  MatchRecord,
  PlayerIndex,
  RecordedDeath,
  RecordedKill,
  RecordedRound,
  Side,
  TeamIndex,
} from "../../../replay/match-record.ts";
import { type DemoEvent, flagOf, numberOf, positionOf, sideOfTeamNumber, weaponOf } from "./demo-events.ts";
import type { PlayerRegister } from "./player-register.ts";

/** Deaths by these have no killer, whatever the event names. */
const worldWeapons = new Set(["", "world", "worldspawn", "trigger_hurt", "planted_c4"]);

/** The counted round a tick belongs to, from its start to its official end; null between rounds and before the match. */
export function roundAt(rounds: readonly RecordedRound[], tick: number): RecordedRound | null {
  const isLast = (round: RecordedRound) => round === rounds.at(-1);
  return (
    rounds.find(
      (round) =>
        round.startTick <= tick && (tick < round.officialEndTick || (isLast(round) && tick === round.officialEndTick)),
    ) ?? null
  );
}

/** All kills and all deaths of a demo, in tick order. */
export function recordKills(
  events: readonly DemoEvent[],
  rounds: readonly RecordedRound[],
  register: PlayerRegister,
): Pick<MatchRecord, "kills" | "deaths"> {
  const kills: RecordedKill[] = [];
  const deaths: RecordedDeath[] = [];
  const lives = new Lives(rounds);
  for (const event of events) {
    if (event.event_name === "player_death") {
      const kill = killOf(event, rounds, register);
      if (!kill) continue;
      kills.push(kill);
      deaths.push({ tick: kill.tick, round: kill.round, player: kill.victim, cause: causeOf(kill) });
      lives.end(kill.victim, kill.round);
    } else if (event.event_name === "player_disconnect") {
      const player = register.personIn(event, "user");
      const round = roundAt(rounds, event.tick);
      if (player === null || !round || !lives.isAlive(player, round)) continue;
      deaths.push({ tick: event.tick, round: round.number, player, cause: "disconnect" });
      lives.end(player, round.number);
    }
  }
  return { kills, deaths };
}

/** Who still lives in which round. */
class Lives {
  private readonly rounds: readonly RecordedRound[];
  private readonly ended = new Set<string>();

  constructor(rounds: readonly RecordedRound[]) {
    this.rounds = rounds;
  }

  end(player: PlayerIndex, round: number): void {
    this.ended.add(`${round}/${player}`);
  }

  isAlive(player: PlayerIndex, round: RecordedRound): boolean {
    const spawned = this.rounds.includes(round) && round.aliveAtFreezeEnd.some((team) => team.includes(player));
    return spawned && !this.ended.has(`${round.number}/${player}`);
  }
}

function causeOf(kill: RecordedKill): RecordedDeath["cause"] {
  if (kill.weapon === "planted_c4") return "bomb";
  if (kill.attacker === null) return "world";
  return kill.attacker === kill.victim ? "suicide" : "kill";
}

function killOf(event: DemoEvent, rounds: readonly RecordedRound[], register: PlayerRegister): RecordedKill | null {
  const round = roundAt(rounds, event.tick);
  const weapon = weaponOf(event);
  const { attacker, victim } = partiesOf(event, weapon, round, register);
  if (victim === null) return null;
  // A number that is no side's is a spectator's; only where the demo tells none the roster does.
  const side = (player: PlayerIndex | null, teamNumber: unknown): Side | null => {
    if (player === null) return null;
    return typeof teamNumber === "number" ? sideOfTeamNumber(teamNumber) : sideInRound(player, round, register);
  };
  return {
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
}

/** Killer and killed. The parser leaves bots out of events, so an empty place is a bot wherever it can be one. */
function partiesOf(
  event: DemoEvent,
  weapon: string,
  round: RecordedRound | null,
  register: PlayerRegister,
): { attacker: PlayerIndex | null; victim: PlayerIndex | null } {
  const named = register.personIn(event, "attacker");
  let victim = register.personIn(event, "user");
  const bySelf = named !== null && named === victim;
  let attacker = worldWeapons.has(weapon) && !bySelf ? null : named;
  if (!register.hasBots) return { attacker, victim };

  const roundNumber = round?.number ?? 0;
  if (victim === null) {
    const team = attacker === null ? teamWithBots(register) : otherTeam(register.players[attacker]?.team);
    victim = register.livingBot(team, roundNumber);
  }
  if (attacker === null && !worldWeapons.has(weapon)) {
    const team = otherTeam(register.players[victim]?.team);
    if (register.botsOf(team).length > 0) attacker = register.livingBot(team, roundNumber);
  }
  if (register.players[victim]?.isBot) register.markBotDead(victim, roundNumber);
  return { attacker, victim };
}

function otherTeam(team: TeamIndex | null | undefined): TeamIndex {
  return team === 0 ? 1 : 0;
}

function teamWithBots(register: PlayerRegister): TeamIndex {
  return register.botsOf(0).length > 0 ? 0 : 1;
}

function sideInRound(player: PlayerIndex, round: RecordedRound | null, register: PlayerRegister): Side | null {
  const team = register.players[player]?.team;
  return round && team != null ? round.sides[team] : null;
}
