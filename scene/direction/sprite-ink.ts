import type { Box } from "../box.ts";
import type { Sprite, SpriteContext } from "../display-list.ts";

/** A line of letters that a sprite writes, and their font size in the sprite's pixels. */
export interface SpriteText {
  text: string;
  size: number;
}

/** What is really on a sprite, found by baking it. */
export interface SpriteInk {
  /** Around all pixels that cover; null when none does. In the sprite's pixels. */
  box: Box | null;
  texts: readonly SpriteText[];
  /** 0..1 at a pixel, 0 outside. */
  alphaAt(x: number, y: number): number;
}

/** Bakes a sprite to RGBA, row by row; the result is read before the next call. */
export type BakeSprite = (sprite: Sprite) => Uint8Array | Uint8ClampedArray;

/** Pixels fainter than this let the map through: the rim of a shadow, the end of a gradient. */
const coveringAlpha = 0.2;

/** Reads the ink of sprites, of each key once. */
export function inkReader(bakeSprite: BakeSprite): (sprite: Sprite) => SpriteInk {
  const known = new Map<string, SpriteInk>();
  return (sprite) => {
    const before = known.get(sprite.key);
    if (before) return before;
    const ink = inkOf(sprite, bakeSprite);
    known.set(sprite.key, ink);
    return ink;
  };
}

function inkOf(sprite: Sprite, bakeSprite: BakeSprite): SpriteInk {
  const { width, height } = sprite;
  const texts: SpriteText[] = [];
  const rgba = bakeSprite({ ...sprite, paint: (context, kit) => sprite.paint(overheard(context, texts), kit) });
  const alpha = Uint8Array.from({ length: width * height }, (_, i) => rgba[i * 4 + 3] ?? 0);
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((alpha[y * width + x] ?? 0) < coveringAlpha * 255) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
    }
  }
  return {
    box: right > left ? { left, top, width: right - left, height: bottom - top } : null,
    texts,
    alphaAt(x, y) {
      const column = Math.floor(x);
      const row = Math.floor(y);
      if (column < 0 || row < 0 || column >= width || row >= height) return 0;
      return (alpha[row * width + column] ?? 0) / 255;
    },
  };
}

/** The same context; what is written on it is noted, in the size in which it arrives. */
function overheard(context: SpriteContext, texts: SpriteText[]): SpriteContext {
  const transformed = context as SpriteContext & Pick<CanvasRenderingContext2D, "getTransform">;
  return new Proxy(context, {
    get(target, name) {
      // With the context itself as the receiver: a native canvas knows no proxies.
      const value = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        if (name === "fillText") {
          const { c, d } = transformed.getTransform();
          texts.push({ text: String(given[0]), size: fontPixels(target.font) * Math.hypot(c, d) });
        }
        return Reflect.apply(value, target, given);
      };
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}

/** The size in a CSS font shorthand. */
function fontPixels(font: string): number {
  return Number(/(\d+(?:\.\d+)?)px/.exec(font)?.[1] ?? 0);
}
