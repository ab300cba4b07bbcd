import type { Side, TeamIndex } from "../../../replay/match-record.ts";

/** Rosters keep their players when sides swap. */
export interface Rosters {
  /** Roster of every player who played a counted round, by SteamID. */
  teamOf: Map<string, TeamIndex>;
  /** For each round, the side of both rosters. */
  sides: [Side, Side][];
}

/**
 * Who belongs together, from who plays which side in each round.
 *
 * Roster 0 begins as CT. A half-time swap shows as most known players changing side at once, so it needs no rule about
 * when halves end (they differ by mode and overtime). Who changes rosters in the match belongs where they played most.
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
