import type { TrackWindow } from "./replay-track.ts";

type TrackTicks = Pick<TrackWindow, "startTick" | "endTick">;

/**
 * What a track holds without a gap: windows that touch are one stretch.
 * @param windows in order of time, as tracks have them; ends inclusive
 */
export function recordedStretches(windows: readonly TrackTicks[]): TrackTicks[] {
  const stretches: TrackTicks[] = [];
  for (const { startTick, endTick } of windows) {
    const last = stretches.at(-1);
    if (last && startTick <= last.endTick) last.endTick = Math.max(last.endTick, endTick);
    else stretches.push({ startTick, endTick });
  }
  return stretches;
}

/** The last sample may come a step before the end, and a tick may be fractional. */
export const slackTicks = 4;

/** Whether a stretch of ticks lies in a window. */
export function isWithin(wanted: TrackTicks, window: TrackTicks): boolean {
  return wanted.startTick >= window.startTick - slackTicks && wanted.endTick <= window.endTick + slackTicks;
}
