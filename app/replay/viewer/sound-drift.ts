/** Seconds of listening that ear and eye notice. */
const noticedSeconds = 0.09;
/** Every correction is a jump that is heard. */
const restMs = 1000;
/** What is told later than this was told while the page was busy: the clock of its sound may be as old. */
const freshMs = 150;

/** Where the picture is said to be while it plays, and where its sound is then, in seconds of the clip. */
export interface HeardAndSeen {
  seen: number;
  heard: number;
  speed: number;
  /** How long ago the picture was there. */
  ageMs: number;
  /** Milliseconds of a clock that never goes back. */
  now: number;
}

/**
 * Watches whether sound and picture are together: a picture that had to wait does not catch up, its sound runs on.
 * @returns says of each report whether the sound has to be begun anew: if the report before found them apart as well, for one that was
 *   late proves nothing, and once a second at most
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
