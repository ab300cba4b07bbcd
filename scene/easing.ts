export function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, value));
}

export function mix(from: number, to: number, part: number): number {
  return from + (to - from) * part;
}

/** Fast at first, then settling; `t` in 0..1. */
export function easeOut(t: number): number {
  return 1 - (1 - clamp(t, 0, 1)) ** 3;
}

/** Like `easeOut`, a little beyond the goal and back. */
export function overshoot(t: number): number {
  const back = clamp(t, 0, 1) - 1;
  return 1 + 2.70158 * back ** 3 + 1.70158 * back ** 2;
}

export function smoothStep(from: number, to: number, value: number): number {
  const t = clamp((value - from) / (to - from), 0, 1);
  return t * t * (3 - 2 * t);
}
