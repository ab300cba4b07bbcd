import * as checkedReads from "../../replay/checked-reads.ts";
import type { Footprints } from "../../replay/replay-track.ts";
import { blur, distanceToNearest, erode, withinRadius } from "./distance-transform.ts";
import { groundHeights } from "./ground-heights.ts";
import { openGround } from "./open-ground.ts";
import { flipSmallRegions } from "./small-regions.ts";
import type { GridFrame, WalkableGrid } from "./walkable-grid.ts";
import { collectSamples, type HeightSamples, lowestGrounds, walkedCells, walkedGrounds } from "./walked-grounds.ts";

// Copied, because some module formats look up an import at every use, and these are in inner loops.
const { float32At, float64At, int16At } = checkedReads;

const maxGridCells = 260_000;
/** Slightly more than half a player's width: no player's origin comes closer to a wall. */
const bodyRadius = 22;
const minHole = 9_000;
const minIsland = 40_000;

/** The frame that contains all footprints except stray ones, with a margin. */
export function frameAround(footprints: Footprints, room: number): GridFrame {
  const count = footprints.xyz.length / 3;
  const xs = footprints.xyz.filter((_, i) => i % 3 === 0).sort();
  const ys = footprints.xyz.filter((_, i) => i % 3 === 1).sort();
  const stray = Math.floor(count * 0.0005);
  const at = (sorted: Int16Array, index: number) => sorted[Math.max(0, Math.min(count - 1, index))] ?? 0;
  const west = at(xs, stray) - room;
  const east = at(xs, count - 1 - stray) + room;
  const south = at(ys, stray) - room;
  const north = at(ys, count - 1 - stray) + room;
  const cell = Math.max(8, Math.sqrt(((east - west) * (north - south)) / maxGridCells));
  return { columns: Math.ceil((east - west) / cell), rows: Math.ceil((north - south) / cell), cell, west, north };
}

/**
 * Widest gap between walks that is still floor, in world units, where few walked: there a gap is just unwalked floor. Where many
 * walked, a spot that nobody touched is a pillar or a wall.
 */
const gapAmongFew = 72;
function gapAmongMany(footprintCount: number): number {
  return Math.max(26, Math.min(46, 46 - 40 * Math.log10(Math.max(1, footprintCount / 8000))));
}
/** Radius within which walks are counted to tell many from few. */
const densityReach = 110;
/** Few walked where the density is below this share of the usual one. */
const fewShare = 0.75;

/** In eight rounds or more people walk on 38 to 48 % of the map's bounding square; below this share no plan can be derived. */
const minWalkedShare = 0.15;
const shareCell = 64;

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
  const grounds = walkedGrounds(samples, columns * rows);
  const cellHeights = lowestGrounds(grounds);

  if (walkedShare(footprints) < minWalkedShare) return openGround(cellHeights, frame);
  const mask = closedArea(cellHeights, columns, rows, cell, gapAmongMany(footprints.xyz.length / 3));
  flipSmallRegions(mask, columns, rows, 0, minHole / (cell * cell));
  cutWalls(mask, samples, frame);
  flipSmallRegions(mask, columns, rows, 1, minIsland / (cell * cell));
  if (!mask.includes(1)) return null;

  return {
    ...frame,
    edgeDistance: signedDistance(mask, columns, rows, cell),
    ...groundHeights(grounds, mask, frame),
  };
}

/** Walked cells, widened by a body's width, with gaps closed as far as the density of the surrounding walks allows. */
function closedArea(
  cellHeights: Float32Array,
  columns: number,
  rows: number,
  cell: number,
  gapInDense: number,
): Uint8Array {
  const walked = walkedCells(cellHeights);
  const { squared } = distanceToNearest(walked, 1, columns, rows);
  const close = (gap: number) => erode(withinRadius(squared, (bodyRadius + gap) / cell), columns, rows, gap / cell);
  const tight = close(gapInDense);
  const wide = close(gapAmongFew);
  // The walked share of what is certainly floor, so that a wall between two busy rooms does not lower it.
  const walks = blur(new Float32Array(walked), columns, rows, densityReach / cell);
  const floor = blur(new Float32Array(tight), columns, rows, densityReach / cell);
  const density = walks.map((value, i) => value / Math.max(0.02, float32At(floor, i)));
  const usual = Float32Array.from(density.filter((_, i) => walked[i] === 1)).sort();
  const few = (usual[usual.length >> 1] ?? 0) * fewShare;
  return tight.map((inside, i) => (inside || (wide[i] && float32At(density, i) < few) ? 1 : 0));
}

/** Radius within which walks are counted to tell how often a cell is crossed. */
const busyReach = 60;
/**
 * With this many walks beside a stretch, somebody would have crossed it if it were floor. Each walk covers a dozen cells, so these are
 * far fewer people.
 */
const walksNeverMissed = 60;
/** Widest gap between busy walks that is still floor: a wider one has something in it. */
const gapAmongBusy = 8;
/** Walls to cut are thinner than this from walk to walk; thicker ones show by themselves. */
const thickestWall = 150;

/** Removes from the mask what nobody walks over although many walk on both sides: thin walls, crates. */
function cutWalls(mask: Uint8Array, { cells }: HeightSamples, { columns, rows, cell: side }: GridFrame): void {
  const walks = new Float32Array(mask.length);
  for (const cell of cells) walks[cell] = float32At(walks, cell) + 1;
  const walked = walks.map((count) => (count > 0 ? 1 : 0));
  const { squared } = distanceToNearest(Uint8Array.from(walked), 1, columns, rows);
  const reach = (bodyRadius + gapAmongBusy) / side;
  const near = erode(withinRadius(squared, reach), columns, rows, gapAmongBusy / side);
  const walksAround = blur(walks, columns, rows, busyReach / side);
  const floorAround = blur(new Float32Array(near), columns, rows, busyReach / side);
  const walls = new Uint8Array(mask.length);
  const farthest = Math.ceil(thickestWall / side);
  const isFloorTowards = (from: number, stride: number) => {
    for (let step = 1, i = from + stride; step < farthest; step++, i += stride) {
      if (near[i]) return true;
      if (!mask[i]) return false;
    }
    return false;
  };
  for (let i = 0; i < mask.length; i++) {
    if (!mask[i] || near[i]) continue;
    for (const stride of [1, columns, columns + 1, columns - 1]) {
      if (isFloorTowards(i, stride) && isFloorTowards(i, -stride)) walls[i] = 1;
    }
  }
  const missed = walksAround.map((count, i) => count / Math.max(0.2, float32At(floorAround, i)));
  flipSmallRegions(walls, columns, rows, 1, walksNeverMissed, missed);
  for (let i = 0; i < mask.length; i++) if (walls[i]) mask[i] = 0;
}

/** Part of the footprints' bounding rectangle that was walked on. */
function walkedShare({ xyz }: Footprints): number {
  const cells = new Set<number>();
  let [west, south] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [east, north] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < xyz.length; i += 3) {
    const x = int16At(xyz, i);
    const y = int16At(xyz, i + 1);
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
    cells.add(Math.floor(x / shareCell) * 65536 + Math.floor(y / shareCell));
  }
  const area = (east - west + shareCell) * (north - south + shareCell);
  return (cells.size * shareCell * shareCell) / area;
}

function signedDistance(mask: Uint8Array, columns: number, rows: number, cell: number): Float32Array {
  const inside = distanceToNearest(mask, 0, columns, rows).squared;
  const outside = distanceToNearest(mask, 1, columns, rows).squared;
  const distance = new Float32Array(mask.length);
  for (let i = 0; i < mask.length; i++) {
    distance[i] = (mask[i] ? Math.sqrt(float64At(inside, i)) - 0.5 : 0.5 - Math.sqrt(float64At(outside, i))) * cell;
  }
  return blur(distance, columns, rows, 1.6);
}
