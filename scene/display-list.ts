/**
 * The display list: one frame as a list of drawing operations, in paint order, in frame pixels (y down).
 *
 * The scene writes it and knows no canvas; a painter carries it out: Canvas 2D in the browser and in tests, the WASM
 * YUV compositor for video. Every operation is something both can do to within rounding, so a preview equals the video.
 */

/** The part of CanvasRenderingContext2D that sprites may use; the browser's and @napi-rs/canvas' both satisfy it. */
export type SpriteContext = Pick<
  CanvasRenderingContext2D,
  | "save"
  | "restore"
  | "translate"
  | "rotate"
  | "scale"
  | "setTransform"
  | "beginPath"
  | "closePath"
  | "moveTo"
  | "lineTo"
  | "arc"
  | "ellipse"
  | "rect"
  | "roundRect"
  | "quadraticCurveTo"
  | "bezierCurveTo"
  | "fill"
  | "stroke"
  | "clip"
  | "fillRect"
  | "strokeRect"
  | "clearRect"
  | "fillText"
  | "strokeText"
  | "measureText"
  | "createLinearGradient"
  | "createRadialGradient"
  | "drawImage"
  | "setLineDash"
  | "fillStyle"
  | "strokeStyle"
  | "lineWidth"
  | "lineCap"
  | "lineJoin"
  | "globalAlpha"
  | "globalCompositeOperation"
  | "font"
  | "textAlign"
  | "textBaseline"
  | "shadowBlur"
  | "shadowColor"
  | "filter"
>;

/** What a sprite may ask of the place it is baked in. */
export interface SpriteKit {
  /** A Path2D from SVG path text. */
  path(svg: string): Path2D;
  /** An emoji as an image, or null when there is no picture of it. */
  emoji(cluster: string): CanvasImageSource | null;
  /** A player's own picture, square, by their index in the match; null when there is none. */
  avatar(player: number): CanvasImageSource | null;
}

/** A picture baked once and composed many times. Two sprites with the same key are the same picture. */
export interface Sprite {
  readonly key: string;
  /** Pixels, integers, at least 1. */
  readonly width: number;
  readonly height: number;
  /** Light that adds to what lies below (fire, flashes) instead of covering it. */
  readonly additive?: boolean;
  paint(context: SpriteContext, kit: SpriteKit): void;
}

/** A large opaque picture (the map) from which each frame takes a rectangle. RGBA, row by row. */
export interface MapImage {
  readonly key: string;
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray;
  /** `rgba` has every n-th pixel across and down only, where a painter has the picture itself; 1 without. */
  readonly rgbaStep?: number;
}

/** `#rrggbb` */
export type Colour = string;

export type DrawOperation =
  /**
   * The rectangle (sx, sy, sw, sh) of the image, in image pixels, fills the frame. First in every list. It may reach beyond the
   * image, whose edge is all of one colour: that continues.
   */
  | { op: "map"; image: MapImage; sx: number; sy: number; sw: number; sh: number }
  /** Top left corner at (x, y), rounded to whole pixels, unscaled: the fast path. */
  | { op: "sprite"; sprite: Sprite; x: number; y: number; alpha: number }
  /** Centre at (x, y), drawn width × height. */
  | { op: "scaled"; sprite: Sprite; x: number; y: number; width: number; height: number; alpha: number }
  /** Centre at (x, y); frame = [a c; b d] · sprite, as in CanvasRenderingContext2D.transform(a, b, c, d). */
  | { op: "affine"; sprite: Sprite; x: number; y: number; a: number; b: number; c: number; d: number; alpha: number }
  /** Straight line with soft edges; its opacity changes from alpha0 at the start to alpha1 at the end. */
  | {
      op: "line";
      x0: number;
      y0: number;
      x1: number;
      y1: number;
      width: number;
      colour: Colour;
      alpha0: number;
      alpha1: number;
    }
  /** Ring or arc around (x, y): `squash` flattens it vertically (1 = circle), `fraction` of the circle clockwise from the top. */
  | {
      op: "ring";
      x: number;
      y: number;
      radius: number;
      width: number;
      squash: number;
      fraction: number;
      colour: Colour;
      alpha: number;
    }
  | { op: "disc"; x: number; y: number; radius: number; squash: number; colour: Colour; alpha: number }
  /** View cone: brightest at (x, y), invisible at `radius`; angle in radians clockwise from +x in frame space before squashing. */
  | {
      op: "cone";
      x: number;
      y: number;
      radius: number;
      squash: number;
      angle: number;
      halfAngle: number;
      colour: Colour;
      alpha: number;
    }
  /** Axis-aligned filled rectangle (bars). */
  | { op: "rect"; x: number; y: number; width: number; height: number; colour: Colour; alpha: number }
  /** The picture of another list, which begins with a map, over the whole frame. Painters cache it by that list object. */
  | { op: "dissolve"; from: DisplayList; alpha: number };

export type DisplayList = DrawOperation[];

/** Measures text with the fonts with which it will be baked. `font` is a CSS font shorthand. */
export type MeasureText = (text: string, font: string) => { width: number };
