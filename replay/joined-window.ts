import { float32At, float64At, int32At, uint8At } from "./checked-reads.ts";
import { emptySamples, none } from "./empty-samples.ts";
import type { PlayerIndex } from "./match-record.ts";
import { isWithin, recordedStretches } from "./recorded-stretches.ts";
import type { PlayerSamples, ReplayTrack, TrackWindow } from "./replay-track.ts";
import { isWalk } from "./sample-track.ts";

/** Samples beyond the stretch on both sides, in seconds: for curves and for what is a step earlier. */
const marginSeconds = 1;

type Stretch = Pick<TrackWindow, "startTick" | "endTick">;

/**
 * One window for a stretch of ticks that lies in several windows which touch, with samples as dense as the densest of them has.
 * Positions between samples follow a curve through them, view angles one that never goes beyond them, so that neither shows how
 * seldom a part was sampled; everything else steps.
 * @returns null where one window holds the stretch as well as any two would
 */
export function joinedWindow({ windows, record }: Pick<ReplayTrack, "windows" | "record">, wanted: Stretch) {
  if (windows.some((window) => isWithin(wanted, window))) return null;
  const overlap = ({ startTick, endTick }: Stretch) =>
    Math.min(endTick, wanted.endTick) - Math.max(startTick, wanted.startTick);
  const [stretch] = recordedStretches(windows).sort((a, b) => overlap(b) - overlap(a));
  if (!stretch || overlap(stretch) <= 0) return null;
  const margin = marginSeconds * record.tickRate;
  const from = Math.max(stretch.startTick, Math.floor(wanted.startTick - margin));
  const until = Math.min(stretch.endTick, Math.ceil(wanted.endTick + margin));
  const parts = windows.filter(({ startTick, endTick }) => startTick < until && endTick > from);
  return parts.length < 2 ? null : join(parts, from, until);
}

function join(parts: readonly TrackWindow[], from: number, until: number): TrackWindow {
  const tickStep = Math.min(...parts.map((part) => part.tickStep));
  const sampleCount = Math.floor((until - from) / tickStep) + 1;
  const grid = { startTick: from, tickStep, sampleCount, endTick: from + (sampleCount - 1) * tickStep };
  const knots = knotsOf(parts);
  const players = (parts[0]?.players ?? []).map((_, player) => joinPlayer(parts, knots, player, grid));
  return { ...grid, players };
}

/** All samples of some windows in order of time, each tick once, from the window that begins last. */
interface Knots {
  ticks: Float64Array;
  part: Int32Array;
  /** Index of the sample in its window. */
  sample: Int32Array;
}

function knotsOf(parts: readonly TrackWindow[]): Knots {
  const rows = parts.flatMap(({ startTick, tickStep, sampleCount }, part) => {
    const until = parts[part + 1]?.startTick ?? Number.POSITIVE_INFINITY;
    return Array.from({ length: sampleCount }, (_, sample) => ({
      tick: startTick + sample * tickStep,
      part,
      sample,
    })).filter(({ tick }) => tick < until);
  });
  return {
    ticks: Float64Array.from(rows, ({ tick }) => tick),
    part: Int32Array.from(rows, ({ part }) => part),
    sample: Int32Array.from(rows, ({ sample }) => sample),
  };
}

const stepped = ["flags", "health", "armor", "ammoClip", "ammoReserve", "money", "grenades"] as const;
const places = ["x", "y", "z"] as const;

function joinPlayer(
  parts: readonly TrackWindow[],
  knots: Knots,
  player: PlayerIndex,
  { startTick, tickStep, sampleCount }: Omit<TrackWindow, "players">,
): PlayerSamples | null {
  if (parts.every(({ players }) => !players[player])) return null;
  const own = knotSamples(parts, knots, player);
  const samples = emptySamples(sampleCount, own.weaponNames);
  let knot = 0;
  for (let index = 0; index < sampleCount; index++) {
    const tick = startTick + index * tickStep;
    while (knot + 1 < knots.ticks.length && float64At(knots.ticks, knot + 1) <= tick) knot++;
    for (const name of stepped) samples[name][index] = own[name][knot] ?? 0;
    samples.weapon[index] = uint8At(own.weapon, knot);
    const span = spanAt(knots.ticks, own, knot, tick);
    for (const name of places) samples[name][index] = span ? alongCurve(own[name], span) : float32At(own[name], knot);
    samples.yaw[index] = span ? turnedAlong(own.yaw, span) : float32At(own.yaw, knot);
    samples.pitch[index] = span ? withinKnots(own.pitch, span) : float32At(own.pitch, knot);
  }
  return samples;
}

/** A player's samples in the order of the knots; the player is absent where a window does not know them. */
function knotSamples(parts: readonly TrackWindow[], knots: Knots, player: PlayerIndex): PlayerSamples {
  const names: string[] = [];
  const own = emptySamples(knots.ticks.length, names);
  const indexOf = parts.map(({ players }) =>
    (players[player]?.weaponNames ?? []).map((name) => {
      if (!names.includes(name) && names.length < none) names.push(name);
      const at = names.indexOf(name);
      return at < 0 ? none : at;
    }),
  );
  for (let knot = 0; knot < knots.ticks.length; knot++) {
    const part = int32At(knots.part, knot);
    const at = int32At(knots.sample, knot);
    const samples = parts[part]?.players[player];
    if (!samples) continue;
    for (const name of [...places, "yaw", "pitch"] as const) own[name][knot] = float32At(samples[name], at);
    for (const name of stepped) own[name][knot] = samples[name][at] ?? 0;
    own.weapon[knot] = indexOf[part]?.[uint8At(samples.weapon, at)] ?? none;
  }
  return own;
}

/** Two knots with a tick between them, and their neighbours if those belong to the same walk. */
interface KnotSpan {
  ticks: Float64Array;
  from: number;
  /** 0..1 from `from` to the next. */
  fraction: number;
  hasBefore: boolean;
  hasAfter: boolean;
}

/** Null if nothing moves: on a knot, after the last, or if no living body went from one to the next. */
function spanAt(ticks: Float64Array, samples: PlayerSamples, from: number, tick: number): KnotSpan | null {
  const start = float64At(ticks, from);
  if (tick <= start || from + 1 >= ticks.length || !isWalked(ticks, samples, from)) return null;
  return {
    ticks,
    from,
    fraction: (tick - start) / (float64At(ticks, from + 1) - start),
    hasBefore: from > 0 && isWalked(ticks, samples, from - 1),
    hasAfter: from + 2 < ticks.length && isWalked(ticks, samples, from + 1),
  };
}

function isWalked(ticks: Float64Array, samples: PlayerSamples, from: number): boolean {
  return isWalk(samples, from, from + 1, float64At(ticks, from + 1) - float64At(ticks, from));
}

/** Differences per tick before, in and after the span; beyond the ends of a walk those of the span. */
function slopes(valueAt: (knot: number) => number, { ticks, from, hasBefore, hasAfter }: KnotSpan) {
  const slope = (knot: number) =>
    (valueAt(knot + 1) - valueAt(knot)) / (float64At(ticks, knot + 1) - float64At(ticks, knot));
  const length = (knot: number) => float64At(ticks, knot + 1) - float64At(ticks, knot);
  const inside = slope(from);
  return {
    inside,
    before: hasBefore ? { slope: slope(from - 1), length: length(from - 1) } : null,
    after: hasAfter ? { slope: slope(from + 1), length: length(from + 1) } : null,
    length: length(from),
  };
}

/** A Catmull-Rom curve for knots at uneven distances. */
function alongCurve(values: Float32Array, span: KnotSpan): number {
  const { inside, before, after, length } = slopes((knot) => float32At(values, knot), span);
  const tangent = (beside: typeof before) =>
    beside ? (inside * beside.length + beside.slope * length) / (beside.length + length) : inside;
  return hermite(
    float32At(values, span.from),
    float32At(values, span.from + 1),
    tangent(before) * length,
    tangent(after) * length,
    span.fraction,
  );
}

/** A curve that does not overshoot its knots, since a crosshair that stops does not either. Source: Fritsch and Butland, 1984. */
function withinKnots(values: ArrayLike<number>, span: KnotSpan): number {
  const valueAt = (knot: number) => values[knot] ?? 0;
  const { inside, before, after, length } = slopes(valueAt, span);
  const tangent = (beside: typeof before) => {
    if (!beside) return inside;
    if (beside.slope * inside <= 0) return 0;
    return (2 * beside.slope * inside) / (beside.slope + inside);
  };
  return hermite(
    valueAt(span.from),
    valueAt(span.from + 1),
    tangent(before) * length,
    tangent(after) * length,
    span.fraction,
  );
}

/** Like `withinKnots`, with each turn the shorter way round. */
function turnedAlong(yaws: Float32Array, span: KnotSpan): number {
  const first = Math.max(0, span.from - 1);
  const unwound: Record<number, number> = {};
  let before = float32At(yaws, first);
  for (let knot = first; knot <= Math.min(span.from + 2, yaws.length - 1); knot++) {
    before += halfTurns(float32At(yaws, knot) - before);
    unwound[knot] = before;
  }
  return halfTurns(withinKnots(unwound as unknown as ArrayLike<number>, span));
}

function halfTurns(degrees: number): number {
  return ((((degrees + 180) % 360) + 360) % 360) - 180;
}

function hermite(from: number, to: number, tangentFrom: number, tangentTo: number, t: number): number {
  const t2 = t * t;
  const t3 = t2 * t;
  return (
    (2 * t3 - 3 * t2 + 1) * from + (t3 - 2 * t2 + t) * tangentFrom + (3 * t2 - 2 * t3) * to + (t3 - t2) * tangentTo
  );
}
