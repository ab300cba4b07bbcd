import { float32At, itemAt } from "../../replay/checked-reads.ts";
import { mix } from "../easing.ts";
import type { Relief } from "../relief/build-relief.ts";
import { floorAt } from "../sight.ts";
import type { DrawnClip } from "./drawn-clip.ts";

/** World units that feet may be above or below the drawn ground, or beside it. */
const farthestOff = 40;

/** Living players on their feet in the frames looked at, and how many of them are off the ground that is drawn there. */
export function groundedPlayers(
  { frames, width, height }: DrawnClip,
  relief: Relief,
): { grounded: number; offGround: number } {
  let grounded = 0;
  let offGround = 0;
  for (const { players } of frames) {
    for (const { isAlive, state, x, y } of players) {
      if (!isAlive || state.airborne || x < 0 || y < 0 || x > width || y > height) continue;
      grounded++;
      const ground = groundAt(relief, state);
      if (ground.edge < -farthestOff || Math.abs(ground.height - state.z) > farthestOff) offGround++;
    }
  }
  return { grounded, offGround };
}

/** Height of the drawn ground at a place, and how far inside the drawn area that is; blended between cells as in the picture. */
function groundAt(relief: Relief, { x, y, z }: { x: number; y: number; z: number }): { height: number; edge: number } {
  const { grid } = itemAt(relief.floors, floorAt(relief, z));
  const across = (x - grid.west) / grid.cell - 0.5;
  const down = (grid.north - y) / grid.cell - 0.5;
  const column = Math.floor(across);
  const row = Math.floor(down);
  if (column < 0 || row < 0 || column + 1 >= grid.columns || row + 1 >= grid.rows) {
    return { height: Number.NEGATIVE_INFINITY, edge: Number.NEGATIVE_INFINITY };
  }
  const at = row * grid.columns + column;
  const blend = (values: Float32Array) =>
    mix(
      mix(float32At(values, at), float32At(values, at + 1), across - column),
      mix(float32At(values, at + grid.columns), float32At(values, at + grid.columns + 1), across - column),
      down - row,
    );
  return { height: blend(grid.height), edge: blend(grid.edgeDistance) };
}
