import type { StageMoment } from "../stage-messages.ts";

/** Where a jump to a moment leads: a little before, so that it is seen coming. */
export const startOf = (moment: StageMoment, framesPerSecond: number) =>
  Math.max(0, moment.frame - Math.round(framesPerSecond / 3));

/** What jumps back and on from a frame lead to. Back from where a moment begins, and for half a second after: to the one before it. */
export function momentsAround(moments: readonly StageMoment[], frame: number, framesPerSecond: number) {
  return {
    before: moments.filter((moment) => startOf(moment, framesPerSecond) < frame - framesPerSecond / 2).at(-1),
    next: moments.find((moment) => startOf(moment, framesPerSecond) > frame + 2),
  };
}
