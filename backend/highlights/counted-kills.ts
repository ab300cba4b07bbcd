import type { KillFlag } from "../../contract/kill-flags.ts";
import { weaponByEventName } from "../../contract/weapons.ts";
import type {
  MatchRecord,
  PlayerIndex,
  RecordedKill,
  RecordedRound,
  Side,
  TeamIndex,
} from "../../replay/match-record.ts";
import { isLive } from "../../replay/round-lives.ts";
import type { HighlightMoment } from "./highlight.ts";

/** A kill that counts for highlights, so it has an attacker. */
export type CountedKill = RecordedKill & { attacker: PlayerIndex };

/** The roster that plays a side in this round. */
export function teamOnSide(round: RecordedRound, side: Side): TeamIndex {
  return round.sides[0] === side ? 0 : 1;
}

/**
 * The kills of a round that count for highlights, in tick order. Those of one tick are in the order in which a bullet reaches its victims,
 * so that neither the order of events within a tick nor the numbering of players matters. Nobody dies twice in a tick, so repetitions in a
 * broken recording do not count.
 *
 * Not counted: team kills, suicides, deaths by the world, and kills by bots, coaches and spectators. A person who controls a bot is
 * recorded as the attacker, so such kills count.
 */
export function countedKills(record: MatchRecord, round: RecordedRound): CountedKill[] {
  const seen = new Set<string>();
  return record.kills
    .filter(
      (kill): kill is CountedKill =>
        kill.round === round.number && isLive(round, kill.tick) && counts(record, round, kill),
    )
    .map((kill) => ({ kill, facts: factsOf(record, kill) }))
    .sort(
      (a, b) =>
        a.kill.tick - b.kill.tick ||
        a.kill.penetrated - b.kill.penetrated ||
        a.kill.distance - b.kill.distance ||
        (a.facts < b.facts ? -1 : a.facts > b.facts ? 1 : a.kill.victim - b.kill.victim),
    )
    .map(({ kill }) => kill)
    .filter(({ tick, victim }) => {
      const death = `${tick} ${victim}`;
      return !seen.has(death) && seen.add(death);
    });
}

/** All facts of a kill, with people identified by who they are rather than by their numbers. Sorts what nothing else orders. */
function factsOf({ players }: MatchRecord, { attacker, victim, assister, ...facts }: CountedKill): string {
  return JSON.stringify([players[attacker]?.steamId, players[victim]?.steamId, facts]);
}

function counts(record: MatchRecord, round: RecordedRound, kill: RecordedKill): boolean {
  if (kill.attacker === null) return false;
  // Spectators have no side.
  if (!hasHighlights(record, kill.attacker) || kill.attackerSide === null) return false;
  // A suicide is also a kill on one's own side.
  return kill.attackerSide !== victimSide(record, round, kill);
}

/** Whether a player can have highlights: bots cannot, nor can coaches, who are on a side but on no roster. */
export function hasHighlights(record: MatchRecord, player: PlayerIndex): boolean {
  const { isBot, team } = record.players[player] ?? { isBot: true, team: null };
  return !isBot && team !== null;
}

function victimSide(record: MatchRecord, round: RecordedRound, kill: RecordedKill): Side | null {
  if (kill.victimSide) return kill.victimSide;
  const team = record.players[kill.victim]?.team ?? null;
  return team === null ? null : round.sides[team];
}

/** The counted kills of each player who has any, by player index. */
export function killsByPlayer(kills: readonly CountedKill[]): [PlayerIndex, CountedKill[]][] {
  const byPlayer = new Map<PlayerIndex, CountedKill[]>();
  for (const kill of kills) {
    const own = byPlayer.get(kill.attacker);
    if (own) own.push(kill);
    else byPlayer.set(kill.attacker, [kill]);
  }
  return [...byPlayer].sort(([a], [b]) => a - b);
}

/** Whether two kills share a bullet or an explosion: otherwise a player does not kill twice in a tick with one weapon. */
export function isSameBullet(a: CountedKill, b: CountedKill): boolean {
  return a.tick === b.tick && a.attacker === b.attacker && a.weapon === b.weapon;
}

/**
 * The kill as listed in highlights, with all its flags.
 * @param kills the round's counted kills, to recognise a collateral
 */
export function killMoment(kill: CountedKill, kills: readonly CountedKill[]): HighlightMoment {
  const flags: KillFlag[] = [];
  if (kill.headshot) flags.push("headshot");
  if (kill.penetrated > 0) flags.push("wallbang");
  if (kill.noScope) flags.push("no_scope");
  if (kill.throughSmoke) flags.push("through_smoke");
  if (kill.attackerInAir) flags.push("midair");
  if (kill.attackerBlind) flags.push("blind");
  if (kill.flashAssist) flags.push("flash_assist");
  if (firesBullets(kill.weapon) && kills.some((other) => other !== kill && isSameBullet(other, kill)))
    flags.push("collateral");
  return { tick: kill.tick, kind: "kill", weapon: kill.weapon, flags, victim: kill.victim };
}

const bulletCategories: readonly string[] = ["pistol", "smg", "rifle", "sniper", "shotgun", "machine_gun"];

/** Whether a weapon, named as in events, is a gun. */
export function firesBullets(weapon: string): boolean {
  return bulletCategories.includes(weaponByEventName(weapon)?.category ?? "");
}
