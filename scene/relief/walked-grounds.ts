import * as checkedReads from "../../replay/checked-reads.ts";
import type { Footprints } from "../../replay/replay-track.ts";
import { distanceToNearest } from "./distance-transform.ts";
import type { GridFrame } from "./walkable-grid.ts";

// Copied, because some module formats look up an import at every use, and these are in inner loops.
const { float32At, int16At, int32At, uint32At } = checkedReads;

/** Longer strides between two footprints are teleports: this is a second of running with a jump in it. */
const maxStride = 300;
/** A footprint this much higher than the ones before and after it is a jump; older tracks may contain some. */
const leapHeight = 12;

/** A cell and a height in it for every place that a walk passed. */
export interface HeightSamples {
  cells: Int32Array;
  heights: Float32Array;
}

export function collectSamples(
  footprints: Footprints,
  frame: GridFrame,
  lowest: number,
  highest: number,
): HeightSamples {
  const { xyz, breaks } = footprints;
  const { columns, rows, cell, west, north } = frame;
  const cells: number[] = [];
  const heights: number[] = [];
  const put = (x: number, y: number, z: number) => {
    const column = Math.floor((x - west) / cell);
    const row = Math.floor((north - y) / cell);
    if (column < 0 || row < 0 || column >= columns || row >= rows || z < lowest || z >= highest) return;
    cells.push(row * columns + column);
    heights.push(z);
  };
  const firstOfWalk = new Set(breaks);
  const heightAt = (i: number) => int16At(xyz, i * 3 + 2);
  const isLeap = (i: number) =>
    i > 0 &&
    i + 1 < xyz.length / 3 &&
    !firstOfWalk.has(i) &&
    !firstOfWalk.has(i + 1) &&
    heightAt(i) - Math.max(heightAt(i - 1), heightAt(i + 1)) > leapHeight;
  for (let i = 0; i < xyz.length / 3; i++) {
    const x = int16At(xyz, i * 3);
    const y = int16At(xyz, i * 3 + 1);
    const z = int16At(xyz, i * 3 + 2);
    if (isLeap(i)) continue;
    put(x, y, z);
    if (i === 0 || firstOfWalk.has(i) || isLeap(i - 1)) continue;
    const dx = x - int16At(xyz, i * 3 - 3);
    const dy = y - int16At(xyz, i * 3 - 2);
    const dz = z - int16At(xyz, i * 3 - 1);
    const stride = Math.hypot(dx, dy);
    if (stride > maxStride || Math.abs(dz) > maxStride) continue;
    // Steeper than stairs means a drop or a jump: the ground keeps its height on either side of the ledge.
    const isLedge = Math.abs(dz) > 30 && Math.abs(dz) > stride * 0.8;
    const steps = Math.ceil(stride / cell);
    for (let step = 1; step < steps; step++) {
      const part = step / steps;
      const risen = isLedge ? (part < 0.5 ? 0 : 1) : part;
      put(x - dx * (1 - part), y - dy * (1 - part), z - dz * (1 - risen));
    }
  }
  return { cells: Int32Array.from(cells), heights: Float32Array.from(heights) };
}

/**
 * The grounds that people walked on in each cell, from low to high. Those of cell `i` are the entries `starts[i]` up to, but
 * not including, `starts[i + 1]`.
 */
export interface WalkedGrounds {
  starts: Uint32Array;
  heights: Float32Array;
  /** Weight of a ground: the square root of the number of walks over it. */
  weights: Float32Array;
}

/** NaN where nobody walked. */
export function lowestGrounds({ starts, heights }: WalkedGrounds): Float32Array {
  const lowest = new Float32Array(starts.length - 1).fill(Number.NaN);
  for (let cell = 0; cell < lowest.length; cell++) {
    const start = uint32At(starts, cell);
    if (start < uint32At(starts, cell + 1)) lowest[cell] = float32At(heights, start);
  }
  return lowest;
}

/** Heights in one cell closer together than this are one ground. */
const sameGround = 24;

export function walkedGrounds({ cells, heights }: HeightSamples, cellCount: number): WalkedGrounds {
  const starts = new Uint32Array(cellCount + 1);
  for (const cell of cells) starts[cell + 1] = uint32At(starts, cell + 1) + 1;
  for (let cell = 0; cell < cellCount; cell++) starts[cell + 1] = uint32At(starts, cell + 1) + uint32At(starts, cell);
  const filled = starts.slice();
  const byCell = new Float32Array(heights.length);
  for (let i = 0; i < cells.length; i++) {
    const cell = int32At(cells, i);
    const place = uint32At(filled, cell);
    byCell[place] = float32At(heights, i);
    filled[cell] = place + 1;
  }
  const grounds: WalkedGrounds = {
    starts: new Uint32Array(cellCount + 1),
    heights: new Float32Array(heights.length),
    weights: new Float32Array(heights.length),
  };
  let count = 0;
  for (let cell = 0; cell < cellCount; cell++) {
    grounds.starts[cell] = count;
    const seen = byCell.subarray(uint32At(starts, cell), uint32At(starts, cell + 1));
    if (seen.length > 1) seen.sort();
    for (let first = 0; first < seen.length; ) {
      let end = first + 1;
      while (end < seen.length && float32At(seen, end) - float32At(seen, end - 1) < sameGround) end++;
      // The lower middle, since jumps only ever add height.
      grounds.heights[count] = float32At(seen, first + Math.floor((end - first - 1) * 0.4));
      grounds.weights[count] = Math.sqrt(end - first);
      count++;
      first = end;
    }
  }
  grounds.starts[cellCount] = count;
  return grounds;
}

/** A mask of the cells that somebody walked on, which have a height. */
export function walkedCells(cellHeights: Float32Array): Uint8Array {
  const walked = new Uint8Array(cellHeights.length);
  for (let i = 0; i < walked.length; i++) if (!Number.isNaN(float32At(cellHeights, i))) walked[i] = 1;
  return walked;
}

/** Every cell has the height of the nearest walked one. */
export function spreadHeights(cellHeights: Float32Array, columns: number, rows: number): Float32Array<ArrayBuffer> {
  const { nearest } = distanceToNearest(walkedCells(cellHeights), 1, columns, rows);
  const height = new Float32Array(cellHeights.length);
  for (let i = 0; i < height.length; i++) height[i] = float32At(cellHeights, int32At(nearest, i));
  return height;
}
