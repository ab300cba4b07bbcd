import { highlightLabel, type StoredHighlightType } from "../../contract/highlight-types.ts";
import { limits } from "../../contract/limits.ts";
import type { ClipCaption, ClipSegment } from "../../replay/clip-spec.ts";
import type { MatchRecord, PlayerIndex, RecordedRound } from "../../replay/match-record.ts";
import { recordedStretches } from "../../replay/recorded-stretches.ts";
import type { Highlight, StoredHighlight } from "./highlight.ts";

/** Shown before the first moment and after the last, before the adjustments a clip is created with. */
const leadSeconds = 2;
const tailSeconds = 2;
/** Moments further apart than this are joined by a cut. */
const maxPauseSeconds = 10;
/** A cut that would skip less than this is not worth it. */
const minSkipSeconds = 2;
/** How long freeze time is seen at the most. */
const freezeSeconds = 1;
/** Where the camera goes over to another player, the last moment of the one before stays in sight this long. */
const aftermathSeconds = 1;
/** Who is turned to out of a moment that somebody else marked is seen for this long before their kill. */
const approachSeconds = 1;
/** A player followed for less than this would only flicker past. */
const minFollowSeconds = 1;
/** What a window holds on both sides beyond the widest clip, for trails, fades and interpolation. */
const windowMarginSeconds = 1;
/** A window that ends so much early still ends within its margin. */
const windowSlackTicks = 4;

export interface ClipTiming {
  /** `pre_time_adjustment`: seconds shown before the first moment, on top of 2. */
  preSeconds: number;
  /** `post_time_adjustment`: seconds shown after the last moment, on top of 2; negative shortens. */
  postSeconds: number;
}

/** The part of a match record that segments depend on; stored with the demo, so that no track is read to create a clip. */
export type MatchTiming = Pick<MatchRecord, "tickRate" | "rounds">;

/** A stretch of ticks; the end is exclusive. */
export interface TickWindow {
  startTick: number;
  endTick: number;
}

/** What says which ticks a highlight is about. Without a type it ends with its last moment. */
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
 * @throws Error when a highlight names a round the record does not have
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
 * The ticks a replay track must hold so that any choice of these highlights, with any time adjustments the API accepts,
 * can be drawn. Whole ticks inside the recording, in order, without overlaps.
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
 * The highlights of which a replay track can draw any choice: those it was made for, and what lies within the same ticks. Where
 * not all of a round fit, the best do. The win of a clutch is no condition: tracks were once made without it (`heldSpec`).
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

/** A highlight with the tick at which it is decided, where that is not its last moment. */
type Shown<Ticks extends HighlightTicks> = Ticks & { winTick: number | null };

/** A clutch is won when the round is: by the last kill, the defuse, the explosion or the clock. */
function withWin<Ticks extends HighlightTicks>(highlight: Ticks, round: RecordedRound): Shown<Ticks> {
  const isClutch = highlight.type?.startsWith("clutch_") ?? false;
  return { ...highlight, winTick: isClutch && round.finished ? round.endTick : null };
}

const withoutWin = (highlight: HighlightTicks): Shown<HighlightTicks> => ({ ...highlight, winTick: null });

/** Ticks a highlight is about: its kills and defuse, and where a clutch began and was won. */
function anchors({ startTick, moments, endTick, winTick }: Shown<HighlightTicks>): number[] {
  const ticks = new Set([startTick, ...moments.map((moment) => moment.tick), endTick, winTick ?? endTick]);
  return [...ticks].sort((a, b) => a - b);
}

/** The stretches of a round that are shown, each with every highlight that has a moment in it. */
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
  // A recording with impossible ticks has moments outside of their round.
  const shown = stretches.filter(({ startTick, endTick }) => startTick < endTick);
  return unite(shown, minSkipSeconds * tickRate, (a, b) => ({
    startTick: a.startTick,
    endTick: Math.max(a.endTick, b.endTick),
    highlights: [...new Set([...a.highlights, ...b.highlights])],
  }));
}

/** Where a round is seen to its end. A recording may stop with the tick that decides it, which is shown as well. */
function shownUntil({ endTick, officialEndTick }: RecordedRound): number {
  return officialEndTick > endTick ? officialEndTick : officialEndTick + 1;
}

/**
 * Marked by hand, a moment is shown from there to there, pauses and all, and on until its last kill has been seen; a clip's
 * adjustments only ever make it longer.
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

/** Groups ascending ticks: first and last of each group. */
function splitAtPauses(ticks: readonly number[], maxPause: number): [first: number, last: number][] {
  const groups: [number, number][] = [];
  for (const tick of ticks) {
    const group = groups.at(-1);
    if (group && tick - group[1] <= maxPause) group[1] = tick;
    else groups.push([tick, tick]);
  }
  return groups;
}

/** Joins what overlaps or lies closer than `gap` ticks. */
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

/** Cuts a stretch where the camera goes over from one player to another. */
function followPlayers(stretch: Stretch, record: MatchTiming, round: RecordedRound, timing: ClipTiming): ClipSegment[] {
  const cuts = cameraCuts(stretch, record);
  // Marked by hand without a kill, there is nothing that a clip could slow down for or hurry to.
  const isEven = stretch.highlights.every(({ type, moments }) => type === "custom" && moments.length === 0);
  return cuts.map(({ startTick, player }, index) => {
    const segment = { startTick, endTick: cuts[index + 1]?.startTick ?? stretch.endTick, player };
    const told = captions(stretch.highlights, segment, record, timing);
    return { round: round.number, ...segment, captions: told, ...(isEven ? { isEven } : {}) };
  });
}

interface CameraCut {
  startTick: number;
  player: PlayerIndex;
}

/** A stretch of ticks that is a player's. */
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
 * The camera stays with a player until their moment has been seen, then goes over to the player of the next one; a player whose
 * turn would be over in no time is not turned to, their kill is in the kill feed.
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

/** The marked moments of the stretch, one after the other: of what two players' share, who began it has the first half. */
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

/** As `cuts`, but a marked moment is its player's except around other players' kills; what would be over in no time is left out. */
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

/** Kills and defuses of the stretch in order, each once; where it has none, the beginning of a clutch. */
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

/** Names the highlights that have a moment in the segment, the best first, around those moments. */
function captions(
  highlights: Shown<StoredHighlight>[],
  segment: Turn,
  record: MatchTiming,
  timing: ClipTiming,
): ClipCaption[] {
  const ranked = [...highlights].sort((a, b) => a.startTick - b.startTick || b.score - a.score);
  return ranked.flatMap((highlight) => {
    const { type, startTick, endTick, moments, player } = highlight;
    const told = toldTicks(highlight, segment);
    const first = told[0];
    const last = told.at(-1);
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

/** Ticks of a segment at which it is about a highlight, in order: its moments, and all of a marked one while its player is followed. */
function toldTicks(highlight: Shown<StoredHighlight>, segment: Turn): number[] {
  const inside = anchors(highlight).filter((tick) => tick >= segment.startTick && tick <= segment.endTick);
  if (highlight.type !== "custom" || highlight.player !== segment.player) return inside;
  const from = Math.max(segment.startTick, highlight.startTick);
  const to = Math.min(segment.endTick, highlight.endTick);
  return from < to ? [from, to] : inside;
}
