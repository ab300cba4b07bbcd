import type { ClipSegment, ClipSpec } from "../replay/clip-spec.ts";
import type { MatchRecord } from "../replay/match-record.ts";
import { planTimeMap, type TimeMap } from "./time-map.ts";

/** A segment in the frames of its clip. */
export interface TimedSegment {
  segment: ClipSegment;
  timeMap: TimeMap;
  firstFrame: number;
  /** Number of its first frames over which the previous segment's last picture fades; 0 for a hard cut. */
  dissolveFrames: number;
}

/** The sequence of a clip's parts. Scene and sound both use it, so that they have the same length. */
export interface ClipTime {
  /** The segments that show anything. */
  segments: readonly TimedSegment[];
  /** Frames of all segments. The end card's come after them. */
  playedFrames: number;
  endCardFrames: number;
  frameCount: number;
}

/** The most by which a clip continues after its last segment. */
export const endCardSeconds = 1.8;
const dissolveSeconds = 0.2;
/** Before a kill the viewer must see the fight clearly for this long. */
const clearBeforeKillSeconds = 0.6;
/** A dissolve of fewer frames is a flicker. */
const shortestDissolveSeconds = 0.06;

/**
 * Joins the time maps of a clip's segments, which dissolve into each other. The end card after them is
 * a caption: a clip without captions has none.
 */
export function planClipTime(record: MatchRecord, { segments, settings, framesPerSecond }: ClipSpec): ClipTime {
  const timed: TimedSegment[] = [];
  let playedFrames = 0;
  for (const segment of segments) {
    const timeMap = planTimeMap(record, segment, framesPerSecond);
    if (timeMap.frameCount === 0) continue;
    const dissolveFrames = timed.length === 0 ? 0 : dissolveInto(record, segment, timeMap);
    timed.push({ segment, timeMap, firstFrame: playedFrames, dissolveFrames });
    playedFrames += timeMap.frameCount;
  }
  const hasEndCard = playedFrames > 0 && settings.highlightInfo;
  const endCardFrames = hasEndCard ? Math.round(endCardSeconds * framesPerSecond) : 0;
  return { segments: timed, playedFrames, endCardFrames, frameCount: playedFrames + endCardFrames };
}

function dissolveInto(record: MatchRecord, segment: ClipSegment, timeMap: TimeMap): number {
  const { player, startTick, endTick, captions } = segment;
  const kills = record.kills.filter(({ attacker, victim }) => attacker === player || victim === player);
  const decisive = [...kills.map(({ tick }) => tick), ...captions.flatMap(({ momentTicks }) => momentTicks)];
  const next = Math.min(...decisive.filter((tick) => tick >= startTick && tick < endTick));
  const room = Math.min(dissolveSeconds, timeMap.secondsAt(next) - clearBeforeKillSeconds);
  const seconds = Math.min(room, timeMap.frameCount / timeMap.framesPerSecond / 2);
  return seconds < shortestDissolveSeconds ? 0 : Math.round(seconds * timeMap.framesPerSecond);
}
