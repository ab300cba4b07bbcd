import * as checkedReads from "../../replay/checked-reads.ts";

// Copied, because some module formats look imports up again at every use: these are in innermost loops.
const { float32At } = checkedReads;

/**
 * A grid's value between four cells.
 * @param northWest index of the cell in their north-west
 * @param east 0..1 of the way to the cells in the east
 * @param south 0..1 of the way to the cells in the south
 */
export function bilinear(field: Float32Array, columns: number, northWest: number, east: number, south: number): number {
  const southWest = northWest + columns;
  return (
    (float32At(field, northWest) * (1 - east) + float32At(field, northWest + 1) * east) * (1 - south) +
    (float32At(field, southWest) * (1 - east) + float32At(field, southWest + 1) * east) * south
  );
}
