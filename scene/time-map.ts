import { highlightTypeOf } from "../contract/highlight-types.ts";
import { float64At, itemAt } from "../replay/checked-reads.ts";
import type { ClipSegment } from "../replay/clip-spec.ts";
import { firstIndexWhere } from "../replay/first-index.ts";
import type { MatchRecord } from "../replay/match-record.ts";

/**
 * Which tick of the demo each frame of a segment shows. Scene, sound and captions all use this one map, so that what happens at
 * a tick is seen and heard together whatever the clip's speed.
 */
export interface TimeMap {
  readonly frameCount: number;
  readonly framesPerSecond: number;
  /** Ticks of the kills and defuses that complete a highlight; these are slowed. */
  readonly decisiveTicks: readonly number[];
  /** The (fractional) tick that frame i of the segment shows, 0 ≤ i < `frameCount`; it grows with i. */
  tickAt(frame: number): number;
  /** Seconds of video from the segment's beginning to a tick; before it and after its end at real speed. */
  secondsAt(tick: number): number;
  /** Seconds of play in a second of video at frame i. */
  speedAt(frame: number): number;
}

/** A longer stretch in which the player does nothing is idle, and is shortened to this if `fastest` allows. */
const longestIdleSeconds = 1.85;
const slowestForward = 2;
const fastestForward = 3;
/** The stretch after the last event is shortened only to this, in seconds of video, since it is what everything led to. */
const longestEndSeconds = 1.95;
/** Real speed lasts this long after an event, then before the next, so that it is seen coming. Seconds of play. */
const settleSeconds = 0.2;
const approachSeconds = 0.6;
/** The stretch around a kill or defuse that completes a highlight; at the speed below it lasts 0.6 s longer than it was played. */
const momentBefore = 0.06;
const momentAfter = 0.34;
const momentSpeed = 0.4;
/** Kills closer together than this are spread until they are as far apart in the video as the next constant says. */
const closestKills = 0.5;
const apartSeconds = 0.6;
/** The time after the last moment of a segment is at least this long: enough to see whom it hit and read how. */
const shortestTailSeconds = 1.8;
/** Changes of speed are eased over this many seconds of play on both sides. */
const easeSeconds = 0.1;

/**
 * Plans the speed of a segment: as played, except that the decisive kill is slowed, kills in quick succession are spread, and idle
 * stretches and the time after the last moment are brought to a length that is good to watch. A moment marked by hand without a
 * kill stays as played.
 */
export function planTimeMap(record: MatchRecord, segment: ClipSegment, framesPerSecond: number): TimeMap {
  const { tickRate } = record;
  const { startTick, endTick } = segment;
  const length = Math.max(0, endTick - startTick);
  const steps = Math.ceil(length);
  const story = storyOf(record, segment);
  const slowness = segment.isEven ? new Float64Array(steps).fill(1) : slownessOf(segment, story, tickRate);

  /** Seconds of video before tick `startTick + i`. */
  const elapsed = new Float64Array(steps + 1);
  for (let i = 0; i < steps; i++)
    elapsed[i + 1] = float64At(elapsed, i) + (float64At(slowness, i) * Math.min(1, length - i)) / tickRate;
  const seconds = float64At(elapsed, steps);
  const frameCount = Math.round(seconds * framesPerSecond);
  const tickAtSeconds = (time: number): number => {
    const step = Math.max(0, firstIndexWhere(elapsed, (value) => value > time) - 1);
    if (step >= steps) return endTick;
    const before = float64At(elapsed, step);
    const width = Math.min(1, length - step);
    return startTick + step + (width * (time - before)) / (float64At(elapsed, step + 1) - before);
  };
  const ticks = Float64Array.from({ length: frameCount + 1 }, (_, frame) => tickAtSeconds(frame / framesPerSecond));
  return {
    frameCount,
    framesPerSecond,
    decisiveTicks: story.decisive,
    tickAt: (frame) => float64At(ticks, frame),
    secondsAt(tick) {
      if (tick <= startTick || steps === 0) return (tick - startTick) / tickRate;
      if (tick >= endTick) return seconds + (tick - endTick) / tickRate;
      const step = Math.floor(tick - startTick);
      const before = float64At(elapsed, step);
      const part = (tick - startTick - step) / Math.min(1, length - step);
      return before + part * (float64At(elapsed, step + 1) - before);
    },
    speedAt: (frame) => ((float64At(ticks, frame + 1) - float64At(ticks, frame)) * framesPerSecond) / tickRate,
  };
}

/** Seconds of video per second of play, for each tick of a segment. */
function slownessOf(segment: ClipSegment, story: Story, tickRate: number): Float64Array {
  const { startTick, endTick } = segment;
  const steps = Math.ceil(Math.max(0, endTick - startTick));
  let slowness = new Float64Array(steps).fill(1);
  const even = evenStretches(segment);
  slowDecisiveMoments();
  shortenIdleStretches();
  runEvenly();
  slowness = eased(slowness, Math.round(easeSeconds * tickRate));
  spreadKills();
  runEvenly();
  lengthenTail();
  return slowness;

  function stepOf(tick: number): number {
    return Math.min(steps, Math.max(0, Math.round(tick - startTick)));
  }

  function change(from: number, to: number, changed: (now: number) => number): void {
    for (let i = stepOf(from); i < stepOf(to); i++) slowness[i] = changed(float64At(slowness, i));
  }

  /** Seconds of video between two ticks. */
  function lasting(from: number, to: number): number {
    return slowness.subarray(stepOf(from), stepOf(to)).reduce((sum, slow) => sum + slow, 0) / tickRate;
  }

  function slowDecisiveMoments(): void {
    for (const tick of story.decisive)
      change(tick - momentBefore * tickRate, tick + momentAfter * tickRate, () => 1 / momentSpeed);
  }

  function shortenIdleStretches(): void {
    const bounds = [startTick, ...[...story.activity, ...even.flat()].sort((a, b) => a - b), endTick];
    for (const [i, to] of bounds.slice(1).entries()) {
      const from = itemAt(bounds, i);
      const isEnd = to === endTick;
      const excess = lasting(from, to) - (isEnd ? longestEndSeconds : longestIdleSeconds);
      if (excess <= 0) continue;
      const settle = story.decisive.includes(from) ? momentAfter : from === startTick ? 0 : settleSeconds;
      const idleFrom = from + settle * tickRate;
      const idleTo = to - (isEnd ? 0 : approachSeconds * tickRate);
      const idle = lasting(idleFrom, idleTo);
      const speed = excess < idle ? idle / (idle - excess) : fastestForward;
      const slowest = isEnd ? 1 : slowestForward;
      change(idleFrom, idleTo, (now) => now / Math.min(fastestForward, Math.max(slowest, speed)));
    }
  }

  function runEvenly(): void {
    for (const [from, to] of even) change(from, to, () => 1);
  }

  function spreadKills(): void {
    for (const [i, tick] of story.kills.slice(1).entries()) {
      const before = itemAt(story.kills, i);
      const gap = (tick - before) / tickRate;
      if (gap < closestKills) change(before, tick, (now) => Math.max(now, apartSeconds / gap));
    }
  }

  function lengthenTail(): void {
    const last = story.outcomes.at(-1);
    if (last === undefined) return;
    const tail = lasting(last, endTick);
    if (tail > 0 && tail < shortestTailSeconds) change(last, endTick, (now) => (now * shortestTailSeconds) / tail);
  }
}

/** The stretches of a segment that run as played: its player's marked moments without a kill. */
function evenStretches({ startTick, endTick, player, captions }: ClipSegment): [from: number, to: number][] {
  return captions.flatMap(({ marked, momentTicks, player: whose }): [number, number][] => {
    if (!marked || momentTicks.length > 0 || whose !== player) return [];
    const [from, to] = [Math.max(startTick, marked.startTick), Math.min(endTick, marked.endTick)];
    return from < to ? [[from, to]] : [];
  });
}

/** The events that determine a segment's speed; ticks in order, within the segment. */
interface Story {
  /** Everything that the followed player does or suffers. */
  activity: number[];
  /** Their kills. */
  kills: number[];
  /** The last kill or defuse of each highlight. */
  decisive: number[];
  /** Kills, defuses and the win of a clutch, which have to be seen to the end. */
  outcomes: number[];
}

function storyOf(record: MatchRecord, { player, captions, round, startTick, endTick }: ClipSegment): Story {
  const within = (ticks: readonly number[]) =>
    [...new Set(ticks)].filter((tick) => tick >= startTick && tick < endTick).sort((a, b) => a - b);
  const ticksOf = <Event extends { tick: number }>(events: readonly Event[], isOwn: (event: Event) => boolean) =>
    within(
      events.filter((event) => event.tick >= startTick && event.tick < endTick && isOwn(event)).map(({ tick }) => tick),
    );
  const kills = ticksOf(record.kills, ({ attacker, victim }) => attacker === player && victim !== player);
  const own = captions.filter((caption) => caption.player === player);
  const told = own.length > 0 ? own : captions;
  const decisive = within(told.flatMap(({ momentTicks }) => momentTicks.slice(-1)));
  const moments = within(told.flatMap(({ momentTicks }) => momentTicks));
  const isClutch = told.some(({ label }) => highlightTypeOf(label)?.startsWith("clutch_"));
  const win = record.rounds.find(({ number, finished }) => isClutch && number === round && finished)?.endTick;
  return {
    activity: within([
      ...kills,
      ...moments,
      ...ticksOf(record.kills, ({ victim }) => victim === player),
      ...ticksOf(record.shots, (shot) => shot.player === player),
      ...ticksOf(record.damages, ({ attacker, victim }) => attacker === player || victim === player),
      ...ticksOf(record.bomb, (event) => event.player === player || event.kind === "exploded"),
      ...record.grenades.filter(({ thrower }) => thrower === player).map(({ throwTick }) => throwTick),
    ]),
    kills,
    decisive,
    outcomes: within([...kills, ...moments, ...(win === undefined ? [] : [win])]),
  };
}

/** Means over `radius` on both sides; ends repeat. Except at the ends this keeps sums, and so the length of the video. */
function eased(values: Float64Array, radius: number): Float64Array<ArrayBuffer> {
  const at = (i: number) => float64At(values, Math.min(values.length - 1, Math.max(0, i)));
  return Float64Array.from(values, (_, i) => {
    let sum = 0;
    for (let offset = -radius; offset <= radius; offset++) sum += at(i + offset);
    return sum / (2 * radius + 1);
  });
}
