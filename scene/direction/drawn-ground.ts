import type { PlayerIndex } from "../../replay/match-record.ts";
import type { Relief } from "../relief/build-relief.ts";
import { drawnGround, insideDrawnGround } from "../relief/drawn-ground.ts";
import { isOnFeet, strideSeconds } from "../relief/on-feet.ts";
import type { Place } from "../sight.ts";
import type { DrawnClip, DrawnFrame } from "./drawn-clip.ts";

/** World units that feet may be above or below the drawn ground, or beside it. */
const farthestOff = 40;
/** Looks in which a stride is over, in slow motion, too. */
const looksAround = 40;

/**
 * Living players on their feet in the frames looked at, and how many of them are off the ground that is drawn there. Who is in
 * the air is known by the recording or by the movement before and after, so the first and last looks at a segment are not counted.
 */
export function groundedPlayers(
  { frames, width, height }: DrawnClip,
  relief: Relief,
  tickRate: number,
): { grounded: number; offGround: number } {
  let grounded = 0;
  let offGround = 0;
  for (const [i, frame] of frames.entries()) {
    const isBeside = (other: DrawnFrame) =>
      other.segment === frame.segment && Math.abs(other.tick - frame.tick) >= strideSeconds * tickRate;
    const before = frames
      .slice(Math.max(0, i - looksAround), i)
      .reverse()
      .find(isBeside);
    const after = frames.slice(i + 1, i + 1 + looksAround).find(isBeside);
    if (!before || !after) continue;
    const seconds = (after.tick - before.tick) / 2 / tickRate;
    for (const { player, isAlive, state, x, y } of frame.players) {
      if (!isAlive || state.airborne || x < 0 || y < 0 || x > width || y > height) continue;
      const [from, to] = [livingAt(before, player), livingAt(after, player)];
      if (!from || !to || !isOnFeet(from, state, to, seconds)) continue;
      grounded++;
      const isBesideGround = insideDrawnGround(relief, state) < -farthestOff;
      if (isBesideGround || Math.abs(drawnGround(relief, state) - state.z) > farthestOff) offGround++;
    }
  }
  return { grounded, offGround };
}

function livingAt({ players }: DrawnFrame, player: PlayerIndex): Place | null {
  return players.find((candidate) => candidate.player === player && candidate.isAlive)?.state ?? null;
}
