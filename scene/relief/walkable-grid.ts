import type { Footprints } from "../../replay/replay-track.ts";
import { blur, dilate, distanceToNearest, erode } from "./distance-transform.ts";

/** Where people can stand on one floor: a raster over the map, row 0 in the north. World units unless said otherwise. */
export interface WalkableGrid {
  columns: number;
  rows: number;
  /** Side of a cell. */
  cell: number;
  west: number;
  north: number;
  /** Signed distance to the edge of the walkable area: positive inside. */
  edgeDistance: Float32Array;
  /** Height of the ground; continued outside the walkable area by the nearest ground. */
  height: Float32Array;
}

export interface GridFrame {
  columns: number;
  rows: number;
  cell: number;
  west: number;
  north: number;
}

const largestGrid = 360_000;
/** Half a player's width, and a little: nobody's origin comes closer to a wall. */
const bodyRadius = 22;
/** Strides between two footprints longer than this are teleports (spawns), not walks. */
const longestStride = 220;
const smallestHole = 9_000;
const smallestIsland = 40_000;

/** The frame that holds all footprints but the stray ones, with room around. */
export function frameAround(footprints: Footprints, room: number): GridFrame {
  const count = footprints.xyz.length / 3;
  const xs = new Int16Array(count);
  const ys = new Int16Array(count);
  for (let i = 0; i < count; i++) {
    xs[i] = footprints.xyz[i * 3]!;
    ys[i] = footprints.xyz[i * 3 + 1]!;
  }
  xs.sort();
  ys.sort();
  const stray = Math.floor(count * 0.0005);
  const at = (sorted: Int16Array, index: number) => sorted[Math.max(0, Math.min(count - 1, index))] ?? 0;
  const west = at(xs, stray) - room;
  const east = at(xs, count - 1 - stray) + room;
  const south = at(ys, stray) - room;
  const north = at(ys, count - 1 - stray) + room;
  const cell = Math.max(8, Math.sqrt(((east - west) * (north - south)) / largestGrid));
  return { columns: Math.ceil((east - west) / cell), rows: Math.ceil((north - south) / cell), cell, west, north };
}

/** How wide a gap between two walks is still taken for floor: wider the fewer footprints there are. */
function gapToClose(footprintCount: number): number {
  return Math.max(36, Math.min(80, 80 - 44 * Math.log10(Math.max(1, footprintCount / 6000))));
}

/** The grid of the floor between `lowest` and `highest`, or null when nobody walked there. */
export function walkableGrid(
  footprints: Footprints,
  frame: GridFrame,
  lowest: number,
  highest: number,
): WalkableGrid | null {
  const { columns, rows, cell } = frame;
  const samples = collectSamples(footprints, frame, lowest, highest);
  if (samples.cells.length === 0) return null;
  const cellHeights = heightOfWalkedCells(samples, columns * rows);

  let mask: Uint8Array = Uint8Array.from(cellHeights, (height) => (Number.isNaN(height) ? 0 : 1));
  const close = gapToClose(footprints.xyz.length / 3);
  mask = dilate(mask, columns, rows, (bodyRadius + close) / cell);
  mask = erode(mask, columns, rows, close / cell);
  mask = dilate(erode(mask, columns, rows, 12 / cell), columns, rows, 12 / cell);
  flipSmallRegions(mask, columns, rows, 0, smallestHole / (cell * cell));
  flipSmallRegions(mask, columns, rows, 1, smallestIsland / (cell * cell));
  if (!mask.includes(1)) return null;

  return {
    ...frame,
    edgeDistance: signedDistance(mask, columns, rows, cell),
    height: groundHeight(cellHeights, mask, columns, rows),
  };
}

interface HeightSamples {
  cells: number[];
  heights: number[];
}

function collectSamples(footprints: Footprints, frame: GridFrame, lowest: number, highest: number): HeightSamples {
  const { xyz, breaks } = footprints;
  const { columns, rows, cell, west, north } = frame;
  const samples: HeightSamples = { cells: [], heights: [] };
  const put = (x: number, y: number, z: number) => {
    const column = Math.floor((x - west) / cell);
    const row = Math.floor((north - y) / cell);
    if (column < 0 || row < 0 || column >= columns || row >= rows || z < lowest || z >= highest) return;
    samples.cells.push(row * columns + column);
    samples.heights.push(z);
  };
  const firstOfWalk = new Set(breaks);
  for (let i = 0; i < xyz.length / 3; i++) {
    const x = xyz[i * 3]!;
    const y = xyz[i * 3 + 1]!;
    const z = xyz[i * 3 + 2]!;
    put(x, y, z);
    if (i === 0 || firstOfWalk.has(i)) continue;
    const dx = x - xyz[i * 3 - 3]!;
    const dy = y - xyz[i * 3 - 2]!;
    const dz = z - xyz[i * 3 - 1]!;
    const stride = Math.hypot(dx, dy);
    if (stride > longestStride || Math.abs(dz) > longestStride) continue;
    // Steeper than stairs is a drop or a jump: the ground keeps its height on either side of the ledge.
    const isLedge = Math.abs(dz) > 30 && Math.abs(dz) > stride * 0.8;
    const steps = Math.ceil(stride / cell);
    for (let step = 1; step < steps; step++) {
      const part = step / steps;
      const risen = isLedge ? (part < 0.5 ? 0 : 1) : part;
      put(x - dx * (1 - part), y - dy * (1 - part), z - dz * (1 - risen));
    }
  }
  return samples;
}

/** The lower-middle of the heights seen in each cell, since jumps only ever add height; NaN where nobody walked. */
function heightOfWalkedCells(samples: HeightSamples, cellCount: number): Float32Array {
  const order = Uint32Array.from(samples.cells, (_, i) => i).sort(
    (a, b) => samples.cells[a]! - samples.cells[b]! || samples.heights[a]! - samples.heights[b]!,
  );
  const result = new Float32Array(cellCount).fill(Number.NaN);
  for (let start = 0; start < order.length; ) {
    const cell = samples.cells[order[start]!]!;
    let end = start;
    while (end < order.length && samples.cells[order[end]!] === cell) end++;
    result[cell] = samples.heights[order[start + Math.floor((end - start - 1) * 0.4)]!]!;
    start = end;
  }
  return result;
}

function flipSmallRegions(mask: Uint8Array, columns: number, rows: number, value: 0 | 1, smallest: number): void {
  const seen = new Uint8Array(mask.length);
  const region: number[] = [];
  for (let seed = 0; seed < mask.length; seed++) {
    if (mask[seed] !== value || seen[seed]) continue;
    region.length = 0;
    region.push(seed);
    seen[seed] = 1;
    for (let i = 0; i < region.length; i++) {
      const cell = region[i]!;
      const column = cell % columns;
      for (const next of [
        column > 0 ? cell - 1 : -1,
        column < columns - 1 ? cell + 1 : -1,
        cell - columns,
        cell + columns < columns * rows ? cell + columns : -1,
      ]) {
        if (next < 0 || seen[next] || mask[next] !== value) continue;
        seen[next] = 1;
        region.push(next);
      }
    }
    if (region.length < smallest) for (const cell of region) mask[cell] = value === 1 ? 0 : 1;
  }
}

function signedDistance(mask: Uint8Array, columns: number, rows: number, cell: number): Float32Array {
  const inside = distanceToNearest((i) => mask[i] === 0, columns, rows).squared;
  const outside = distanceToNearest((i) => mask[i] === 1, columns, rows).squared;
  const distance = new Float32Array(mask.length);
  for (let i = 0; i < mask.length; i++) {
    distance[i] = (mask[i] ? Math.sqrt(inside[i]!) - 0.5 : 0.5 - Math.sqrt(outside[i]!)) * cell;
  }
  return blur(distance, columns, rows, 1.6);
}

/**
 * Ground height everywhere: the nearest walked cell's, with lone spikes removed, then smoothed along slopes but not across
 * ledges (Perona and Malik, 1990), so that stairs are ramps and boxes keep their edges.
 */
function groundHeight(cellHeights: Float32Array, mask: Uint8Array, columns: number, rows: number): Float32Array {
  const { nearest } = distanceToNearest((i) => !Number.isNaN(cellHeights[i]!), columns, rows);
  let height: Float32Array = Float32Array.from(nearest, (source) => cellHeights[source]!);
  for (let pass = 0; pass < 3; pass++) height = medianOfNeighbours(height, mask, columns, rows, 2);

  const ledge = 9;
  for (let pass = 0; pass < 40; pass++) {
    const next = Float32Array.from(height);
    for (let row = 1; row < rows - 1; row++) {
      for (let i = row * columns + 1; i < (row + 1) * columns - 1; i++) {
        if (!mask[i]) continue;
        const here = height[i]!;
        let flow = 0;
        for (let side = 0; side < 4; side++) {
          const step = height[i + (side === 0 ? 1 : side === 1 ? -1 : side === 2 ? columns : -columns)]! - here;
          const ratio = step / ledge;
          flow += step / (1 + ratio * ratio * ratio * ratio);
        }
        next[i] = here + 0.22 * flow;
      }
    }
    height = next;
  }
  return height;
}

function medianOfNeighbours(
  height: Float32Array,
  mask: Uint8Array,
  columns: number,
  rows: number,
  radius: number,
): Float32Array {
  const result = Float32Array.from(height);
  const window = new Float32Array((2 * radius + 1) ** 2);
  for (let row = radius; row < rows - radius; row++) {
    for (let column = radius; column < columns - radius; column++) {
      const i = row * columns + column;
      if (!mask[i]) continue;
      let count = 0;
      let lowest = Number.POSITIVE_INFINITY;
      let highest = Number.NEGATIVE_INFINITY;
      for (let dy = -radius; dy <= radius; dy++) {
        for (let dx = -radius; dx <= radius; dx++) {
          const value = height[i + dy * columns + dx]!;
          window[count++] = value;
          if (value < lowest) lowest = value;
          if (value > highest) highest = value;
        }
      }
      if (highest - lowest < 2) continue;
      window.sort();
      result[i] = window[count >> 1]!;
    }
  }
  return result;
}
