import { customMoments } from "../../contract/custom-moments.ts";
import { highlightLabel } from "../../contract/highlight-types.ts";
import type { MatchRound } from "../../contract/schemas/match-rounds.ts";
import type { ClipSpec } from "../../replay/clip-spec.ts";

/** Half the frame rate of videos, because a round is planned as a whole before it plays. */
const replayFramesPerSecond = 30;
const { min: shortestMoment, max: longestMoment } = customMoments.seconds;
/** Length of a marked moment of which only the end is given. */
const usualMoment = 8;
/** Shorter stretches are not worth watching. */
const shortestSeconds = 1;

/** The playable stretches of a round, in order. */
function stretchesOf({ recorded }: MatchRound, tickRate: number): MatchRound["recorded"] {
  return recorded.filter(({ start_tick: from, end_tick: to }) => to - from >= shortestSeconds * tickRate);
}

export function isPlayable(round: MatchRound, tickRate: number): boolean {
  return stretchesOf(round, tickRate).length > 0;
}

/** The round to play after another one. Old imports do not have every round. */
export function nextPlayable(
  rounds: readonly MatchRound[],
  after: MatchRound,
  tickRate: number,
): MatchRound | undefined {
  return rounds.find((round) => round.number > after.number && isPlayable(round, tickRate));
}

/** The spec of a whole round that follows a player, without captions. */
export function roundSpec(round: MatchRound, player: number, tickRate: number, title: string): ClipSpec {
  return {
    version: 1,
    segments: stretchesOf(round, tickRate).map(({ start_tick: startTick, end_tick: endTick }) => ({
      round: round.number,
      player,
      startTick,
      endTick,
      captions: [],
      isEven: true,
    })),
    settings: { xray: true, hud: true, radar: true, killfeed: true, highlightInfo: false, watermark: false },
    title,
    width: 1280,
    height: 720,
    framesPerSecond: replayFramesPerSecond,
  };
}

/** The frame that shows a tick of a round, or the next recorded tick. */
export function frameOfTick(round: MatchRound, tick: number, tickRate: number): number {
  let frames = 0;
  for (const { start_tick: from, end_tick: to } of stretchesOf(round, tickRate)) {
    const perTick = replayFramesPerSecond / tickRate;
    if (tick <= to) return frames + Math.max(0, Math.round((tick - from) * perTick));
    frames += Math.round((to - from) * perTick);
  }
  return Math.max(0, frames - 1);
}

/** The tick that a frame of a round shows. */
export function tickOfFrame(round: MatchRound, frame: number, tickRate: number): number {
  let left = frame;
  const perFrame = tickRate / replayFramesPerSecond;
  for (const { start_tick: from, end_tick: to } of stretchesOf(round, tickRate)) {
    const frames = Math.round((to - from) / perFrame);
    if (left < frames) return from + left * perFrame;
    left -= frames;
  }
  return round.end_tick;
}

/** The moment that an address of a replay names. */
export interface ReplayMoment {
  round: number;
  /** Seconds since the round went live. */
  seconds: number;
  /** Index of the player who is followed. */
  player: number | null;
}

/** Reads `?round=5&t=12&player=3`. Missing or invalid values mean the beginning of the first round. */
export function momentOfQuery(query: URLSearchParams, rounds: readonly MatchRound[], players: number): ReplayMoment {
  const asked = Number(query.get("round"));
  const round = rounds.find(({ number }) => number === asked) ?? rounds[0];
  const seconds = Number(query.get("t") ?? 0);
  const player = query.has("player") ? Number(query.get("player")) : Number.NaN;
  return {
    round: round?.number ?? 1,
    seconds: Number.isFinite(seconds) && seconds > 0 ? seconds : 0,
    player: Number.isInteger(player) && player >= 0 && player < players ? player : null,
  };
}

/** The query of a moment's address. */
export function queryOfMoment({ round, seconds, player }: ReplayMoment): string {
  const query = new URLSearchParams({ round: String(round) });
  if (seconds >= 0.1) query.set("t", String(Math.round(seconds * 10) / 10));
  if (player !== null) query.set("player", String(player));
  return `?${query}`;
}

/**
 * Who is followed by default: the visitor, if they played; else the player with most kills in the round; else the first player.
 * @param reader SteamID of the visitor
 */
export function leadOf(
  { kills }: MatchRound,
  players: readonly { team: number | null; steam_id?: string | null }[],
  reader: string | null = null,
): number {
  const own = reader === null ? -1 : players.findIndex((player) => player.team !== null && player.steam_id === reader);
  if (own >= 0) return own;
  const counts = new Map<number, number>();
  for (const { attacker, victim } of kills) {
    if (attacker !== null && attacker !== victim) counts.set(attacker, (counts.get(attacker) ?? 0) + 1);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return (
    best?.[0] ??
    Math.max(
      0,
      players.findIndex(({ team }) => team !== null),
    )
  );
}

export interface TeamScore {
  /** Scores before the round, of the first team and the second. */
  scores: readonly [number, number];
  /** The side that the first team plays on. */
  firstSide: "CT" | "T";
}

/**
 * Scores of rounds by team. Rounds have scores by side, and teams change sides at half time. The sides of killed players tell which side a team is
 * on; a round without kills has the sides of the round before.
 */
export function teamScores(
  rounds: readonly MatchRound[],
  players: readonly { team: number | null }[],
): ReadonlyMap<number, TeamScore> {
  let firstSide: TeamScore["firstSide"] = "CT";
  return new Map(
    rounds.map(({ number, kills, score }) => {
      let ofFirst = 0;
      for (const { victim, victim_side: side } of kills) {
        const team = players[victim]?.team;
        if (side !== null && (team === 0 || team === 1)) ofFirst += (team === 0) === (side === "CT") ? 1 : -1;
      }
      if (ofFirst !== 0) firstSide = ofFirst > 0 ? "CT" : "T";
      const scores: TeamScore["scores"] = firstSide === "CT" ? [score.ct, score.t] : [score.t, score.ct];
      return [number, { scores, firstSide }];
    }),
  );
}

export interface ReplayHighlight {
  id: number;
  highlight_type: string;
  display_name: string | null;
  player_name: string;
  player_steam_id: string | null;
  round_number: number;
  /** Tick of its first kill. */
  tick: number;
  start_tick: number;
}

/** Seconds as a form writes them. */
const tenths = (seconds: number) => String(Math.round(seconds * 10) / 10);

/** Texts of a form for a moment that is being marked. */
export interface MarkedSpan {
  from: string;
  to: string;
}

/** Begins the moment here. Its end moves if it would be too long, or before the beginning. */
export function markedFrom(span: MarkedSpan, seconds: number): MarkedSpan {
  const from = Math.max(0, seconds);
  const isOpen = span.to === "" || Number(span.to) - from < shortestMoment || Number(span.to) - from > longestMoment;
  return { from: tenths(from), to: isOpen ? "" : span.to };
}

/** Ends the moment here. If it would be too long, or has no beginning yet, it becomes the last seconds before. */
export function markedTo(span: MarkedSpan, seconds: number): MarkedSpan {
  const from = Number(span.from);
  const isFit = span.from !== "" && seconds - from >= shortestMoment;
  return {
    from: tenths(Math.max(0, seconds - longestMoment, isFit ? from : seconds - usualMoment)),
    to: tenths(seconds),
  };
}

export const nameOf = (highlight: Pick<ReplayHighlight, "display_name" | "highlight_type" | "player_name">) =>
  `${highlight.display_name || highlightLabel(highlight.highlight_type)} by ${highlight.player_name}`;
