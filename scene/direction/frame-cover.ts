import type { Box } from "../box.ts";
import type { DrawOperation } from "../display-list.ts";
import type { LayerName } from "../stage.ts";
import type { SpriteInk } from "./sprite-ink.ts";

/** Which layers stand before the map, and which are part of it. */
export const isPanelLayer: Readonly<Record<LayerName, boolean>> = {
  map: false,
  sites: false,
  callouts: false,
  fire: false,
  trails: false,
  deaths: false,
  bomb: false,
  smoke: false,
  veil: false,
  viewCones: false,
  shots: false,
  players: false,
  projectiles: false,
  bursts: false,
  names: false,
  radar: true,
  killFeed: true,
  scoreboard: true,
  strips: true,
  playerPanel: true,
  speed: true,
  flashes: true,
  title: true,
  banner: true,
  clutchScore: true,
  watermark: true,
  dissolve: true,
  endCard: true,
};

type InkOf = (sprite: Extract<DrawOperation, { op: "sprite" }>["sprite"]) => SpriteInk;

/** Fainter operations cover nothing: a panel that has nearly faded away. */
const coveringAlpha = 0.2;

/** The rectangle of the frame that an operation covers; null when it covers nothing. Frame pixels. */
export function coveredBox(
  operation: DrawOperation,
  frame: { width: number; height: number },
  inkOf: InkOf,
): Box | null {
  switch (operation.op) {
    case "map":
      return null;
    case "dissolve":
      return operation.alpha < coveringAlpha ? null : { left: 0, top: 0, ...frame };
    case "line": {
      if (Math.max(operation.alpha0, operation.alpha1) < coveringAlpha) return null;
      const { x0, y0, x1, y1, width } = operation;
      return boxOf(Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1), width / 2);
    }
    case "rect":
      if (operation.alpha < coveringAlpha) return null;
      return { left: operation.x, top: operation.y, width: operation.width, height: operation.height };
    case "ring":
    case "disc":
    case "cone": {
      if (operation.alpha < coveringAlpha) return null;
      const { x, y, radius } = operation;
      const reach = radius + (operation.op === "ring" ? operation.width / 2 : 0);
      return boxOf(x - reach, y - reach * operation.squash, x + reach, y + reach * operation.squash, 0);
    }
    default:
      return operation.alpha < coveringAlpha ? null : spriteBox(operation, inkOf);
  }
}

type SpriteOperation = Extract<DrawOperation, { op: "sprite" | "scaled" | "affine" }>;

function spriteBox(operation: SpriteOperation, inkOf: InkOf): Box | null {
  const { box } = inkOf(operation.sprite);
  if (!box) return null;
  const { a, b, c, d, x, y } = placement(operation);
  const corners = [
    [box.left, box.top],
    [box.left + box.width, box.top],
    [box.left, box.top + box.height],
    [box.left + box.width, box.top + box.height],
  ] as const;
  const xs = corners.map(([u, v]) => a * u + c * v + x);
  const ys = corners.map(([u, v]) => b * u + d * v + y);
  return boxOf(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), 0);
}

/** Sprite pixels to frame pixels: (a·u + c·v + x, b·u + d·v + y). */
export function placement(operation: SpriteOperation): {
  a: number;
  b: number;
  c: number;
  d: number;
  x: number;
  y: number;
} {
  const { sprite, x, y } = operation;
  if (operation.op === "sprite") return { a: 1, b: 0, c: 0, d: 1, x: Math.round(x), y: Math.round(y) };
  const linear =
    operation.op === "affine"
      ? operation
      : { a: operation.width / sprite.width, b: 0, c: 0, d: operation.height / sprite.height };
  const { a, b, c, d } = linear;
  const [u, v] = [sprite.width / 2, sprite.height / 2];
  return { a, b, c, d, x: x - a * u - c * v, y: y - b * u - d * v };
}

/** How much of what lies at a frame pixel an operation hides there, 0..1. Sprites only: clouds are sprites. */
export function coverAt(operation: DrawOperation, x: number, y: number, inkOf: InkOf): number {
  if (operation.op !== "sprite" && operation.op !== "scaled" && operation.op !== "affine") return 0;
  const { a, b, c, d, x: left, y: top } = placement(operation);
  const determinant = a * d - b * c;
  if (determinant === 0) return 0;
  const u = (d * (x - left) - c * (y - top)) / determinant;
  const v = (a * (y - top) - b * (x - left)) / determinant;
  return Math.min(1, operation.alpha) * inkOf(operation.sprite).alphaAt(u, v);
}

function boxOf(left: number, top: number, right: number, bottom: number, margin: number): Box {
  return {
    left: left - margin,
    top: top - margin,
    width: right - left + 2 * margin,
    height: bottom - top + 2 * margin,
  };
}

/** Area of a frame that boxes cover together, in pixels. */
export function unionArea(boxes: readonly Box[], frame: { width: number; height: number }): number {
  const within = boxes
    .map(({ left, top, width, height }) => ({
      left: Math.max(0, left),
      top: Math.max(0, top),
      right: Math.min(frame.width, left + width),
      bottom: Math.min(frame.height, top + height),
    }))
    .filter(({ left, top, right, bottom }) => left < right && top < bottom);
  const lines = [...new Set(within.flatMap(({ top, bottom }) => [top, bottom]))].sort((a, b) => a - b);
  let area = 0;
  for (const [i, top] of lines.entries()) {
    const bottom = lines[i + 1] ?? top;
    const spans = within
      .filter((box) => box.top <= top && box.bottom >= bottom)
      .sort((a, b) => a.left - b.left || a.right - b.right);
    let reached = Number.NEGATIVE_INFINITY;
    for (const { left, right } of spans) {
      if (right <= reached) continue;
      area += (right - Math.max(left, reached)) * (bottom - top);
      reached = right;
    }
  }
  return area;
}

/** Whether a point lies in a box, or nearer to it than `reach`. */
export function isNear({ left, top, width, height }: Box, x: number, y: number, reach: number): boolean {
  const dx = Math.max(left - x, 0, x - left - width);
  const dy = Math.max(top - y, 0, y - top - height);
  return Math.hypot(dx, dy) < reach || (dx === 0 && dy === 0);
}
