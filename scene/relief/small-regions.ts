import * as checkedReads from "../../replay/checked-reads.ts";

// Copied, because some module formats look up an import at every use, and these are in inner loops.
const { float32At } = checkedReads;

/** Flips connected regions of a value whose total size (1 per cell by default) is below `smallest`. */
export function flipSmallRegions(
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
