import { float32At, itemAt } from "../../replay/checked-reads.ts";
import type { Place } from "../sight.ts";
import type { Relief } from "./build-relief.ts";

/** Height of the drawn ground at a place, in world units: of the ground or of the deck above it, whichever is nearer. */
export function drawnGround(relief: Relief, { x, y, z }: Place): number {
  const { grid } = itemAt(relief.floors, relief.floorHeight !== null && z < relief.floorHeight ? 1 : 0);
  const { columns, rows, cell, west, north, deck } = grid;
  const gridX = Math.min(columns - 1.001, Math.max(0, (x - west) / cell - 0.5));
  const gridY = Math.min(rows - 1.001, Math.max(0, (north - y) / cell - 0.5));
  const right = gridX - Math.floor(gridX);
  const below = gridY - Math.floor(gridY);
  const first = Math.floor(gridY) * columns + Math.floor(gridX);
  const blend = (field: Float32Array) =>
    (float32At(field, first) * (1 - right) + float32At(field, first + 1) * right) * (1 - below) +
    (float32At(field, first + columns) * (1 - right) + float32At(field, first + columns + 1) * right) * below;
  const ground = blend(grid.height);
  if (!deck || blend(deck.edgeDistance) < 0) return ground;
  const top = blend(deck.height);
  return Math.abs(top - z) < Math.abs(ground - z) ? top : ground;
}
