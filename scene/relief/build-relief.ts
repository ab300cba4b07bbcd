import { float32At, int16At } from "../../replay/checked-reads.ts";
import type { Footprints } from "../../replay/replay-track.ts";
import type { MapImage } from "../display-list.ts";
import { frameAround, walkableGrid } from "./build-grid.ts";
import { floorHeight } from "./floors.ts";
import { type Projection, projectionFor } from "./projection.ts";
import { type FloorEmphasis, paintFloors, shadeFloor } from "./shading.ts";
import type { WalkableGrid } from "./walkable-grid.ts";

/** A map as drawn: one floor, or an upper and a lower one. All pictures share the projection. */
export interface Relief {
  projection: Projection;
  /** From top to bottom. */
  floors: ReliefFloor[];
  /** World z that separates the floors; null with one floor. */
  floorHeight: number | null;
}

export interface ReliefFloor {
  grid: WalkableGrid;
  image: MapImage;
}

export interface ReliefOptions {
  /** Internal map name, for the few maps whose floors are known. */
  map: string;
  /** Picture pixels per world unit at most. */
  finestScale: number;
  /** Pixels of one picture at most. */
  maxPixels: number;
}

/**
 * Draws a map from where people walked on it; no game asset is needed, so any map works. A few hundred footprints give
 * a rough plan, a few thousand the map.
 *
 * @throws {RangeError} when there are no footprints.
 */
export function buildRelief(footprints: Footprints, options: ReliefOptions): Relief {
  if (footprints.xyz.length === 0) throw new RangeError("A relief needs at least one footprint.");
  const frame = frameAround(footprints, 220);
  const cut = floorHeight(footprints, options.map);
  const infinite = Number.POSITIVE_INFINITY;
  const bands =
    cut === null
      ? [{ from: -infinite, to: infinite }]
      : [
          { from: cut, to: infinite },
          { from: -infinite, to: cut },
        ];
  const walked = bands.flatMap(({ from, to }) => walkableGrid(footprints, frame, from, to) ?? []);
  const [top = soleFootprintGrid(footprints, frame), ...others] = walked;
  const grids = [top, ...others];
  const isTwoFloors = grids.length === 2;

  const projection = projectionFor(frame, heightRange(top).middle, options.finestScale, options.maxPixels);
  const shadings = grids.map((grid) => {
    const { lowest, highest } = heightRange(grid);
    return shadeFloor(grid, lowest, highest);
  });
  const floors = grids.map((grid, shown): ReliefFloor => {
    const layers = shadings
      .map((shading, i) => {
        const emphasis: FloorEmphasis = i === shown ? "full" : i > shown ? "beneath" : "outline";
        return { shading, emphasis };
      })
      .reverse();
    return {
      grid,
      image: {
        key: `relief-${options.map}-${signature(footprints)}-${projection.width}-${shown}`,
        width: projection.width,
        height: projection.height,
        rgba: paintFloors(projection, layers),
      },
    };
  });
  return { projection, floors, floorHeight: isTwoFloors ? cut : null };
}

/** Hash (FNV-1a) that distinguishes the footprints of matches: pictures of one map differ from match to match. */
function signature({ xyz }: Footprints): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < xyz.length; i++) hash = Math.imul(hash ^ (int16At(xyz, i) & 0xffff), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** For so few footprints that no area is left: a disc around the first one. */
function soleFootprintGrid(footprints: Footprints, frame: ReturnType<typeof frameAround>): WalkableGrid {
  const edgeDistance = new Float32Array(frame.columns * frame.rows);
  for (let i = 0; i < edgeDistance.length; i++) {
    const x = frame.west + ((i % frame.columns) + 0.5) * frame.cell - int16At(footprints.xyz, 0);
    const y = frame.north - (Math.floor(i / frame.columns) + 0.5) * frame.cell - int16At(footprints.xyz, 1);
    edgeDistance[i] = 160 - Math.hypot(x, y);
  }
  const height = new Float32Array(edgeDistance.length).fill(int16At(footprints.xyz, 2));
  return { ...frame, edgeDistance, height, deck: null };
}

function heightRange(grid: WalkableGrid): { lowest: number; middle: number; highest: number } {
  const heights: number[] = [];
  for (let i = 0; i < grid.height.length; i += 3)
    if (float32At(grid.edgeDistance, i) > 0) heights.push(float32At(grid.height, i));
  const sorted = Float32Array.from(heights).sort();
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
  return { lowest: at(0.01), middle: at(0.5), highest: Math.max(at(0.99), at(0.01) + 160) };
}
