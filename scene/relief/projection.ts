import type { GridFrame } from "./walkable-grid.ts";

/**
 * How the world maps to a map picture: seen from the south at a slant, without perspective, so that world → picture is affine
 * and one picture serves every camera.
 */
export interface Projection {
  /** Picture pixels per world unit from west to east. */
  scale: number;
  west: number;
  north: number;
  /** World units around the grid. */
  margin: number;
  /** Height that is drawn without offset; higher things are drawn further up. */
  referenceHeight: number;
  /** Picture size in pixels. */
  width: number;
  height: number;
}

const slant = (38 * Math.PI) / 180;
/** North-south lengths shrink by this factor: circles on the ground are drawn as ellipses this flat. */
export const groundSquash = Math.cos(slant);
/** Screen length per unit of height: less than the slant's, so that high things hide little of what is behind them. */
export const heightLift = Math.sin(slant) * 0.73;

export function mapX(projection: Projection, x: number): number {
  return (x - projection.west + projection.margin) * projection.scale;
}

export function mapY(projection: Projection, y: number, z: number): number {
  return (
    ((projection.north - y) * groundSquash -
      (z - projection.referenceHeight) * heightLift +
      projection.margin * groundSquash) *
    projection.scale
  );
}

/** A projection whose picture contains the frame with its margin, with at most `maxPixels` pixels. */
export function projectionFor(
  frame: GridFrame,
  referenceHeight: number,
  finestScale: number,
  maxPixels: number,
): Projection {
  const margin = 380;
  const widthUnits = frame.columns * frame.cell + 2 * margin;
  const heightUnits = (frame.rows * frame.cell + 2 * margin) * groundSquash;
  const scale = Math.min(finestScale, Math.sqrt(maxPixels / (widthUnits * heightUnits)));
  // Even sides, because the video's chroma planes have half the size.
  return {
    scale,
    west: frame.west,
    north: frame.north,
    margin,
    referenceHeight,
    width: 2 * Math.floor((widthUnits * scale) / 2),
    height: 2 * Math.floor((heightUnits * scale) / 2),
  };
}
