import type { StoredHighlightType } from "../../contract/highlight-types.ts";
import type { MatchRecord, RecordedRound } from "../../replay/match-record.ts";
import type { Highlight, StoredHighlight } from "./highlight.ts";

/** Shown before the first moment and after the last, before a clip's time adjustments. */
export const leadSeconds = 2;
export const tailSeconds = 2;
/** Moments farther apart than this are joined by a cut. */
const maxPauseSeconds = 10;
/** A cut that would skip less than this is not worth it. */
const minSkipSeconds = 2;
/** Freeze time is shown for this long at most. */
const freezeSeconds = 1;
/** When the camera moves to another player, the previous player's last moment stays in view this long. */
export const aftermathSeconds = 1;

export interface ClipTiming {
  /** `pre_time_adjustment`: seconds shown before the first moment, on top of 2. */
  preSeconds: number;
  /** `post_time_adjustment`: seconds shown after the last moment, on top of 2; negative shortens. */
  postSeconds: number;
}

/** The part of a match record that segments depend on; stored with the demo, so that creating a clip reads no track. */
export type MatchTiming = Pick<MatchRecord, "tickRate" | "rounds">;

/** A stretch of ticks; the end is exclusive. */
export interface TickWindow {
  startTick: number;
  endTick: number;
}

/** The parts of a highlight that determine its ticks. Without a type it ends with its last moment. */
export type HighlightTicks = Pick<Highlight, "round" | "startTick" | "endTick"> & {
  type?: StoredHighlightType;
  moments: readonly { tick: number }[];
};

/** Ticks that are shown without a cut, and the highlights in them. */
export interface Stretch<Ticks extends HighlightTicks = StoredHighlight> extends TickWindow {
  highlights: Shown<Ticks>[];
}

/** A highlight with the tick at which it is decided, if that is not its last moment. */
export type Shown<Ticks extends HighlightTicks> = Ticks & { winTick: number | null };

/** A clutch is won when the round is: by the last kill, the defuse, the explosion or the clock. */
export function withWin<Ticks extends HighlightTicks>(highlight: Ticks, round: RecordedRound): Shown<Ticks> {
  const isClutch = highlight.type?.startsWith("clutch_") ?? false;
  return { ...highlight, winTick: isClutch && round.finished ? round.endTick : null };
}

export const withoutWin = (highlight: HighlightTicks): Shown<HighlightTicks> => ({ ...highlight, winTick: null });

/** Ticks that a highlight is about: its kills and defuse, and the beginning and win of a clutch. */
export function anchors({ startTick, moments, endTick, winTick }: Shown<HighlightTicks>): number[] {
  const ticks = new Set([startTick, ...moments.map((moment) => moment.tick), endTick, winTick ?? endTick]);
  return [...ticks].sort((a, b) => a - b);
}

/** The stretches of a round to be shown, each with every highlight that has a moment in it. */
export function shownStretches<Ticks extends HighlightTicks>(
  highlights: Shown<Ticks>[],
  record: MatchTiming,
  round: RecordedRound,
  timing: ClipTiming,
): Stretch<Ticks>[] {
  const { tickRate } = record;
  const lead = (leadSeconds + timing.preSeconds) * tickRate;
  const tail = (tailSeconds + timing.postSeconds) * tickRate;
  const earliest = Math.max(round.startTick, round.freezeEndTick - freezeSeconds * tickRate);
  const stretches = highlights.flatMap((highlight) => {
    if (highlight.type === "custom") return [markedStretch(highlight, record, round, timing)];
    return splitAtPauses(anchors(highlight), maxPauseSeconds * tickRate).map(([first, last]) => ({
      startTick: Math.max(earliest, first - lead),
      endTick: Math.min(shownUntil(round), last + tail),
      highlights: [highlight],
    }));
  });
  // In a recording with impossible ticks, moments may be outside their round.
  const shown = stretches.filter(({ startTick, endTick }) => startTick < endTick);
  return unite(shown, minSkipSeconds * tickRate, (a, b) => ({
    startTick: a.startTick,
    endTick: Math.max(a.endTick, b.endTick),
    highlights: [...new Set([...a.highlights, ...b.highlights])],
  }));
}

/** The tick up to which a round is shown. A recording may stop at the tick that decides the round, which is still shown. */
function shownUntil({ endTick, officialEndTick }: RecordedRound): number {
  return officialEndTick > endTick ? officialEndTick : officialEndTick + 1;
}

/**
 * A moment marked by hand is shown completely, pauses included, and until the aftermath of its last kill is over; a clip's adjustments can
 * only make it longer.
 */
function markedStretch<Ticks extends HighlightTicks>(
  highlight: Shown<Ticks>,
  { tickRate }: MatchTiming,
  round: RecordedRound,
  { preSeconds, postSeconds }: ClipTiming,
): Stretch<Ticks> {
  const { startTick, endTick, moments } = highlight;
  const seen = moments.map(({ tick }) => tick + aftermathSeconds * tickRate);
  return {
    startTick: Math.max(round.freezeEndTick, startTick - Math.max(0, preSeconds) * tickRate),
    endTick: Math.min(shownUntil(round), Math.max(endTick + Math.max(0, postSeconds) * tickRate, ...seen)),
    highlights: [highlight],
  };
}

/** Groups ascending ticks; returns the first and last of each group. */
function splitAtPauses(ticks: readonly number[], maxPause: number): [first: number, last: number][] {
  const groups: [number, number][] = [];
  for (const tick of ticks) {
    const group = groups.at(-1);
    if (group && tick - group[1] <= maxPause) group[1] = tick;
    else groups.push([tick, tick]);
  }
  return groups;
}

/** Joins windows that overlap or are closer than `gap` ticks. */
export function unite<T extends TickWindow>(
  windows: readonly T[],
  gap: number,
  join: (earlier: T, later: T) => T,
): T[] {
  const united: T[] = [];
  for (const window of [...windows].sort((a, b) => a.startTick - b.startTick || a.endTick - b.endTick)) {
    const last = united.at(-1);
    if (last && (window.startTick <= last.endTick || window.startTick - last.endTick < gap)) {
      united[united.length - 1] = join(last, window);
    } else united.push(window);
  }
  return united;
}
