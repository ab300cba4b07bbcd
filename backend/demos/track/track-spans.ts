import type { MatchRecord, RecordedRound } from "../../../replay/match-record.ts";
import type { TrackWindow } from "../../../replay/replay-track.ts";
import type { TickWindow } from "../../highlights/stretches.ts";

/** Samples per second around highlights: positions between them are interpolated along a curve, so 60 frames a second look smooth. */
export const sampleRate = 32;

/** Samples per second in the rest of rounds. For the parser each costs as much as one around a highlight (decision 133). */
const roundSampleRate = 8;

/** Recorded before a round goes live: the part of freeze time that clips show, and a margin. */
const roundLeadSeconds = 2;
/** Recorded after a round was decided, unless the next one begins earlier. */
const roundTailSeconds = 6;
/** Limit for a round's stretches beside its highlights. The game's longest round takes 155 s: 1:55 and a bomb of 40 s. */
const longestRoundSeconds = 170;
/**
 * Limit for all rounds of a match beside its highlights, about forty rounds of two minutes; the rest is left out. The parser returns rows
 * for every player at once, so matches with more players get less.
 */
const longestRoundsSeconds = 4800;
const usualPlayers = 12;

/** A window before the players' states are filled in. */
export type WindowSpan = Omit<TrackWindow, "players">;

/**
 * The spans of a track: windows at the full rate, independent of everything else, and the rest of every round at a lower rate. A coarse
 * span begins with the last sample of the window before it, and ends with the first sample of the next window or just after it.
 * @param windows stretches of ticks in any order
 * @returns ordered by time
 */
export function trackSpans(windows: readonly TickWindow[], record: MatchRecord): WindowSpan[] {
  const fine = windowSpans(windows, record);
  const coarse: WindowSpan[] = [];
  const people = record.players.filter(({ isBot }) => !isBot).length;
  let left = longestRoundsSeconds * record.tickRate * Math.min(1, usualPlayers / people);
  for (const round of record.rounds) {
    for (const gap of gapsBetween(fine, shownOfRound(round, record))) {
      const span = spanOf(gap, record.tickRate / roundSampleRate, record.lastTick);
      if (!span || gap.endTick - gap.startTick > left) continue;
      left -= gap.endTick - gap.startTick;
      coarse.push(span);
    }
  }
  return [...fine, ...coarse].sort((a, b) => a.startTick - b.startTick || a.endTick - b.endTick);
}

function shownOfRound(round: RecordedRound, { tickRate, firstTick, lastTick }: MatchRecord): TickWindow {
  const startTick = Math.max(round.startTick, round.freezeEndTick - roundLeadSeconds * tickRate, firstTick);
  const wantedEnd = Math.min(round.officialEndTick, round.endTick + roundTailSeconds * tickRate);
  return { startTick, endTick: Math.min(wantedEnd, startTick + longestRoundSeconds * tickRate, lastTick) };
}

/** The parts of a stretch that are in no window. */
function gapsBetween(windows: readonly WindowSpan[], { startTick, endTick }: TickWindow): TickWindow[] {
  const gaps: TickWindow[] = [];
  let from = startTick;
  for (const window of windows) {
    if (window.endTick <= from || window.startTick >= endTick) continue;
    if (window.startTick > from) gaps.push({ startTick: from, endTick: window.startTick });
    from = window.endTick;
  }
  if (from < endTick) gaps.push({ startTick: from, endTick });
  return gaps;
}

/** Samples over a stretch; null if the recording does not have at least two. */
function spanOf({ startTick, endTick }: TickWindow, tickStep: number, lastTick: number): WindowSpan | null {
  const begin = Math.ceil(startTick);
  const steps = Math.ceil((Math.min(endTick, lastTick) - begin) / tickStep);
  return steps < 1 ? null : { startTick: begin, tickStep, sampleCount: steps + 1, endTick: begin + steps * tickStep };
}

/** Windows at the full rate: sorted, merged where they touch, within the recording, and cut to whole samples. */
function windowSpans(windows: readonly TickWindow[], record: MatchRecord): WindowSpan[] {
  const tickStep = record.tickRate / sampleRate;
  const spans: WindowSpan[] = [];
  for (const window of [...windows].sort((a, b) => a.startTick - b.startTick)) {
    const startTick = Math.max(Math.floor(window.startTick), record.firstTick);
    const endTick = Math.min(Math.ceil(window.endTick), record.lastTick);
    if (endTick <= startTick) continue;
    const last = spans.at(-1);
    const begin = last && startTick <= last.endTick + tickStep ? last.startTick : startTick;
    if (last && begin === last.startTick) spans.pop();
    const sampleCount =
      Math.ceil((Math.max(endTick, last && begin === last.startTick ? last.endTick : 0) - begin) / tickStep) + 1;
    spans.push({ startTick: begin, tickStep, sampleCount, endTick: begin + (sampleCount - 1) * tickStep });
  }
  return spans;
}
