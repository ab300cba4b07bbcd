import type { ClipSpec } from "../../../replay/clip-spec.ts";
import type { DemoPlayer } from "../../storage/schema.ts";

/** What the game plays and records in one go: segments of a clip that follow one another in the demo. */
export interface RecordedTake {
  /** Its place in the clip, from 1. It is recorded where the demo has it. */
  number: number;
  /** Whole demo ticks, as `demo_gototick` counts them. */
  startTick: number;
  endTick: number;
  /** Who is looked at from which tick on, the first from `startTick`. */
  cameras: { tick: number; player: DemoPlayer }[];
}

/** What a clip is recorded from. */
export interface RecordedClip {
  spec: ClipSpec;
  players: readonly DemoPlayer[];
  tickRate: number;
  /** As it is shown, cleaned. */
  name: string;
}

/** The game needs a second before a take to get ready, and goes on for one after it. */
export const settlingSeconds = 1;

/** Takes with less than this between them are one: the game would arrive after it had to be there. */
const shortestWaySeconds = 4 * settlingSeconds;

/** CS2 holds on to nobody for long (CS Demo Manager, issue 1444), so whom to look at is said again this often. */
const lookAgainSeconds = 0.5;

/**
 * The takes of a clip, in the order of the demo. Segments between which the game would find no time to go elsewhere are one take.
 * The ticks of a replay track are those of the demo's own frames (`backend/demos/record/demo-frames.ts`), which the game counts by.
 */
export function recordedTakes({ spec, players, tickRate }: RecordedClip): RecordedTake[] {
  const takes: RecordedTake[] = [];
  for (const segment of spec.segments) {
    const startTick = Math.max(1, Math.floor(segment.startTick));
    const endTick = Math.ceil(segment.endTick);
    const player = players[segment.player];
    const camera = player ? [{ tick: startTick, player }] : [];
    const before = takes.at(-1);
    const pause = before ? startTick - before.endTick : Number.POSITIVE_INFINITY;
    if (before && pause >= -1 && pause <= shortestWaySeconds * tickRate) {
      before.endTick = endTick;
      before.cameras.push(...camera);
    } else takes.push({ number: takes.length + 1, startTick, endTick, cameras: camera });
  }
  takes.sort((a, b) => a.startTick - b.startTick);
  // Rounds that follow one another, shown the other way round, would both have the tick between them once it is made whole.
  for (const [i, take] of takes.entries())
    take.endTick = Math.min(take.endTick, takes[i + 1]?.startTick ?? take.endTick);
  return takes;
}

/** Whom the game is told to look at, and when: each camera at once, and again and again until the next one. */
export function repeatedCameras({ cameras, endTick }: RecordedTake, tickRate: number): RecordedTake["cameras"] {
  const step = Math.round(lookAgainSeconds * tickRate);
  return cameras.flatMap(({ tick, player }, i) => {
    const until = cameras[i + 1]?.tick ?? endTick;
    const times = Math.max(1, Math.ceil((until - tick) / step));
    return Array.from({ length: times }, (_, n) => ({ tick: tick + n * step, player }));
  });
}
