import { clamp, mix, smoothStep } from "../easing.ts";
import { blur } from "./distance-transform.ts";
import { groundSquash, heightLift, type Projection } from "./projection.ts";
import type { WalkableGrid } from "./walkable-grid.ts";

/** How strongly a floor is drawn: the floor in view in full, another one as a faint outline or a dim shape beneath. */
export type FloorEmphasis = "full" | "beneath" | "outline";

type Rgb = readonly [number, number, number];
/** The ground's colour at a relative height: 0 is the lowest, 1 the highest. */
type Tint = readonly [part: number, colour: Rgb];

/** Ground colour from the lowest to the highest ground: cool and quiet, so that players and fire stand out. */
const lowestTint: Tint = [0, [22, 37, 58]];
const higherTints: readonly Tint[] = [
  [0.3, [34, 54, 78]],
  [0.52, [47, 70, 94]],
  [0.74, [74, 94, 114]],
  [0.9, [104, 117, 128]],
  [1, [138, 143, 145]],
];
const rim: Rgb = [186, 214, 238];
const glow: Rgb = [34, 84, 138];
const backdropCentre: Rgb = [18, 26, 37];
const backdropEdge: Rgb = [7, 10, 16];
const channels = [0, 1, 2] as const;
/** Pixels at the picture's edge that have only the backdrop's colour, even when it is drawn at a quarter of its size. */
const plainEdge = 24;
/** World units that the slab of the map is thick. */
const slabDepth = 120;
const deckDepth = 26;
/** A deck less than this above the ground rests on it and is not drawn twice. */
const deckLift = 20;
/** Sub-samples per pixel side: ledges and walls are straight edges and would be jagged. */
const subsamples = 2;

/** The part of a floor's shading that does not depend on the pixel: brightness of every cell, colour of every height. */
export interface FloorShading {
  grid: WalkableGrid;
  ground: ShadedGround;
  deck: ShadedGround | null;
  lowest: number;
  highest: number;
}

interface ShadedGround {
  edgeDistance: Float32Array;
  height: Float32Array;
  brightness: Float32Array;
  /** 1 for columns of the grid that have something to paint. */
  isColumnUsed: Uint8Array;
}

export function shadeFloor(grid: WalkableGrid, lowest: number, highest: number): FloorShading {
  const deck = grid.deck && shadeGround(grid, grid.deck);
  // A deck's edge is a drop that its own heights do not show.
  if (deck)
    deck.brightness.forEach((value, i) => {
      deck.brightness[i] = value + 0.3 * (1 - smoothStep(0, 14, deck.edgeDistance[i]!));
    });
  return { grid, ground: shadeGround(grid, grid), deck, lowest, highest };
}

function shadeGround(
  { columns, rows, cell }: WalkableGrid,
  { height, edgeDistance }: Pick<WalkableGrid, "height" | "edgeDistance">,
): ShadedGround {
  const isColumnUsed = new Uint8Array(columns);
  for (let i = 0; i < edgeDistance.length; i++) if (edgeDistance[i]! > -24) isColumnUsed[i % columns] = 1;
  const brightness = new Float32Array(columns * rows).fill(1);
  const surroundings = blur(height, columns, rows, 70 / cell);
  for (let row = 1; row < rows - 1; row++) {
    for (let i = row * columns + 1; i < (row + 1) * columns - 1; i++) {
      if (edgeDistance[i]! < -24) continue;
      const z = height[i]!;
      const slopeEast = (height[i + 1]! - height[i - 1]!) / (2 * cell);
      const slopeSouth = (height[i + columns]! - height[i - columns]!) / (2 * cell);
      const normal = Math.hypot(slopeEast * 1.6, slopeSouth * 1.6, 1);
      // Light from the north-west, a little above the horizon.
      const light = (slopeEast * 1.6 * 0.55 + slopeSouth * 1.6 * 0.6 + 0.58) / normal - 0.58;
      let value = 1 + clamp(light > 0 ? light * 0.8 : light * 1.1, -0.42, 0.4);

      let drop = 0;
      let rise = 0;
      for (const offset of [-1, 1, -columns, columns, -columns - 1, -columns + 1, columns - 1, columns + 1]) {
        const difference = z - height[i + offset]!;
        if (difference > drop) drop = difference;
        if (-difference > rise) rise = -difference;
      }
      value += 0.55 * smoothStep(7, 20, drop) * (drop > rise ? 1 : 0.25);
      value *= 1 - 0.3 * smoothStep(7, 24, rise) * (rise > drop ? 1 : 0.2);
      value *= 1 - 0.3 * clamp((surroundings[i]! - z) / 90, 0, 1);
      value *= 0.68 + 0.32 * smoothStep(0, 90, edgeDistance[i]!);
      // Steep slopes towards the viewer are in their own shade.
      value *= 1 - 0.38 * smoothStep(0.6, 1.8, -slopeSouth * heightLift);
      brightness[i] = value;
    }
  }
  return { edgeDistance, height, brightness: blur(brightness, columns, rows, 0.8), isColumnUsed };
}

/** Paints floors, in the order given, over the backdrop: RGBA, row by row, opaque. */
export function paintFloors(
  projection: Projection,
  floors: readonly { shading: FloorShading; emphasis: FloorEmphasis }[],
): Uint8ClampedArray {
  const { width, height } = projection;
  const rgba = paintBackdrop(projection, floors);
  const column = new Float32Array(height * subsamples * 4);
  const sums = new Float32Array(height * 4);
  const range: RowRange = { first: 0, last: 0 };
  for (let x = 0; x < width; x++) {
    let first = height;
    let last = -1;
    for (let sub = 0; sub < subsamples; sub++) {
      range.first = height * subsamples;
      range.last = -1;
      for (const { shading, emphasis } of floors) {
        const pictureX = x + (sub + 0.5) / subsamples;
        paintColumn(projection, shading, shading.ground, emphasis, pictureX, column, range);
        if (shading.deck && emphasis !== "outline")
          paintColumn(projection, shading, shading.deck, emphasis, pictureX, column, range);
      }
      if (range.last < range.first) continue;
      first = Math.min(first, Math.floor(range.first / subsamples));
      last = Math.max(last, Math.floor(range.last / subsamples));
      for (let y = range.first; y <= range.last; y++) {
        const alpha = column[y * 4 + 3]!;
        if (alpha === 0) continue;
        const target = Math.floor(y / subsamples) * 4;
        sums[target] = sums[target]! + column[y * 4]! * alpha;
        sums[target + 1] = sums[target + 1]! + column[y * 4 + 1]! * alpha;
        sums[target + 2] = sums[target + 2]! + column[y * 4 + 2]! * alpha;
        sums[target + 3] = sums[target + 3]! + alpha;
      }
      column.fill(0, range.first * 4, (range.last + 1) * 4);
    }
    const weight = 1 / (subsamples * subsamples);
    for (let y = first; y <= last; y++) {
      const alpha = sums[y * 4 + 3]! * weight;
      if (alpha === 0) continue;
      const pixel = (y * width + x) * 4;
      for (let channel = 0; channel < 3; channel++) {
        rgba[pixel + channel] = rgba[pixel + channel]! * (1 - alpha) + sums[y * 4 + channel]! * weight;
      }
    }
    if (last >= first) sums.fill(0, first * 4, (last + 1) * 4);
  }
  return rgba;
}

/** Rows of a column that have been painted. */
interface RowRange {
  first: number;
  last: number;
}

/** Paints one sub-pixel column from north to south, so that nearer things cover those behind. */
function paintColumn(
  projection: Projection,
  shading: FloorShading,
  painted: ShadedGround,
  emphasis: FloorEmphasis,
  pictureX: number,
  column: Float32Array,
  range: RowRange,
): void {
  const { grid, ground, lowest, highest } = shading;
  const { columns, rows, cell } = grid;
  const { brightness, edgeDistance, height, isColumnUsed } = painted;
  const isDeck = painted !== ground;
  const depth = isDeck ? deckDepth : slabDepth;
  // Copied, because some module formats look up an import at every use, and these are in inner loops.
  const squash = groundSquash;
  const lift = heightLift;
  const density = projection.scale * subsamples;
  const worldX = pictureX / projection.scale - projection.margin + projection.west;
  const gridX = (worldX - grid.west) / cell - 0.5;
  if (gridX < 0 || gridX >= columns - 1) return;
  const leftColumn = Math.floor(gridX);
  if (!isColumnUsed[leftColumn] && !isColumnUsed[leftColumn + 1]) return;
  const right = gridX - leftColumn;
  const left = 1 - right;
  const length = column.length / 4;
  const gridLineX = nearGridLine(worldX);
  const step = 1 / (density * squash);
  const top = (projection.margin * squash + projection.referenceHeight * lift) * density;
  const dim = emphasis === "beneath" ? 0.5 : 1;
  const opacity = emphasis === "beneath" ? 0.85 : 1;
  const span = Math.max(1, highest - lowest);

  let wasInside = false;
  let lastY = 0;
  let red = 0;
  let green = 0;
  let blue = 0;
  const lines = Math.floor(((rows - 1.001) * cell) / step);
  for (let line = 0; line < lines; line++) {
    const south = line * step;
    const gridY = south / cell - 0.5;
    if (gridY < 0) continue;
    const topRow = Math.floor(gridY);
    const below = gridY - topRow;
    const above = 1 - below;
    const a = topRow * columns + leftColumn;
    const b = a + columns;
    const edge =
      (edgeDistance[a]! * left + edgeDistance[a + 1]! * right) * above +
      (edgeDistance[b]! * left + edgeDistance[b + 1]! * right) * below;
    if (edge < -2.5) {
      if (wasInside) {
        if (emphasis !== "outline")
          paintSlabSide(column, length, lastY, depth * lift * density, red * dim, green * dim, blue * dim, range);
        wasInside = false;
        continue;
      }
      // Far from any edge: skip ahead as far as the distance field allows.
      if (edge < -24) line += Math.floor((-edge - 16) / step);
      continue;
    }
    const z =
      (height[a]! * left + height[a + 1]! * right) * above + (height[b]! * left + height[b + 1]! * right) * below;
    if (isDeck) {
      const groundZ =
        (ground.height[a]! * left + ground.height[a + 1]! * right) * above +
        (ground.height[b]! * left + ground.height[b + 1]! * right) * below;
      if (z - groundZ < deckLift) {
        wasInside = false;
        continue;
      }
    }
    const light =
      (brightness[a]! * left + brightness[a + 1]! * right) * above +
      (brightness[b]! * left + brightness[b + 1]! * right) * below;
    const y = top + (south * squash - z * lift) * density;
    const rimStrength = isDeck ? 0 : 1 - smoothStep(2, 5, Math.abs(edge - 1.5));
    const coverage = smoothStep(-2.5, 0, edge);

    const tint = tintTable((z - lowest) / span);
    const value = light + 0.09 * Math.max(gridLineX, nearGridLine(grid.north - south));
    red = heightColours[tint]! * value;
    green = heightColours[tint + 1]! * value;
    blue = heightColours[tint + 2]! * value;
    const rimPart = rimStrength * (emphasis === "beneath" ? 0.3 : 0.75);
    const r = (red + (rim[0] - red) * rimPart) * dim;
    const g = (green + (rim[1] - green) * rimPart) * dim;
    const bl = (blue + (rim[2] - blue) * rimPart) * dim;
    const alpha = emphasis === "outline" ? coverage * rimStrength * 0.32 : coverage * opacity;

    const from = wasInside ? Math.min(Math.floor(lastY) + 1, Math.floor(y)) : Math.floor(y);
    const start = Math.max(0, from);
    const end = Math.min(length - 1, Math.floor(y));
    if (start < range.first) range.first = start;
    if (end > range.last) range.last = end;
    for (let row = start; row <= end; row++) {
      const o = row * 4;
      const covered = column[o + 3]! * (1 - alpha);
      const total = covered + alpha;
      if (total <= 0) continue;
      column[o] = (column[o]! * covered + r * alpha) / total;
      column[o + 1] = (column[o + 1]! * covered + g * alpha) / total;
      column[o + 2] = (column[o + 2]! * covered + bl * alpha) / total;
      column[o + 3] = total;
    }
    wasInside = true;
    lastY = y;
  }
}

function paintSlabSide(
  column: Float32Array,
  length: number,
  edgeY: number,
  depth: number,
  red: number,
  green: number,
  blue: number,
  range: RowRange,
): void {
  const start = Math.max(0, Math.floor(edgeY) + 1);
  const end = Math.min(length, Math.ceil(start + depth));
  if (start < range.first) range.first = start;
  if (end - 1 > range.last) range.last = end - 1;
  for (let row = start; row < end; row++) {
    const down = (row - start) / depth;
    const alpha = Math.max(0, 0.98 * (1 - down * down * down));
    const shade = (1 - down) * 0.55 + 0.06;
    const o = row * 4;
    const covered = column[o + 3]! * (1 - alpha);
    const total = covered + alpha;
    column[o] = (column[o]! * covered + red * shade * 0.62 * alpha) / total;
    column[o + 1] = (column[o + 1]! * covered + green * shade * 0.7 * alpha) / total;
    column[o + 2] = (column[o + 2]! * covered + blue * shade * 0.86 * alpha) / total;
    column[o + 3] = total;
  }
}

/** 1 on the lines of a 128-unit square grid, 0 between. */
function nearGridLine(position: number): number {
  const within = position / 128 - Math.floor(position / 128);
  return smoothStep(62.4, 64, Math.abs(within - 0.5) * 128);
}

const tintSteps = 255;
const heightColours = new Float32Array((tintSteps + 1) * 3);
for (let i = 0; i <= tintSteps; i++) heightColours.set(tintAt(i / tintSteps), i * 3);

/** Colour of the ground at a relative height, 0..1. */
function tintAt(part: number): Rgb {
  let [lowerPart, lower] = lowestTint;
  for (const [upperPart, upper] of higherTints) {
    if (part <= upperPart) {
      const between = (part - lowerPart) / (upperPart - lowerPart);
      return [mix(lower[0], upper[0], between), mix(lower[1], upper[1], between), mix(lower[2], upper[2], between)];
    }
    [lowerPart, lower] = [upperPart, upper];
  }
  return lower;
}

function tintTable(part: number): number {
  return Math.round(clamp(part, 0, 1) * tintSteps) * 3;
}

/** A dark table with a dot grid, lit by a faint glow around the floors; its edge has a single colour, which continues beyond. */
function paintBackdrop(
  projection: Projection,
  floors: readonly { shading: FloorShading; emphasis: FloorEmphasis }[],
): Uint8ClampedArray {
  const { width, height, scale, margin } = projection;
  /** 0 at the picture's edge, 1 where the table is fully drawn. */
  const inset = (x: number, y: number) =>
    smoothStep(plainEdge, Math.max(plainEdge + 1, margin * scale), Math.min(x, y, width - x, height - y));
  const grids = floors.filter((floor) => floor.emphasis !== "outline").map((floor) => floor.shading.grid);
  // Light changes slowly: computed at every eighth pixel and interpolated.
  const step = 8;
  const columns = Math.ceil(width / step) + 1;
  const rows = Math.ceil(height / step) + 1;
  const coarse = new Float32Array(columns * rows * 3);
  for (let row = 0; row < rows; row++) {
    const dy = (row * step - height * 0.46) / (height * 0.75);
    for (let column = 0; column < columns; column++) {
      const dx = (column * step - width / 2) / (width * 0.62);
      const away = Math.min(1, Math.sqrt(dx * dx + dy * dy));
      const drawn = inset(column * step, row * step);
      let lit = 0;
      for (const grid of grids) lit = Math.max(lit, glowAt(projection, grid, column * step, row * step));
      for (const channel of channels) {
        const base = mix(backdropCentre[channel], backdropEdge[channel], away) + glow[channel] * lit * 0.4;
        coarse[(row * columns + column) * 3 + channel] = mix(backdropEdge[channel], base, drawn);
      }
    }
  }
  const rgba = new Uint8ClampedArray(width * height * 4);
  const dotEvery = 64 * scale;
  const dotRowEvery = dotEvery * groundSquash;
  const line = new Float32Array(columns * 3);
  for (let y = 0; y < height; y++) {
    const above = Math.floor(y / step) * columns * 3;
    const part = (y % step) / step;
    for (let i = 0; i < line.length; i++) {
      line[i] = coarse[above + i]! * (1 - part) + coarse[above + line.length + i]! * part;
    }
    const isDotRow = y % dotRowEvery < 1.2;
    let pixel = y * width * 4;
    for (let x = 0; x < width; x++) {
      const left = (x >> 3) * 3;
      const right = (x & 7) / step;
      const dot = isDotRow && x % dotEvery < 1.2 ? 14 * inset(x, y) : 0;
      rgba[pixel] = line[left]! + (line[left + 3]! - line[left]!) * right + dot;
      rgba[pixel + 1] = line[left + 1]! + (line[left + 4]! - line[left + 1]!) * right + dot;
      rgba[pixel + 2] = line[left + 2]! + (line[left + 5]! - line[left + 2]!) * right + dot;
      rgba[pixel + 3] = 255;
      pixel += 4;
    }
  }
  return rgba;
}

/** 0..1: light that falls on the table from under the slab at a picture pixel. */
function glowAt(projection: Projection, grid: WalkableGrid, x: number, y: number): number {
  const reach = 420;
  const { scale, margin } = projection;
  const south = y / scale / groundSquash - margin - (slabDepth * 0.35 * heightLift) / groundSquash;
  const column = Math.floor((x / scale - margin) / grid.cell);
  const row = Math.floor(south / grid.cell);
  const inColumn = clamp(column, 0, grid.columns - 1);
  const inRow = clamp(row, 0, grid.rows - 1);
  const outside =
    -grid.edgeDistance[inRow * grid.columns + inColumn]! + Math.hypot(column - inColumn, row - inRow) * grid.cell;
  if (outside >= reach) return 0;
  return outside <= 0 ? 1 : (1 - outside / reach) ** 3;
}
