import * as checkedReads from "../../replay/checked-reads.ts";
import type { Footprints } from "../../replay/replay-track.ts";
import { blur, distanceToNearest, erode, withinRadius } from "./distance-transform.ts";

// Copied, because some module formats look up an import at every use, and these are in inner loops.
const { float32At, float64At, int16At, int32At, uint8At, uint32At } = checkedReads;

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
  /** Height of the ground; outside the walkable area that of the nearest ground. */
  height: Float32Array;
  /** Null where nobody walked below others. */
  deck: Deck | null;
}

/** Ground that people walked on and below: catwalks, bridges, roofs. On the cells of its grid. */
export interface Deck {
  /** Signed distance to the deck's edge: positive on it. */
  edgeDistance: Float32Array;
  /** Height of the deck; around the deck that of its nearest cell. */
  height: Float32Array;
}

export interface GridFrame {
  columns: number;
  rows: number;
  cell: number;
  west: number;
  north: number;
}

const maxGridCells = 260_000;
/** Slightly more than half a player's width: no player's origin comes closer to a wall. */
const bodyRadius = 22;
/** Longer strides between two footprints are teleports: this is a second of running with a jump in it. */
const maxStride = 300;
const minHole = 9_000;
const minIsland = 40_000;

/** A footprint this much higher than the ones before and after it is a jump; older tracks may contain some. */
const leapHeight = 12;

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
const openGroundRoom = 150;

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

function walkedCells(cellHeights: Float32Array): Uint8Array {
  const walked = new Uint8Array(cellHeights.length);
  for (let i = 0; i < walked.length; i++) if (!Number.isNaN(float32At(cellHeights, i))) walked[i] = 1;
  return walked;
}

/** Every cell has the height of the nearest walked one. */
function spreadHeights(cellHeights: Float32Array, columns: number, rows: number): Float32Array<ArrayBuffer> {
  const { nearest } = distanceToNearest(walkedCells(cellHeights), 1, columns, rows);
  const height = new Float32Array(cellHeights.length);
  for (let i = 0; i < height.length; i++) height[i] = float32At(cellHeights, int32At(nearest, i));
  return height;
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

/** Open ground around all walks, for matches with so few that they would look like threads. */
function openGround(cellHeights: Float32Array, frame: GridFrame): WalkableGrid {
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

/** A cell and a height in it for every place that a walk passed. */
interface HeightSamples {
  cells: Int32Array;
  heights: Float32Array;
}

function collectSamples(footprints: Footprints, frame: GridFrame, lowest: number, highest: number): HeightSamples {
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
interface WalkedGrounds {
  starts: Uint32Array;
  heights: Float32Array;
  /** Weight of a ground: the square root of the number of walks over it. */
  weights: Float32Array;
}

/** NaN where nobody walked. */
function lowestGrounds({ starts, heights }: WalkedGrounds): Float32Array {
  const lowest = new Float32Array(starts.length - 1).fill(Number.NaN);
  for (let cell = 0; cell < lowest.length; cell++) {
    const start = uint32At(starts, cell);
    if (start < uint32At(starts, cell + 1)) lowest[cell] = float32At(heights, start);
  }
  return lowest;
}

/** Heights in one cell closer together than this are one ground. */
const sameGround = 24;

function walkedGrounds({ cells, heights }: HeightSamples, cellCount: number): WalkedGrounds {
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

/** Flips connected regions of a value whose total size (1 per cell by default) is below `smallest`. */
function flipSmallRegions(
  mask: Uint8Array,
  columns: number,
  rows: number,
  value: 0 | 1,
  smallest: number,
  sizes?: Float32Array,
): void {
  const seen = new Uint8Array(mask.length);
  const region: number[] = [];
  for (let seed = 0; seed < mask.length; seed++) {
    if (mask[seed] !== value || seen[seed]) continue;
    region.length = 0;
    region.push(seed);
    seen[seed] = 1;
    // The region grows during this loop.
    for (const cell of region) {
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
    const size = sizes ? region.reduce((sum, cell) => sum + float32At(sizes, cell), 0) : region.length;
    if (size < smallest) for (const cell of region) mask[cell] = value === 1 ? 0 : 1;
  }
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

/** How many cells away walks still vote on a cell's height: a body's width, so that a box keeps its edges. */
const votingReach = 3;
const votingSigma = 1.6;
/** Heights within this range vote together; those farther apart are two grounds. */
const votingWindow = 36;
/** A deck is at least this much above the ground below it: a player is 72 units tall, 54 when crouched. */
const deckClearance = 64;
/** A deck has at least this share of the other ground's votes. */
const minDeckShare = 0.3;

/** Grounds by the votes of the walks around; NaN where there are none. */
interface VotedGrounds {
  most: Float32Array;
  /** Where walks agree on two heights above each other: both. NaN elsewhere. */
  lower: Float32Array;
  upper: Float32Array;
}

/** For every cell the height that most nearby walks agree on: a lone jump is outvoted, and a ledge stays where it is. */
function voteGrounds(grounds: WalkedGrounds, cells: readonly number[], columns: number): VotedGrounds {
  const unknown = () => new Float32Array(grounds.starts.length - 1).fill(Number.NaN);
  const voted: VotedGrounds = { most: unknown(), lower: unknown(), upper: unknown() };
  const around: { offset: number; weight: number }[] = [];
  for (let dy = -votingReach; dy <= votingReach; dy++) {
    for (let dx = -votingReach; dx <= votingReach; dx++) {
      const squared = dx * dx + dy * dy;
      if (squared > votingReach * votingReach) continue;
      around.push({ offset: dy * columns + dx, weight: Math.exp(-squared / (2 * votingSigma * votingSigma)) });
    }
  }
  const ballot = new Ballot();
  for (const cell of cells) {
    ballot.clear();
    for (const { offset, weight } of around) {
      const end = uint32At(grounds.starts, cell + offset + 1);
      for (let i = uint32At(grounds.starts, cell + offset); i < end; i++) {
        ballot.add(float32At(grounds.heights, i), float32At(grounds.weights, i) * weight);
      }
    }
    const most = ballot.best(Number.NaN);
    if (!most) continue;
    voted.most[cell] = most.height;
    const other = ballot.span < deckClearance ? null : ballot.best(most.height);
    if (!other || other.votes < minDeckShare * most.votes) continue;
    voted.lower[cell] = Math.min(most.height, other.height);
    voted.upper[cell] = Math.max(most.height, other.height);
  }
  return voted;
}

/** The votes on one cell's height. */
class Ballot {
  readonly #heights = new Float64Array(512);
  readonly #votes = new Float64Array(512);
  #count = 0;

  clear(): void {
    this.#count = 0;
  }

  /** From the lowest to the highest. */
  get span(): number {
    return this.#count === 0 ? 0 : float64At(this.#heights, this.#count - 1) - float64At(this.#heights, 0);
  }

  /** Keeps votes sorted by height. Those beyond the capacity, which a cell's surroundings do not exceed, are dropped. */
  add(height: number, votes: number): void {
    if (this.#count === this.#heights.length) return;
    let place = this.#count++;
    for (; place > 0 && float64At(this.#heights, place - 1) > height; place--) {
      this.#heights[place] = float64At(this.#heights, place - 1);
      this.#votes[place] = float64At(this.#votes, place - 1);
    }
    this.#heights[place] = height;
    this.#votes[place] = votes;
  }

  /**
   * The mean of the heights in the `votingWindow` with the most votes.
   * @param taken only heights a deck's clearance away from it count; NaN for all
   */
  best(taken: number): { height: number; votes: number } | null {
    let first = 0;
    let votes = 0;
    let sum = 0;
    let mostVotes = 0;
    let mean = 0;
    for (let last = 0; last < this.#count; last++) {
      const height = float64At(this.#heights, last);
      const added = Math.abs(height - taken) < deckClearance ? 0 : float64At(this.#votes, last);
      votes += added;
      sum += added * height;
      while (height - float64At(this.#heights, first) > votingWindow) {
        const left = float64At(this.#heights, first);
        const removed = Math.abs(left - taken) < deckClearance ? 0 : float64At(this.#votes, first);
        votes -= removed;
        sum -= removed * left;
        first++;
      }
      if (added > 0 && votes > mostVotes) {
        mostVotes = votes;
        mean = sum / votes;
      }
    }
    return mostVotes > 0 ? { height: mean, votes: mostVotes } : null;
  }
}

/** Smallest deck, in square world units: a smaller one is the rim of a box. */
const minDeck = 3_500;
/** A deck must be wider than this reach, in cells. */
const deckOpening = 1;
/** Decks extend this many cells beyond the walks below them, over where they rest on the ground. */
const deckOverhang = 2;
const deckSoftness = 1.6;
/** Stored as the distance of all places farther from a deck. */
const farFromDeck = -40;

/** The ground's height everywhere, and the decks above it. */
function groundHeights(
  grounds: WalkedGrounds,
  mask: Uint8Array,
  frame: GridFrame,
): Pick<WalkableGrid, "height" | "deck"> {
  const { columns, rows, cell: side } = frame;
  const cells = innerCells(mask, columns, rows);
  const { most, lower, upper } = voteGrounds(grounds, cells, columns);
  const deckMask = walkedCells(upper);
  const opened = dilated(deckMask.map(flipped), columns, deckOpening).map(flipped);
  const deckCore = dilated(opened, columns, deckOpening);
  flipSmallRegions(deckCore, columns, rows, 1, minDeck / (side * side));
  for (let i = 0; i < deckCore.length; i++) {
    if (deckCore[i] && deckMask[i]) most[i] = float32At(lower, i);
    else upper[i] = Number.NaN;
  }
  const height = smoothed(withoutPeaks(spreadHeights(most, columns, rows), columns), cells, columns);
  if (!deckCore.includes(1)) return { height, deck: null };

  const deckArea = dilated(deckCore, columns, deckOverhang).map((isDeck, i) => isDeck & uint8At(mask, i));
  const deckHeight = smoothed(spreadHeights(upper, columns, rows), innerCells(deckArea, columns, rows), columns);
  // Near its edge a blurred mask is as good as the distance, and faster.
  const edgeDistance = blur(new Float32Array(deckArea), columns, rows, deckSoftness).map((part) =>
    part < 0.02 ? farFromDeck : (part - 0.5) * Math.sqrt(2 * Math.PI) * deckSoftness * side,
  );
  return { height, deck: { edgeDistance, height: deckHeight } };
}

function flipped(value: number): number {
  return 1 - value;
}

/** Set cells and those up to `reach` rows or columns from one. */
function dilated(mask: Uint8Array, columns: number, reach: number): Uint8Array {
  const spread = (source: Uint8Array, stride: number) => {
    const result = source.slice();
    for (let i = 0; i < source.length; i++) {
      if (!source[i]) continue;
      for (let j = i - reach * stride; j <= i + reach * stride; j += stride) if (j >= 0) result[j] = 1;
    }
    return result;
  };
  return spread(spread(mask, 1), columns);
}

/** Cells of the mask that are not at the frame's edge. */
function innerCells(mask: Uint8Array, columns: number, rows: number): number[] {
  const cells: number[] = [];
  for (let row = votingReach; row < rows - votingReach; row++) {
    const end = (row + 1) * columns - votingReach;
    for (let i = row * columns + votingReach; i < end; i++) if (mask[i]) cells.push(i);
  }
  return cells;
}

/** Peaks narrower than this reach, in cells, that rise by at least `peakHeight` are cut off. */
const peakReach = 2;
const peakHeight = 24;

/** Cuts off peaks that are too narrow to stand on (a morphological opening). */
function withoutPeaks(height: Float32Array, columns: number): Float32Array {
  const lowest = minimumAlong(minimumAlong(height, 1), columns);
  // The maximum is the negated minimum of the negated values.
  const opened = minimumAlong(minimumAlong(lowest.map(negated), 1), columns).map(negated);
  return height.map((z, i) => (z - float32At(opened, i) > peakHeight ? float32At(opened, i) : z));
}

function negated(value: number): number {
  return -value;
}

function minimumAlong(source: Float32Array, stride: number): Float32Array {
  const result = Float32Array.from(source);
  const reach = peakReach * stride;
  for (let i = reach; i < source.length - reach; i++) {
    let min = float32At(source, i - reach);
    for (let j = i - reach + stride; j <= i + reach; j += stride) {
      const value = float32At(source, j);
      if (value < min) min = value;
    }
    result[i] = min;
  }
  return result;
}

/** Passes of diffusion: enough to smooth slopes over a dozen cells. */
const diffusionPasses = 36;

/** Smoothed along slopes but not across ledges (Perona and Malik, 1990): stairs become ramps, boxes keep their edges. */
function smoothed(source: Float32Array, cells: readonly number[], columns: number): Float32Array {
  let height = new Float32Array(source);
  let next = new Float32Array(height);
  const swap = () => {
    [height, next] = [next, height];
  };
  for (const radius of [2, 3]) {
    const median = medianAround(columns, radius);
    for (const cell of cells) next[cell] = median(height, cell);
    swap();
  }
  for (let pass = 0; pass < diffusionPasses; pass++) {
    for (const cell of cells) next[cell] = diffused(height, cell, columns);
    swap();
  }
  // Cells are coarse: a slight blur turns the steps of slanting ledges into straight lines.
  for (let pass = 0; pass < 2; pass++) {
    for (const cell of cells) next[cell] = blurred(height, cell, columns);
    swap();
  }
  return height;
}

function medianAround(columns: number, radius: number): (height: Float32Array, cell: number) => number {
  const window = new Float32Array((2 * radius + 1) ** 2);
  const middle = window.length >> 1;
  return (height, cell) => {
    let count = 0;
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    for (let dy = -radius; dy <= radius; dy++) {
      const start = cell + dy * columns;
      for (let dx = -radius; dx <= radius; dx++) {
        const value = float32At(height, start + dx);
        window[count++] = value;
        if (value < lowest) lowest = value;
        if (value > highest) highest = value;
      }
    }
    if (highest - lowest < 4) return float32At(height, cell);
    return middleValue(window, middle);
  };
}

/** The value that would be at an index if the values were sorted (Hoare's selection); reorders them. */
function middleValue(values: Float32Array, index: number): number {
  let left = 0;
  let right = values.length - 1;
  while (left < right) {
    const pivot = float32At(values, index);
    let i = left;
    let j = right;
    while (i <= j) {
      while (float32At(values, i) < pivot) i++;
      while (float32At(values, j) > pivot) j--;
      if (i <= j) {
        const value = float32At(values, i);
        values[i++] = float32At(values, j);
        values[j--] = value;
      }
    }
    if (j < index) left = i;
    if (index < i) right = j;
  }
  return float32At(values, index);
}

/** Steps above this many units between two cells are ledges. */
const ledge = 9;

function diffused(height: Float32Array, cell: number, columns: number): number {
  const here = float32At(height, cell);
  return (
    here +
    0.22 *
      (flow(float32At(height, cell + 1) - here) +
        flow(float32At(height, cell - 1) - here) +
        flow(float32At(height, cell + columns) - here) +
        flow(float32At(height, cell - columns) - here))
  );
}

function flow(step: number): number {
  const ratio = (step * step) / (ledge * ledge);
  return step / (1 + ratio * ratio);
}

function blurred(height: Float32Array, cell: number, columns: number): number {
  const above = cell - columns;
  const below = cell + columns;
  const corners =
    float32At(height, above - 1) +
    float32At(height, above + 1) +
    float32At(height, below - 1) +
    float32At(height, below + 1);
  const sides =
    float32At(height, above) + float32At(height, below) + float32At(height, cell - 1) + float32At(height, cell + 1);
  return (corners + 2 * sides + 4 * float32At(height, cell)) / 16;
}
