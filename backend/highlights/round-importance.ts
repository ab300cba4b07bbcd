import type { MatchRecord, RecordedRound, TeamIndex } from "../../replay/match-record.ts";

/** Reasons why a round mattered more than others. */
export interface RoundImportance {
  /** One of the teams needed only this round to win the match. */
  matchPoint: boolean;
  overtime: boolean;
  /** First round of a half in regulation, in which everybody has a pistol. */
  pistol: boolean;
  /** Late in the match and at most two rounds apart. */
  close: boolean;
}

/** Rounds of a half in Premier and Competitive, assumed if the recording ends before half time. */
const usualHalfRounds = 12;
/** Including Wingman and the former Competitive mode. */
const knownHalfRounds = [8, usualHalfRounds, 15];
const overtimeHalfRounds = 3;
const closeRounds = 2;

/**
 * Judges a round by the score before it. The length of a half is read from the swap of sides. If the recording begins after that, only the
 * final score may reveal it; otherwise no round is a match point.
 */
export function roundImportance(record: MatchRecord, round: RecordedRound): RoundImportance {
  const halfRounds = roundsOfHalf(record);
  const scoreToReach = halfRounds + overtimeHalfRounds * round.overtime;
  const [first, second] = round.scoreBefore;
  return {
    matchPoint: Math.max(first, second) >= scoreToReach,
    overtime: round.overtime > 0,
    pistol: round.overtime === 0 && (round.number === 1 || round.number === halfRounds + 1),
    close: round.number > halfRounds && Math.abs(first - second) <= closeRounds,
  };
}

/** Infinity if the recording does not reveal it. */
function roundsOfHalf(record: MatchRecord): number {
  const swapped = firstRoundAfterSwap(record);
  if (swapped !== null) return swapped - 1;
  if (record.rounds[0]?.number === 1) return usualHalfRounds;
  const wonBySome = Math.max(...record.teams.map(({ score }) => score));
  const played = record.rounds.at(-1)?.number ?? 0;
  const isWonIn = (rounds: number) => wonBySome === rounds + 1 && played <= 2 * rounds;
  return knownHalfRounds.find(isWonIn) ?? Number.POSITIVE_INFINITY;
}

function firstRoundAfterSwap(record: MatchRecord): number | null {
  const [first] = record.rounds;
  return record.rounds.find((round) => round.overtime === 0 && round.sides[0] !== first?.sides[0])?.number ?? null;
}

export function isLostBy(round: RecordedRound, team: TeamIndex): boolean {
  return round.finished && round.winner !== null && round.winner !== team;
}
