import * as checkedReads from "../../replay/checked-reads.ts";
import { blur } from "./distance-transform.ts";
import type { GridFrame, WalkableGrid } from "./walkable-grid.ts";
import { spreadHeights } from "./walked-grounds.ts";

// Copied, because some module formats look up an import at every use, and these are in inner loops.
const { float32At } = checkedReads;

/** World units from the outermost walks to the edge. */
const openGroundRoom = 150;

/** Open ground around all walks, for matches with so few that they would look like threads. */
export function openGround(cellHeights: Float32Array, frame: GridFrame): WalkableGrid {
  const { columns, rows, cell } = frame;
  const hull = convexHull(cellHeights, columns);
  const edgeDistance = new Float32Array(columns * rows);
  for (let i = 0; i < edgeDistance.length; i++) {
    edgeDistance[i] = openGroundRoom - distanceOutside(hull, i % columns, Math.floor(i / columns)) * cell;
  }
  const height = spreadHeights(cellHeights, columns, rows);
  return { ...frame, edgeDistance, height: blur(height, columns, rows, 120 / cell), deck: null };
}

/** Corners of the smallest convex shape around the walked cells, in order (Andrew's monotone chain). */
function convexHull(cellHeights: Float32Array, columns: number): [number, number][] {
  const points: [number, number][] = [];
  for (let i = 0; i < cellHeights.length; i++) {
    if (!Number.isNaN(float32At(cellHeights, i))) points.push([i % columns, Math.floor(i / columns)]);
  }
  points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (ordered: [number, number][]) => {
    const corners: [number, number][] = [];
    for (const point of ordered) {
      let [before, last] = [corners.at(-2), corners.at(-1)];
      while (before && last && turn(before, last, point) <= 0) {
        corners.pop();
        [before, last] = [corners.at(-2), before];
      }
      corners.push(point);
    }
    return corners.slice(0, -1);
  };
  const hull = [...chain(points), ...chain(points.slice().reverse())];
  return hull.length > 0 ? hull : points;
}

function turn(a: [number, number], b: [number, number], c: [number, number]): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** Distance from a convex shape in cells, negative inside. */
function distanceOutside(hull: [number, number][], x: number, y: number): number {
  let isInside = hull.length > 2;
  let nearest = Number.POSITIVE_INFINITY;
  let from = hull.at(-1);
  for (const to of hull) {
    if (!from) break;
    if (turn(from, to, [x, y]) < 0) isInside = false;
    const dx = to[0] - from[0];
    const dy = to[1] - from[1];
    const length = dx * dx + dy * dy;
    const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - from[0]) * dx + (y - from[1]) * dy) / length));
    nearest = Math.min(nearest, Math.hypot(from[0] + dx * along - x, from[1] + dy * along - y));
    from = to;
  }
  return isInside ? -nearest : nearest;
}
