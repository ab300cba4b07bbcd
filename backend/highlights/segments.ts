import { highlightLabel, type StoredHighlightType } from "../../contract/highlight-types.ts";
import { limits } from "../../contract/limits.ts";
import type { ClipCaption, ClipSegment } from "../../replay/clip-spec.ts";
import type { MatchRecord, PlayerIndex, RecordedRound } from "../../replay/match-record.ts";
import { recordedStretches } from "../../replay/recorded-stretches.ts";
import type { Highlight, StoredHighlight } from "./highlight.ts";

/** Shown before the first moment and after the last, before a clip's time adjustments. */
const leadSeconds = 2;
const tailSeconds = 2;
/** Moments farther apart than this are joined by a cut. */
const maxPauseSeconds = 10;
/** A cut that would skip less than this is not worth it. */
const minSkipSeconds = 2;
/** Freeze time is shown for this long at most. */
const freezeSeconds = 1;
/** When the camera moves to another player, the previous player's last moment stays in view this long. */
const aftermathSeconds = 1;
/** When the camera leaves a moment that somebody else marked, it shows the other player for this long before their kill. */
const approachSeconds = 1;
/** Following a player for less than this would only be a flicker. */
const minFollowSeconds = 1;
/** Recorded on both sides beyond the widest clip, for trails, fades and interpolation. */
const windowMarginSeconds = 1;
/** A window that ends this much early still ends within its margin. */
const windowSlackTicks = 4;

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

interface Stretch<Ticks extends HighlightTicks = StoredHighlight> extends TickWindow {
  highlights: Shown<Ticks>[];
}

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

/** A highlight with the tick at which it is decided, if that is not its last moment. */
type Shown<Ticks extends HighlightTicks> = Ticks & { winTick: number | null };

/** A clutch is won when the round is: by the last kill, the defuse, the explosion or the clock. */
function withWin<Ticks extends HighlightTicks>(highlight: Ticks, round: RecordedRound): Shown<Ticks> {
  const isClutch = highlight.type?.startsWith("clutch_") ?? false;
  return { ...highlight, winTick: isClutch && round.finished ? round.endTick : null };
}

const withoutWin = (highlight: HighlightTicks): Shown<HighlightTicks> => ({ ...highlight, winTick: null });

/** Ticks that a highlight is about: its kills and defuse, and the beginning and win of a clutch. */
function anchors({ startTick, moments, endTick, winTick }: Shown<HighlightTicks>): number[] {
  const ticks = new Set([startTick, ...moments.map((moment) => moment.tick), endTick, winTick ?? endTick]);
  return [...ticks].sort((a, b) => a - b);
}

/** The stretches of a round to be shown, each with every highlight that has a moment in it. */
function shownStretches<Ticks extends HighlightTicks>(
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
function unite<T extends TickWindow>(windows: readonly T[], gap: number, join: (earlier: T, later: T) => T): T[] {
  const united: T[] = [];
  for (const window of [...windows].sort((a, b) => a.startTick - b.startTick || a.endTick - b.endTick)) {
    const last = united.at(-1);
    if (last && (window.startTick <= last.endTick || window.startTick - last.endTick < gap)) {
      united[united.length - 1] = join(last, window);
    } else united.push(window);
  }
  return united;
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

interface CameraCut {
  startTick: number;
  player: PlayerIndex;
}

/** A stretch of ticks in which the camera follows a player. */
interface Turn extends TickWindow {
  player: PlayerIndex;
}

/** Who is followed from when. */
function cameraCuts(stretch: Stretch, record: MatchTiming): CameraCut[] {
  const moments = followedMoments(stretch);
  const cuts = cutsBetweenMoments(stretch, moments, record);
  const marked = markedTurns(stretch);
  return marked.length === 0 ? cuts : cutsAroundMarked(stretch, moments, cuts, marked, record);
}

/**
 * The camera stays with a player until the aftermath of their moment is over, then moves to the next moment's player. A player whose turn
 * would be too short is skipped; the kill feed shows their kill.
 */
function cutsBetweenMoments(stretch: Stretch, moments: readonly FollowedMoment[], record: MatchTiming): CameraCut[] {
  const player = moments[0]?.player ?? byRank(stretch.highlights)[0]!.player;
  const cuts: CameraCut[] = [{ startTick: stretch.startTick, player }];
  for (const [index, moment] of moments.entries()) {
    const before = moments[index - 1];
    const current = cuts.at(-1);
    if (!before || !current || moment.player === current.player) continue;
    const startTick = before.tick + Math.min(aftermathSeconds * record.tickRate, (moment.tick - before.tick) / 2);
    const next = moments.slice(index).find(({ player }) => player !== moment.player);
    const endTick = next?.tick ?? stretch.endTick;
    const shortest = minFollowSeconds * record.tickRate;
    if (moment.tick - startTick < shortest / 2 || endTick - startTick < shortest) continue;
    cuts.push({ startTick, player: moment.player });
  }
  return cuts;
}

/**
 * The marked moments of the stretch as consecutive turns: where those of two players overlap, the one who began first gets the first half.
 */
function markedTurns({ startTick, endTick, highlights }: Stretch): Turn[] {
  const marked = highlights
    .filter(({ type }) => type === "custom")
    .map((highlight) => ({
      startTick: Math.max(startTick, highlight.startTick),
      endTick: Math.min(endTick, highlight.endTick),
      player: highlight.player,
    }))
    .sort((a, b) => a.startTick - b.startTick || a.endTick - b.endTick || a.player - b.player);
  let turns: Turn[] = [];
  for (const turn of marked) {
    const shared = turns.filter(
      (other) => other.player !== turn.player && other.startTick < turn.endTick && other.endTick > turn.startTick,
    );
    const from =
      shared.length === 0
        ? turn.startTick
        : (Math.max(turn.startTick, Math.min(...shared.map((other) => other.startTick))) +
            Math.min(turn.endTick, Math.max(...shared.map((other) => other.endTick)))) /
          2;
    const before = turns.map((other) => ({ ...other, endTick: Math.min(other.endTick, from) }));
    const after = turns.map((other) => ({ ...other, startTick: Math.max(other.startTick, turn.endTick) }));
    turns = [...before, { ...turn, startTick: from }, ...after].filter((each) => each.startTick < each.endTick);
  }
  return turns;
}

/**
 * Like `cuts`, but a marked moment belongs to its player except around other players' kills. Turns that would be too short are left out.
 */
function cutsAroundMarked(
  stretch: Stretch,
  moments: readonly FollowedMoment[],
  cuts: readonly CameraCut[],
  marked: readonly Turn[],
  { tickRate }: MatchTiming,
): CameraCut[] {
  const seen = moments.map(({ tick, player }): Turn => {
    return { startTick: tick - approachSeconds * tickRate, endTick: tick + aftermathSeconds * tickRate, player };
  });
  const bounds = [stretch, ...cuts, ...[...marked, ...seen].flatMap((turn) => [turn, { startTick: turn.endTick }])];
  const ticks = [...new Set(bounds.map(({ startTick }) => startTick))]
    .filter((tick) => tick >= stretch.startTick && tick < stretch.endTick)
    .sort((a, b) => a - b);
  const turns: (Turn & { isWanted: boolean })[] = [];
  for (const [i, startTick] of ticks.entries()) {
    const holds = (turn: Turn) => turn.startTick <= startTick && startTick < turn.endTick;
    const own = marked.find(holds);
    const isMarked = own !== undefined && !seen.some((turn) => turn.player !== own.player && holds(turn));
    const { player } = isMarked ? own : cuts.filter((cut) => cut.startTick <= startTick).at(-1)!;
    const isWanted = isMarked || seen.some((turn) => turn.player === player && holds(turn));
    const turn = { startTick, endTick: ticks[i + 1] ?? stretch.endTick, player, isWanted };
    const last = turns.at(-1);
    if (last?.player === player && last.isWanted === isWanted) last.endTick = turn.endTick;
    else turns.push(turn);
  }
  const shown = turns.filter(
    ({ startTick, endTick, isWanted }) => isWanted && endTick - startTick >= minFollowSeconds * tickRate,
  );
  if (shown.length === 0) return [...cuts];
  return shown
    .filter(({ player }, i) => player !== shown[i - 1]?.player)
    .map(({ startTick, player }, i) => ({ startTick: i === 0 ? stretch.startTick : startTick, player }));
}

interface FollowedMoment {
  tick: number;
  player: PlayerIndex;
}

/** Kills and defuses of the stretch in order, without duplicates; if there are none, the beginning of a clutch. */
function followedMoments({ startTick, endTick, highlights }: Stretch): FollowedMoment[] {
  const inside = (tick: number) => tick >= startTick && tick <= endTick;
  const ranked = byRank(highlights);
  const kills = ranked.flatMap(({ player, moments }) =>
    moments.filter(({ tick }) => inside(tick)).map(({ tick }) => ({ tick, player })),
  );
  const shown =
    kills.length > 0
      ? kills
      : ranked
          .filter(({ type }) => type !== "custom")
          .flatMap((highlight) => {
            return anchors(highlight)
              .filter(inside)
              .map((tick) => ({ tick, player: highlight.player }));
          });
  return shown.sort((a, b) => a.tick - b.tick);
}

function byRank<Ranked extends StoredHighlight>(highlights: readonly Ranked[]): Ranked[] {
  return [...highlights].sort((a, b) => b.score - a.score || a.player - b.player);
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
