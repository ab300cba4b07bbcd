import type { RoundEndReason, Side } from "../../../replay/match-record.ts";
import { type DemoEvent, flagOf, numberOf, overtimeField, sideOfTeamNumber } from "./demo-events.ts";

/** A counted round, before the rosters are known. */
export interface FoundRound {
  number: number;
  startTick: number;
  freezeEndTick: number;
  endTick: number;
  officialEndTick: number;
  finished: boolean;
  winner: Side | null;
  reason: RoundEndReason;
  overtime: number;
  /** Rounds that the team now playing each side had won before this round; null when the demo does not say. */
  scoreBefore: Record<Side, number | null>;
}

/** Round end reasons by the game's number and by demoparser2's name. Source: RoundEndReason_t of the game. */
const reasons: Readonly<Record<string, RoundEndReason>> = {
  1: "target_bombed",
  bomb_exploded: "target_bombed",
  7: "bomb_defused",
  bomb_defused: "bomb_defused",
  8: "ct_eliminated_t",
  t_killed: "ct_eliminated_t",
  9: "t_eliminated_ct",
  ct_killed: "t_eliminated_ct",
  10: "draw",
  draw: "draw",
  11: "hostages_rescued",
  hostage_rescued: "hostages_rescued",
  12: "time_ran_out",
  time_ran_out: "time_ran_out",
  13: "hostages_not_rescued",
  RoundEndReasonHostagesNotRescued: "hostages_not_rescued",
  17: "t_surrendered",
  t_surrender: "t_surrendered",
  18: "ct_surrendered",
  ct_surrender: "ct_surrendered",
};

const winnerOfReason: Partial<Record<RoundEndReason, Side>> = {
  target_bombed: "T",
  t_eliminated_ct: "T",
  hostages_not_rescued: "T",
  ct_surrendered: "T",
  bomb_defused: "CT",
  ct_eliminated_t: "CT",
  hostages_rescued: "CT",
  time_ran_out: "CT",
  t_surrendered: "CT",
};

const roundEventNames = new Set([
  "begin_new_match",
  "round_start",
  "round_freeze_end",
  "round_end",
  "round_officially_ended",
  "cs_win_panel_match",
]);

/** The stretch from one end of freeze time to the next. Whether it counts is not decided yet. */
interface Candidate extends FoundRound {
  /** Rounds played before this one, by the game's count at the time. */
  played: number;
}

/**
 * The rounds that count, in order.
 *
 * Warm-up has none. When the game counts a round again (after a knife round, a restart, or restoring a backup), the new run replaces the
 * earlier one and everything after it. A finished match stays when the count starts over; the longest match of the recording is taken then.
 * A match that is restored from a backup was not finished, and a restart before that was a mistake. A restart without a decided round
 * replaces nothing; one with a single decided round replaces a match only if the game itself announced a new one. Servers that send round
 * events beside the game's own state report each twice, which makes no difference here.
 *
 * @param events in tick order
 * @param lastTick of the recording
 */
export function findRounds(events: readonly DemoEvent[], lastTick: number): FoundRound[] {
  const roundEvents = events.filter((event) => roundEventNames.has(event.event_name));
  const matches: Candidate[][] = [[]];
  const ended = new Set<Candidate[]>();
  const announced = new Set<Candidate[]>();
  for (const candidate of roundCandidates(roundEvents, lastTick)) {
    const restored = restoredMatch(matches, candidate);
    if (restored) {
      matches.splice(matches.indexOf(restored) + 1);
      ended.delete(restored);
    }
    const match = matches.at(-1)!;
    const isOver = !restored && isMatchOver(roundEvents, match, candidate);
    if (isOver) ended.add(match);
    if (!isOver && !(candidate.finished && candidate.played === 0)) {
      if (!candidate.finished && candidate.played === 0 && match.some((round) => round.finished && round.played > 0))
        continue;
      while (match.length > 0 && match.at(-1)!.played >= candidate.played) match.pop();
      match.push(candidate);
    } else {
      matches.push([candidate]);
      if (happenedBetween("begin_new_match", roundEvents, match, candidate)) announced.add(matches.at(-1)!);
    }
  }
  const counted = matches.reduce((best, match) => {
    const isRestart = !ended.has(best) && (match.length > 1 || announced.has(match));
    return isRestart || match.length >= best.length ? match : best;
  });
  return counted.map(({ played, ...round }) => round);
}

/** An earlier match that the candidate continues while the latest match cannot: a backup was loaded after a restart by mistake. */
function restoredMatch(matches: readonly Candidate[][], candidate: Candidate): Candidate[] | undefined {
  const last = matches.at(-1)?.at(-1);
  if (!last || candidate.played <= last.played + 1) return;
  const { T, CT } = candidate.scoreBefore;
  const earlier = matches.slice(0, -1).reverse();
  return earlier.find((match) =>
    match.some((round) => {
      const after = scoreAfter(round.scoreBefore, round.winner);
      const isSame = (after.T === T && after.CT === CT) || (after.T === CT && after.CT === T);
      return round.played === candidate.played - 1 && isSame;
    }),
  );
}

/**
 * Whether the match was over before the candidate: the game said so after its last round. If the recording lacks that, it was surrendered,
 * or won by its score when the count starts over at zero. It was not over if the game counts one of its rounds again.
 */
function isMatchOver(events: readonly DemoEvent[], match: Candidate[], candidate: Candidate): boolean {
  const last = match.at(-1);
  if (!last?.finished) return false;
  if (candidate.played === 0) {
    if (candidate.finished && isPlayedOut(match)) return true;
  } else if (candidate.played <= last.played) return false;
  if (last.reason === "t_surrendered" || last.reason === "ct_surrendered") return true;
  return happenedBetween("cs_win_panel_match", events, match, candidate);
}

/** Whether an event came after the last round of a match and before the candidate went live. */
function happenedBetween(
  name: string,
  events: readonly DemoEvent[],
  match: Candidate[],
  candidate: Candidate,
): boolean {
  const from = match.at(-1)?.endTick ?? Number.NEGATIVE_INFINITY;
  return events.some(
    (event) => event.event_name === name && event.tick >= from && event.tick < candidate.freezeEndTick,
  );
}

/** Rounds of a half in Wingman, Premier and the former Competitive mode. */
const usualHalfRounds = [8, 12, 15];

/** Whether a team had just won more than half of all rounds, or all rounds had been played. False when the demo does not tell the score. */
function isPlayedOut(match: readonly Candidate[]): boolean {
  const before = match.map((round) => scoreAfter(round.scoreBefore, null));
  const after = match.map((round) => scoreAfter(round.scoreBefore, round.winner));
  const swap = before.find((score, index) => {
    const last = after[index - 1];
    return last && last.T !== last.CT && score.T === last.CT && score.CT === last.T;
  });
  // When the score is level, a swap of sides leaves no trace in it.
  const level = before.filter(({ T, CT }) => T === CT && usualHalfRounds.includes(T + CT));
  const atHalfTime = swap ? [swap] : level;
  const halves = atHalfTime.map(({ T, CT }) => T + CT);
  if (halves.length === 0) halves.push(...(match[0]?.played === 0 ? [12] : usualHalfRounds));
  const end = after.at(-1);
  const isInOvertime = (match.at(-1)?.overtime ?? 0) > 0;
  if (!end) return false;
  const isDecided = (rounds: number) => Math.max(end.T, end.CT) === rounds + 1 || end.T + end.CT === 2 * rounds;
  return isInOvertime || halves.some(isDecided);
}

function scoreAfter(before: FoundRound["scoreBefore"], winner: Side | null): Record<Side, number> {
  const wonBy = (side: Side) => (before[side] ?? 0) + (winner === side ? 1 : 0);
  return { T: wonBy("T"), CT: wonBy("CT") };
}

function roundCandidates(events: readonly DemoEvent[], lastTick: number): Candidate[] {
  const freezeEnds = events.filter(
    (event) => event.event_name === "round_freeze_end" && event.tick >= 0 && !flagOf(event, "is_warmup_period"),
  );
  const candidates: Candidate[] = [];
  freezeEnds.forEach((freezeEnd, index) => {
    const next = freezeEnds[index + 1];
    if (next && next.tick - freezeEnd.tick <= 1) return;
    const from = candidates.at(-1)?.officialEndTick ?? Number.NEGATIVE_INFINITY;
    const until = next?.tick ?? Number.POSITIVE_INFINITY;
    const candidate = roundOf(events, freezeEnd, next, { from, until, lastTick, counted: candidates.length });
    if (candidate) candidates.push(candidate);
  });
  return candidates;
}

interface RoundSpan {
  /** The round cannot have begun before this tick. */
  from: number;
  /** Tick at which the freeze time of the next round ends. */
  until: number;
  lastTick: number;
  /** Rounds found so far, for demos without the game's own count. */
  counted: number;
}

/** The round after an end of freeze time; null when a restart broke it off. */
function roundOf(
  events: readonly DemoEvent[],
  freezeEnd: DemoEvent,
  nextFreezeEnd: DemoEvent | undefined,
  span: RoundSpan,
): Candidate | null {
  const within = (name: string, after: number, before: number) =>
    events.filter((event) => event.event_name === name && event.tick > after && event.tick < before);
  const played = numberOf(freezeEnd, "total_rounds_played") ?? span.counted;
  const ends = within("round_end", freezeEnd.tick, span.until);
  // The parser's own event has the winner as a letter, the raw one beside it as a number.
  const end = ends.find((event) => typeof event.winner === "string") ?? ends[0];
  const playedNext = nextFreezeEnd ? numberOf(nextFreezeEnd, "total_rounds_played") : null;
  if (!end && nextFreezeEnd && playedNext !== played + 1) return null;

  const nextStart = within("round_start", end?.tick ?? freezeEnd.tick, span.until)[0]?.tick;
  const officialEnd = within("round_officially_ended", end?.tick ?? freezeEnd.tick, span.until)[0]?.tick;
  const afterEnd = officialEnd ?? nextStart ?? nextFreezeEnd?.tick ?? span.lastTick;
  const endTick = Math.max(end?.tick ?? (nextFreezeEnd ? afterEnd : span.lastTick), freezeEnd.tick);
  const starts = events.filter(
    (event) => event.event_name === "round_start" && event.tick <= freezeEnd.tick && event.tick >= span.from,
  );
  const scoreBefore = scoresOf(freezeEnd);
  const given = String(end?.reason);
  // Every object inherits names such as "constructor".
  const reason = (Object.hasOwn(reasons, given) ? reasons[given] : undefined) ?? "unknown";
  return {
    number: played + 1,
    played,
    startTick: Math.max(starts.at(-1)?.tick ?? freezeEnd.tick, 0),
    freezeEndTick: freezeEnd.tick,
    endTick,
    officialEndTick: Math.max(afterEnd, endTick),
    finished: end !== undefined || nextFreezeEnd !== undefined,
    winner: end ? winnerOf(end, reason) : winnerByScore(scoreBefore, nextFreezeEnd),
    reason,
    overtime: numberOf(freezeEnd, overtimeField) ?? 0,
    scoreBefore,
  };
}

function winnerOf(end: DemoEvent, reason: RoundEndReason): Side | null {
  if (end.winner === "T" || end.winner === "CT") return end.winner;
  return sideOfTeamNumber(end.winner) ?? winnerOfReason[reason] ?? null;
}

/** The winner of a round without an end event: the side whose score rose by the next round. Sides do not swap within a round. */
function winnerByScore(before: Record<Side, number | null>, next: DemoEvent | undefined): Side | null {
  if (!next) return null;
  const after = scoresOf(next);
  const rose = (side: Side) => after[side] !== null && before[side] !== null && after[side] === before[side] + 1;
  if (rose("T") === rose("CT")) return null;
  return rose("T") ? "T" : "CT";
}

function scoresOf(event: DemoEvent): Record<Side, number | null> {
  return { T: numberOf(event, "t_team_rounds_total"), CT: numberOf(event, "ct_team_rounds_total") };
}
