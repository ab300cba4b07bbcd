import { int16At } from "./checked-reads.ts";
import type { Footprints } from "./replay-track.ts";

/** Longer strides between two footprints are teleports: this is a second of running with a jump in it. */
const maxStride = 300;

/** World units between two samples of a stride. */
const lookEvery = 16;

/** Positions are 16-bit: nothing is more than this many cells from the middle, whatever their size. */
const halfSide = 8192;

/** A place of world units as the number of its cell; neighbours along x, y and z are `xStep`, `yStep` and 1 away. */
const xStep = 2 ** 28;
const yStep = 2 ** 14;

/** @param cell side of a cell in world units, 8 at least */
function cellAt(x: number, y: number, z: number, cell: number): number {
  return (
    (Math.floor(x / cell) + halfSide) * xStep +
    (Math.floor(y / cell) + halfSide) * yStep +
    Math.floor(z / cell) +
    halfSide
  );
}

/** Indices of two successive footprints of a walk. For a single footprint both are the same. */
export interface Stride {
  from: number;
  to: number;
}

/** All strides of the walks, in their order. */
export function* stridesOf({ xyz, breaks }: Footprints): Generator<Stride> {
  const firstOfWalk = new Set(breaks);
  const count = xyz.length / 3;
  const isFarFrom = (i: number, j: number) => {
    const dx = int16At(xyz, j * 3) - int16At(xyz, i * 3);
    const dy = int16At(xyz, j * 3 + 1) - int16At(xyz, i * 3 + 1);
    const dz = int16At(xyz, j * 3 + 2) - int16At(xyz, i * 3 + 2);
    return Math.hypot(dx, dy) > maxStride || Math.abs(dz) > maxStride;
  };
  const isJoined = (i: number) => i > 0 && i < count && !firstOfWalk.has(i) && !isFarFrom(i - 1, i);
  for (let i = 0; i < count; i++) {
    if (isJoined(i)) yield { from: i - 1, to: i };
    else if (!isJoined(i + 1)) yield { from: i, to: i };
  }
}

/** Calls back with the cells that a stride leads through; one may come more than once. */
export function visitCells(
  { xyz }: Footprints,
  { from, to }: Stride,
  cell: number,
  visit: (cell: number) => void,
): void {
  const x = int16At(xyz, from * 3);
  const y = int16At(xyz, from * 3 + 1);
  const z = int16At(xyz, from * 3 + 2);
  const dx = int16At(xyz, to * 3) - x;
  const dy = int16At(xyz, to * 3 + 1) - y;
  const dz = int16At(xyz, to * 3 + 2) - z;
  const steps = Math.ceil(Math.hypot(dx, dy) / lookEvery);
  for (let step = 0; step <= steps; step++) {
    const part = steps === 0 ? 0 : step / steps;
    visit(cellAt(x + dx * part, y + dy * part, z + dz * part, cell));
  }
}

/**
 * The cells that walks lead through.
 * @param most the maximum; beyond it, cells are left out
 */
export function walkedCells(footprints: Footprints, cell: number, most = Number.POSITIVE_INFINITY): Set<number> {
  const cells = new Set<number>();
  const add = (at: number) => cells.add(at);
  for (const stride of stridesOf(footprints)) {
    if (cells.size > most) break;
    visitCells(footprints, stride, cell, add);
  }
  return cells;
}

/** From a cell to itself and to all those that touch it. */
const neighbourSteps = [0, -xStep, xStep].flatMap((x) =>
  [0, -yStep, yStep].flatMap((y) => [0, -1, 1].map((z) => x + y + z)),
);

/** Cells with all those that touch them. */
export function withNeighbours(cells: ReadonlySet<number>): Set<number> {
  const near = new Set<number>();
  for (const cell of cells) for (const step of neighbourSteps) near.add(cell + step);
  return near;
}

/** Share of the cells that are among the others or touch one of them, 0..1; 1 if there are none. */
export function shareNear(cells: ReadonlySet<number>, others: ReadonlySet<number>): number {
  if (cells.size === 0) return 1;
  let near = 0;
  for (const cell of cells) if (neighbourSteps.some((step) => others.has(cell + step))) near++;
  return near / cells.size;
}
