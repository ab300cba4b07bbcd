import type { DrawOperation } from "./display-list.ts";

/** An upright rectangle of the frame, in frame pixels. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export function overlapArea(a: Box, b: Box): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

/** How far two boxes are apart; 0 where they overlap. */
export function gapBetween(a: Box, b: Box): number {
  const across = Math.max(a.left - b.left - b.width, b.left - a.left - a.width, 0);
  const down = Math.max(a.top - b.top - b.height, b.top - a.top - a.height, 0);
  return Math.hypot(across, down);
}

export function contains(outer: Box, inner: Box): boolean {
  return (
    inner.left >= outer.left &&
    inner.top >= outer.top &&
    inner.left + inner.width <= outer.left + outer.width &&
    inner.top + inner.height <= outer.top + outer.height
  );
}

/** The box that an operation draws in; null for the map, which is the whole frame. */
export function boxOf(operation: DrawOperation): Box | null {
  const around = (x: number, y: number, across: number, down: number): Box => ({
    left: x - across,
    top: y - down,
    width: 2 * across,
    height: 2 * down,
  });
  switch (operation.op) {
    case "map":
    case "dissolve":
      return null;
    case "sprite":
      return {
        left: operation.x,
        top: operation.y,
        width: operation.sprite.width,
        height: operation.sprite.height,
      };
    case "scaled":
      return around(operation.x, operation.y, operation.width / 2, operation.height / 2);
    case "affine": {
      const { sprite, a, b, c, d } = operation;
      const across = (Math.abs(a) * sprite.width + Math.abs(c) * sprite.height) / 2;
      const down = (Math.abs(b) * sprite.width + Math.abs(d) * sprite.height) / 2;
      return around(operation.x, operation.y, across, down);
    }
    case "line": {
      const { x0, y0, x1, y1, width } = operation;
      return {
        left: Math.min(x0, x1) - width / 2,
        top: Math.min(y0, y1) - width / 2,
        width: Math.abs(x1 - x0) + width,
        height: Math.abs(y1 - y0) + width,
      };
    }
    case "ring": {
      const reach = operation.radius + operation.width / 2;
      return around(operation.x, operation.y, reach, reach * operation.squash);
    }
    case "disc":
      return around(operation.x, operation.y, operation.radius, operation.radius * operation.squash);
    case "cone":
      return around(operation.x, operation.y, operation.radius, operation.radius * operation.squash);
    case "rect": {
      const { x, y, width, height } = operation;
      return { left: x, top: y, width, height };
    }
  }
}
