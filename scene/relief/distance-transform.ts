import * as checkedReads from "../../replay/checked-reads.ts";

// Copied, because some module formats look imports up again at every use: these are in innermost loops.
const { float32At, float64At, int32At } = checkedReads;
/**
 * Exact Euclidean distance transform in linear time (Felzenszwalb and Huttenlocher, "Distance Transforms of Sampled
 * Functions", 2012): for every cell the squared distance, in cells, to the nearest cell whose mask is `wanted`, and that
 * cell's index. Where there is none, distances are huge and `nearest` is -1.
 */
export function distanceToNearest(
  mask: Uint8Array,
  wanted: 0 | 1,
  columns: number,
  rows: number,
): { squared: Float64Array; nearest: Int32Array } {
  const far = 1e12;
  const squared = new Float64Array(columns * rows);
  const nearest = new Int32Array(columns * rows);
  for (let cell = 0; cell < squared.length; cell++) {
    const isWanted = mask[cell] === wanted;
    nearest[cell] = isWanted ? cell : -1;
    squared[cell] = isWanted ? 0 : far;
  }
  const longest = Math.max(columns, rows);
  const value = new Float64Array(longest);
  const origin = new Int32Array(longest);
  const parabola = new Int32Array(longest);
  const boundary = new Float64Array(longest + 1);

  const transformLine = (start: number, stride: number, length: number) => {
    for (let i = 0; i < length; i++) {
      value[i] = float64At(squared, start + i * stride);
      origin[i] = int32At(nearest, start + i * stride);
    }
    let last = 0;
    parabola[0] = 0;
    boundary[0] = -far;
    boundary[1] = far;
    for (let i = 1; i < length; i++) {
      const height = float64At(value, i) + i * i;
      let p = int32At(parabola, last);
      let cross = (height - (float64At(value, p) + p * p)) / (2 * i - 2 * p);
      while (cross <= float64At(boundary, last)) {
        p = int32At(parabola, --last);
        cross = (height - (float64At(value, p) + p * p)) / (2 * i - 2 * p);
      }
      parabola[++last] = i;
      boundary[last] = cross;
      boundary[last + 1] = far;
    }
    last = 0;
    for (let i = 0; i < length; i++) {
      while (float64At(boundary, last + 1) < i) last++;
      const p = int32At(parabola, last);
      squared[start + i * stride] = (i - p) * (i - p) + float64At(value, p);
      nearest[start + i * stride] = int32At(origin, p);
    }
  };
  for (let column = 0; column < columns; column++) transformLine(column, columns, rows);
  for (let row = 0; row < rows; row++) transformLine(row * columns, 1, columns);
  return { squared, nearest };
}

/** Cells whose (squared) distance is at most `radius` cells. */
export function withinRadius(squared: Float64Array, radius: number): Uint8Array {
  const result = new Uint8Array(squared.length);
  for (let i = 0; i < result.length; i++) result[i] = float64At(squared, i) <= radius * radius ? 1 : 0;
  return result;
}

/** Set cells farther than `radius` cells from every unset cell. */
export function erode(mask: Uint8Array, columns: number, rows: number, radius: number): Uint8Array {
  const { squared } = distanceToNearest(mask, 0, columns, rows);
  const result = new Uint8Array(mask.length);
  for (let i = 0; i < result.length; i++) result[i] = float64At(squared, i) > radius * radius ? 1 : 0;
  return result;
}

/** Gaussian blur approximated by three box blurs; `sigma` in cells. Edges repeat. */
export function blur(source: Float32Array, columns: number, rows: number, sigma: number): Float32Array {
  const radius = Math.max(1, Math.round(Math.sqrt(4 * sigma * sigma + 1) / 2 - 0.5));
  const window = 2 * radius + 1;
  const result = Float32Array.from(source);
  const half = new Float32Array(source.length);
  const blurLines = (
    from: Float32Array,
    to: Float32Array,
    lines: number,
    lineStride: number,
    length: number,
    stride: number,
  ) => {
    for (let line = 0; line < lines; line++) {
      const start = line * lineStride;
      const end = length - 1;
      let sum = 0;
      for (let i = -radius; i <= radius; i++) sum += float32At(from, start + Math.min(end, Math.max(0, i)) * stride);
      for (let i = 0; i < length; i++) {
        to[start + i * stride] = sum / window;
        sum +=
          float32At(from, start + Math.min(end, i + radius + 1) * stride) -
          float32At(from, start + Math.max(0, i - radius) * stride);
      }
    }
  };
  for (let pass = 0; pass < 3; pass++) {
    blurLines(result, half, rows, columns, columns, 1);
    blurLines(half, result, columns, 1, rows, columns);
  }
  return result;
}
