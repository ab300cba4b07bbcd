import type { ClipSpec } from "../replay/clip-spec.ts";
import type { MatchRecord } from "../replay/match-record.ts";
import { planClipTime } from "./clip-time.ts";

/** When a clip shows a tick that somebody may want to jump to. */
export interface ClipMoment {
  tick: number;
  /** Of the video. */
  seconds: number;
  /** A segment begins here; else a highlight's kill or defuse. */
  isStart: boolean;
}

/** The beginnings of a clip's segments and the moments of its highlights, in the order in which the clip shows them. */
export function clipMoments(record: MatchRecord, spec: ClipSpec): ClipMoment[] {
  return planClipTime(record, spec).segments.flatMap(({ segment, timeMap, firstFrame }) => {
    const { startTick, endTick, captions } = segment;
    const offset = firstFrame / spec.framesPerSecond;
    const ticks = [...new Set(captions.flatMap(({ momentTicks }) => momentTicks))]
      .filter((tick) => tick >= startTick && tick < endTick)
      .sort((a, b) => a - b);
    return [
      { tick: startTick, seconds: offset, isStart: true },
      ...ticks.map((tick) => ({ tick, seconds: offset + timeMap.secondsAt(tick), isStart: false })),
    ];
  });
}
