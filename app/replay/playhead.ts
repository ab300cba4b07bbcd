/** Most seconds that one animation frame may advance a preview, so that a tab that slept goes on where it was. */
const longestStep = 0.25;

/**
 * Seconds by which a preview advances between two times.
 * @param before milliseconds, from `performance.now()`
 * @param now milliseconds of an animation frame; these may lie before the press that asked for the frame
 */
export function secondsBetween(before: number, now: number): number {
  return Math.min(longestStep, Math.max(0, (now - before) / 1000));
}
