import type { Side, TeamIndex } from "../../../replay/match-record.ts";

/** Rosters keep their players when sides swap. */
export interface Rosters {
  /** Roster of every player who played a counted round, by SteamID. */
  teamOf: Map<string, TeamIndex>;
  /** For each round, the sides of roster 0 and roster 1. */
  sides: [Side, Side][];
}

/**
 * Groups players into two rosters by the sides they play in each round.
 *
 * Roster 0 begins as CT. At half time most known players change sides at once, so no rule about the length of halves is needed, which
 * differs by mode and in overtime. A player who changes rosters during the match belongs to the one they played for most.
 *
 * @param sidesByRound for each counted round, each player's side by SteamID
 */
export function assignRosters(sidesByRound: readonly ReadonlyMap<string, Side>[]): Rosters {
  const sides: [Side, Side][] = [];
  const lastTeam = new Map<string, TeamIndex>();
  const roundsFor = new Map<string, [number, number]>();
  for (const players of sidesByRound) {
    const current = sidesOfRound(players, lastTeam, sides.at(-1) ?? ["CT", "T"]);
    sides.push(current);
    for (const [player, side] of players) {
      const team: TeamIndex = current[0] === side ? 0 : 1;
      lastTeam.set(player, team);
      const rounds = roundsFor.get(player) ?? [0, 0];
      rounds[team]++;
      roundsFor.set(player, rounds);
    }
  }
  const teamOf = new Map<string, TeamIndex>();
  for (const [player, [first, second]] of roundsFor) teamOf.set(player, second > first ? 1 : 0);
  return { teamOf, sides };
}

function sidesOfRound(
  players: ReadonlyMap<string, Side>,
  lastTeam: ReadonlyMap<string, TeamIndex>,
  before: [Side, Side],
): [Side, Side] {
  let stayed = 0;
  let swapped = 0;
  for (const [player, side] of players) {
    const team = lastTeam.get(player);
    if (team === undefined) continue;
    if (before[team] === side) stayed++;
    else swapped++;
  }
  return swapped > stayed ? [before[1], before[0]] : before;
}
