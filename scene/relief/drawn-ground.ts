import { float32At, itemAt } from "../../replay/checked-reads.ts";
import type { Place } from "../sight.ts";
import type { Relief } from "./build-relief.ts";
import type { WalkableGrid } from "./walkable-grid.ts";

/** Height of the drawn ground at a place, in world units: of the ground or of the deck above it, whichever is nearer. */
export function drawnGround(relief: Relief, place: Place): number {
  const { grid, blend } = cellsAround(relief, place);
  const ground = blend(grid.height);
  if (!grid.deck || blend(grid.deck.edgeDistance) < 0) return ground;
  const top = blend(grid.deck.height);
  return Math.abs(top - place.z) < Math.abs(ground - place.z) ? top : ground;
}

/** How far within what is drawn a place is, on the ground or on a deck: world units, negative beside it. */
export function insideDrawnGround(relief: Relief, place: Place): number {
  const { grid, blend, isOnGrid } = cellsAround(relief, place);
  if (!isOnGrid) return Number.NEGATIVE_INFINITY;
  const ground = blend(grid.edgeDistance);
  return grid.deck ? Math.max(ground, blend(grid.deck.edgeDistance)) : ground;
}

/** The grid that a place is drawn on, and its fields blended between cells as in the picture. */
function cellsAround(
  relief: Relief,
  { x, y, z }: Place,
): { grid: WalkableGrid; blend: (field: Float32Array) => number; isOnGrid: boolean } {
  const { grid } = itemAt(relief.floors, relief.floorHeight !== null && z < relief.floorHeight ? 1 : 0);
  const { columns, rows, cell, west, north } = grid;
  const across = (x - west) / cell - 0.5;
  const down = (north - y) / cell - 0.5;
  const gridX = Math.min(columns - 1.001, Math.max(0, across));
  const gridY = Math.min(rows - 1.001, Math.max(0, down));
  const right = gridX - Math.floor(gridX);
  const below = gridY - Math.floor(gridY);
  const first = Math.floor(gridY) * columns + Math.floor(gridX);
  const blend = (field: Float32Array) =>
    (float32At(field, first) * (1 - right) + float32At(field, first + 1) * right) * (1 - below) +
    (float32At(field, first + columns) * (1 - right) + float32At(field, first + columns + 1) * right) * below;
  return { grid, blend, isOnGrid: across >= 0 && down >= 0 && across < columns - 1 && down < rows - 1 };
}
