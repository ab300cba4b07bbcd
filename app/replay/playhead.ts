/** How far one animation frame may take a preview, in seconds: a tab that slept goes on where it was. */
const longestStep = 0.25;

/**
 * Seconds that a preview goes on between two times.
 * @param before milliseconds, as `performance.now()` says them
 * @param now milliseconds of an animation frame; these may lie before the press that asked for the frame
 */
export function secondsBetween(before: number, now: number): number {
  return Math.min(longestStep, Math.max(0, (now - before) / 1000));
}
