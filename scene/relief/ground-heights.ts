import * as checkedReads from "../../replay/checked-reads.ts";
import { blur } from "./distance-transform.ts";
import { flipSmallRegions } from "./small-regions.ts";
import { smoothed, withoutPeaks } from "./smooth-heights.ts";
import type { GridFrame, WalkableGrid } from "./walkable-grid.ts";
import { spreadHeights, type WalkedGrounds, walkedCells } from "./walked-grounds.ts";

// Copied, because some module formats look up an import at every use, and these are in inner loops.
const { float32At, float64At, uint8At, uint32At } = checkedReads;

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
export function groundHeights(
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
