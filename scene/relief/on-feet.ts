import type { Place } from "../sight.ts";

/** Gravity in world units a second squared (`sv_gravity`). */
const gravity = 800;
/** Rises and falls of stairs and ramps are no steeper; with what positions are rounded by. */
const steepest = 1;
const roundingUnits = 4;

/** Seconds between two places by which `isOnFeet` can tell: in less, a jump is no higher than rounding. */
export const strideSeconds = 1 / 8;

/**
 * Whether somebody stands or walks, judged by three places as many seconds apart: not every recording tells who is in the air.
 * Bodies that fall, and heights that change faster than on stairs, are.
 */
export function isOnFeet(before: Place, here: Place, after: Place, seconds: number): boolean {
  const bend = before.z - 2 * here.z + after.z;
  // Half of what gravity bends a fall by between three looks.
  if (bend < (-gravity * seconds ** 2) / 2 - roundingUnits / 2) return false;
  return [before, after].every(
    (other) => Math.abs(other.z - here.z) <= steepest * Math.hypot(other.x - here.x, other.y - here.y) + roundingUnits,
  );
}
