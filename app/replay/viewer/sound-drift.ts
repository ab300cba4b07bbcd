/** Drift in seconds that people notice. */
const noticedSeconds = 0.09;
/** Least time between corrections, each of which is an audible jump. */
const restMs = 1000;
/** An older report was delayed by a busy page, and the page's sound clock may be just as old. */
const freshMs = 150;

/** Positions of picture and sound during playback, in seconds of the clip. */
export interface HeardAndSeen {
  seen: number;
  heard: number;
  speed: number;
  /** How long ago the picture was there. */
  ageMs: number;
  /** Milliseconds of a monotonic clock. */
  now: number;
}

/**
 * Watches whether sound and picture are in sync: a delayed picture does not catch up, while its sound runs on.
 * @returns decides for each report whether to restart the sound: only if the previous report was out of sync too, since a single late
 *   one proves nothing, and at most once a second
 */
export function watchDrift(): (report: HeardAndSeen) => boolean {
  let wasApart = false;
  let corrected = Number.NEGATIVE_INFINITY;
  return ({ seen, heard, speed, ageMs, now }) => {
    if (ageMs > freshMs) return false;
    const isApart = Math.abs(heard - seen) > noticedSeconds * speed;
    const isCertain = isApart && wasApart && now - corrected >= restMs;
    wasApart = isApart;
    if (isCertain) corrected = now;
    return isCertain;
  };
}
