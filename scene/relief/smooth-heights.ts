import * as checkedReads from "../../replay/checked-reads.ts";

// Copied, because some module formats look up an import at every use, and these are in inner loops.
const { float32At } = checkedReads;

/** Peaks narrower than this reach, in cells, that rise by at least `peakHeight` are cut off. */
const peakReach = 2;
const peakHeight = 24;

/** Cuts off peaks that are too narrow to stand on (a morphological opening). */
export function withoutPeaks(height: Float32Array, columns: number): Float32Array {
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
export function smoothed(source: Float32Array, cells: readonly number[], columns: number): Float32Array {
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
