import { highlightLabel } from "../../contract/highlight-types.ts";
import { limits } from "../../contract/limits.ts";
import type { ClipCaption, ClipSegment } from "../../replay/clip-spec.ts";
import type { MatchRecord, RecordedRound } from "../../replay/match-record.ts";
import { recordedStretches } from "../../replay/recorded-stretches.ts";
import { cameraCuts, type Turn } from "./camera-cuts.ts";
import { byRank, type Highlight, type StoredHighlight } from "./highlight.ts";
import {
  anchors,
  type ClipTiming,
  type HighlightTicks,
  leadSeconds,
  type MatchTiming,
  type Shown,
  type Stretch,
  shownStretches,
  type TickWindow,
  tailSeconds,
  unite,
  withoutWin,
  withWin,
} from "./stretches.ts";

/** Recorded on both sides beyond the widest clip, for trails, fades and interpolation. */
const windowMarginSeconds = 1;
/** A window that ends this much early still ends within its margin. */
const windowSlackTicks = 4;

/**
 * What a clip of these highlights shows, in match order: nothing twice, nothing outside the rounds.
 * @param highlights of one match, in any order
 * @throws Error when a highlight names a round that the record does not have
 */
export function clipSegments(
  highlights: readonly StoredHighlight[],
  record: MatchTiming,
  timing: ClipTiming,
): ClipSegment[] {
  return roundsOf(highlights, record).flatMap(({ round, highlights: own }) =>
    shownStretches(
      own.map((highlight) => withWin(highlight, round)),
      record,
      round,
      timing,
    ).flatMap((stretch) => followPlayers(stretch, record, round, timing)),
  );
}

/**
 * The ticks that a replay track must contain so that any choice of these highlights, with any time adjustments the API accepts, can be
 * drawn. Whole ticks inside the recording, in order, without overlaps.
 */
export function highlightWindows(highlights: readonly HighlightTicks[], record: MatchRecord): TickWindow[] {
  return windowsOf(highlights, record, withWin);
}

function windowsOf(
  highlights: readonly HighlightTicks[],
  record: MatchRecord,
  shown: (highlight: HighlightTicks, round: RecordedRound) => Shown<HighlightTicks>,
): TickWindow[] {
  const widest = {
    preSeconds: limits.preTimeAdjustmentSeconds.max,
    postSeconds: limits.postTimeAdjustmentSeconds.max,
  };
  const margin = windowMarginSeconds * record.tickRate;
  const windows = roundsOf(highlights, record)
    .flatMap(({ round, highlights: own }) =>
      shownStretches(
        own.map((highlight) => shown(highlight, round)),
        record,
        round,
        widest,
      ),
    )
    .map(({ startTick, endTick }) => ({
      startTick: Math.max(record.firstTick, Math.floor(startTick - margin)),
      endTick: Math.min(record.lastTick, Math.ceil(endTick + margin)),
    }));
  return unite(windows, 0, (a, b) => ({ ...a, endTick: Math.max(a.endTick, b.endTick) }));
}

/**
 * The highlights of which a replay track can draw any combination: those it was made for, and others within the same ticks. If not all of a
 * round fit, the best are kept. The win of a clutch is not required, since tracks used to be made without it (`heldSpec`).
 * @param held the windows of the track, ends inclusive
 */
export function heldHighlights(
  highlights: readonly Highlight[],
  record: MatchRecord,
  held: readonly TickWindow[],
): Highlight[] {
  const stretches = recordedStretches(held);
  const isHeld = (wanted: TickWindow) =>
    wanted.startTick >= wanted.endTick ||
    stretches.some(
      // The last sample may come a step before the end.
      ({ startTick, endTick }) => startTick <= wanted.startTick && endTick >= wanted.endTick - windowSlackTicks,
    );
  const chosen = new Set<Highlight>();
  for (const { highlights: own } of roundsOf(highlights, record)) {
    const together: Highlight[] = [];
    for (const highlight of byRank(own)) {
      if (!windowsOf([...together, highlight], record, withoutWin).every(isHeld)) continue;
      together.push(highlight);
      chosen.add(highlight);
    }
  }
  return highlights.filter((highlight) => chosen.has(highlight));
}

function roundsOf<Ticks extends HighlightTicks>(
  highlights: readonly Ticks[],
  record: MatchTiming,
): { round: RecordedRound; highlights: Ticks[] }[] {
  const numbers = [...new Set(highlights.map((highlight) => highlight.round))].sort((a, b) => a - b);
  return numbers.map((number) => {
    const round = record.rounds.find((candidate) => candidate.number === number);
    if (!round) throw new Error(`The record has no round ${number}.`);
    return { round, highlights: highlights.filter((highlight) => highlight.round === number) };
  });
}

/** Cuts a stretch where the camera changes players. */
function followPlayers(stretch: Stretch, record: MatchTiming, round: RecordedRound, timing: ClipTiming): ClipSegment[] {
  const cuts = cameraCuts(stretch, record);
  // A custom highlight without kills has nothing to slow down for or hurry to.
  const isEven = stretch.highlights.every(({ type, moments }) => type === "custom" && moments.length === 0);
  return cuts.map(({ startTick, player }, index) => {
    const segment = { startTick, endTick: cuts[index + 1]?.startTick ?? stretch.endTick, player };
    const shown = captions(stretch.highlights, segment, record, timing);
    return { round: round.number, ...segment, captions: shown, ...(isEven ? { isEven } : {}) };
  });
}

/** Captions for the highlights that have a moment in the segment, the best first, around those moments. */
function captions(
  highlights: Shown<StoredHighlight>[],
  segment: Turn,
  record: MatchTiming,
  timing: ClipTiming,
): ClipCaption[] {
  const ranked = [...highlights].sort((a, b) => a.startTick - b.startTick || b.score - a.score);
  return ranked.flatMap((highlight) => {
    const { type, startTick, endTick, moments, player } = highlight;
    const ticks = ticksAbout(highlight, segment);
    const first = ticks[0];
    const last = ticks.at(-1);
    if (first === undefined || last === undefined) return [];
    return [
      {
        startTick: Math.max(segment.startTick, first - (leadSeconds + timing.preSeconds) * record.tickRate),
        endTick: Math.min(segment.endTick, last + (tailSeconds + timing.postSeconds) * record.tickRate),
        label: highlight.name || highlightLabel(type),
        reason: highlight.reason,
        player,
        momentTicks: moments.map((moment) => moment.tick),
        ...(type === "custom" ? { marked: { startTick, endTick } } : {}),
      },
    ];
  });
}

/** Ticks of a segment that are about a highlight, in order: its moments, and all of a marked one while its player is followed. */
function ticksAbout(highlight: Shown<StoredHighlight>, segment: Turn): number[] {
  const inside = anchors(highlight).filter((tick) => tick >= segment.startTick && tick <= segment.endTick);
  if (highlight.type !== "custom" || highlight.player !== segment.player) return inside;
  const from = Math.max(segment.startTick, highlight.startTick);
  const to = Math.min(segment.endTick, highlight.endTick);
  return from < to ? [from, to] : inside;
}
