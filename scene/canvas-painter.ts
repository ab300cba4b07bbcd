import type { DisplayList, DrawOperation, MapImage, Sprite, SpriteContext, SpriteKit } from "./display-list.ts";

/** A canvas that a painter can create; the browser's OffscreenCanvas and that of @napi-rs/canvas both satisfy it. */
export interface PainterCanvas {
  width: number;
  height: number;
  getContext(kind: "2d"): unknown;
}

/** Cache of pictures: sprites and maps by key. Sprites with the same key are the same picture. */
export interface CanvasPainterCache {
  sprite(sprite: Sprite): CanvasImageSource;
  map(image: MapImage): CanvasImageSource;
  /** A list painted in a frame of that size. The last one is cached. */
  picture(list: DisplayList, width: number, height: number): CanvasImageSource;
}

interface CacheOptions {
  /** Existing pictures of maps, by their image's key. */
  mapPictures?: ReadonlyMap<string, CanvasImageSource>;
  /** Converts a painted sprite for the cache: browsers draw bitmaps faster than canvases. */
  settle?: (canvas: PainterCanvas) => CanvasImageSource;
}

export function createCanvasPainterCache(
  createCanvas: (width: number, height: number) => PainterCanvas,
  kit: SpriteKit,
  { mapPictures, settle = (canvas) => canvas as unknown as CanvasImageSource }: CacheOptions = {},
): CanvasPainterCache {
  const pictures = new Map<string, CanvasImageSource>();
  let whole: { list: DisplayList; width: number; height: number; canvas: PainterCanvas } | null = null;
  const cache: CanvasPainterCache = {
    sprite(sprite) {
      const known = pictures.get(sprite.key);
      if (known) return known;
      const canvas = createCanvas(sprite.width, sprite.height);
      sprite.paint(canvas.getContext("2d") as SpriteContext, kit);
      const picture = settle(canvas);
      pictures.set(sprite.key, picture);
      return picture;
    },
    map(image) {
      const known = mapPictures?.get(image.key) ?? pictures.get(`map ${image.key}`);
      if (known) return known;
      const canvas = createCanvas(image.width, image.height);
      const context = canvas.getContext("2d") as CanvasRenderingContext2D;
      const pixels = context.createImageData(image.width, image.height);
      pixels.data.set(image.rgba);
      context.putImageData(pixels, 0, 0);
      const picture = canvas as unknown as CanvasImageSource;
      pictures.set(`map ${image.key}`, picture);
      return picture;
    },
    picture(list, width, height) {
      if (whole?.list !== list || whole.width !== width || whole.height !== height) {
        const canvas = createCanvas(width, height);
        paintDisplayList(canvas.getContext("2d") as PainterContext, list, cache);
        whole = { list, width, height, canvas };
      }
      return whole.canvas as unknown as CanvasImageSource;
    },
  };
  return cache;
}

/** The part of a 2D context that the painter needs. */
export type PainterContext = SpriteContext &
  Pick<CanvasRenderingContext2D, "canvas" | "transform" | "imageSmoothingEnabled" | "imageSmoothingQuality">;

/** Executes a display list on a Canvas 2D context whose canvas has the frame's size. */
export function paintDisplayList(context: PainterContext, list: DisplayList, cache: CanvasPainterCache): void {
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = "medium";
  for (const operation of list) {
    context.save();
    paintOperation(context, operation, cache);
    context.restore();
  }
  context.restore();
}

function paintOperation(context: PainterContext, operation: DrawOperation, cache: CanvasPainterCache): void {
  switch (operation.op) {
    case "map":
      paintMap(context, operation, cache);
      break;
    case "sprite":
      prepareSprite(context, operation.sprite, operation.alpha);
      context.drawImage(cache.sprite(operation.sprite), Math.round(operation.x), Math.round(operation.y));
      break;
    case "scaled": {
      const { x, y, width, height } = operation;
      prepareSprite(context, operation.sprite, operation.alpha);
      context.drawImage(cache.sprite(operation.sprite), x - width / 2, y - height / 2, width, height);
      break;
    }
    case "affine": {
      const { sprite, a, b, c, d, x, y } = operation;
      prepareSprite(context, sprite, operation.alpha);
      context.transform(a, b, c, d, x, y);
      context.drawImage(cache.sprite(sprite), -sprite.width / 2, -sprite.height / 2);
      break;
    }
    case "line": {
      const { x0, y0, x1, y1, colour, alpha0, alpha1 } = operation;
      if (alpha0 === alpha1) {
        context.globalAlpha = limited(alpha0);
        context.strokeStyle = colour;
      } else {
        const gradient = context.createLinearGradient(x0, y0, x1, y1);
        gradient.addColorStop(0, translucent(colour, alpha0));
        gradient.addColorStop(1, translucent(colour, alpha1));
        context.strokeStyle = gradient;
      }
      context.lineWidth = operation.width;
      context.beginPath();
      context.moveTo(x0, y0);
      context.lineTo(x1, y1);
      context.stroke();
      break;
    }
    case "ring": {
      const { radius, squash, fraction } = operation;
      context.globalAlpha = limited(operation.alpha);
      context.strokeStyle = operation.colour;
      context.lineWidth = operation.width;
      // Starts at the top, except for whole circles: an arc that ends where it starts may be drawn empty.
      const start = fraction >= 0.999 ? 0 : -Math.PI / 2;
      const end = fraction >= 0.999 ? 2 * Math.PI : start + 2 * Math.PI * limited(fraction);
      context.beginPath();
      context.ellipse(operation.x, operation.y, radius, radius * squash, 0, start, end);
      context.stroke();
      break;
    }
    case "disc":
      context.globalAlpha = limited(operation.alpha);
      context.fillStyle = operation.colour;
      context.beginPath();
      context.ellipse(
        operation.x,
        operation.y,
        operation.radius,
        operation.radius * operation.squash,
        0,
        0,
        2 * Math.PI,
      );
      context.fill();
      break;
    case "cone":
      paintCone(context, operation);
      break;
    case "rect":
      context.globalAlpha = limited(operation.alpha);
      context.fillStyle = operation.colour;
      context.fillRect(operation.x, operation.y, operation.width, operation.height);
      break;
    case "dissolve": {
      const { width, height } = context.canvas;
      context.globalAlpha = limited(operation.alpha);
      context.drawImage(cache.picture(operation.from, width, height), 0, 0);
      break;
    }
  }
}

/** Fills the part of the rectangle beyond the image, which browsers leave empty, with the edge's colour. */
function paintMap(
  context: PainterContext,
  { image, sx, sy, sw, sh }: Extract<DrawOperation, { op: "map" }>,
  cache: CanvasPainterCache,
): void {
  const { width, height } = context.canvas;
  const [red, green, blue] = image.rgba;
  context.fillStyle = `rgb(${red}, ${green}, ${blue})`;
  context.fillRect(0, 0, width, height);
  const left = Math.max(0, sx);
  const top = Math.max(0, sy);
  const right = Math.min(image.width, sx + sw);
  const bottom = Math.min(image.height, sy + sh);
  if (right <= left || bottom <= top) return;
  const [scaleX, scaleY] = [width / sw, height / sh];
  const picture = cache.map(image);
  // The first picture of a map that a browser loads is smaller.
  const size = (picture as { width: number }).width / image.width;
  context.drawImage(
    picture,
    left * size,
    top * size,
    (right - left) * size,
    (bottom - top) * size,
    (left - sx) * scaleX,
    (top - sy) * scaleY,
    (right - left) * scaleX,
    (bottom - top) * scaleY,
  );
}

function prepareSprite(context: PainterContext, sprite: Sprite, alpha: number): void {
  context.globalAlpha = limited(alpha);
  if (sprite.additive) context.globalCompositeOperation = "lighter";
}

/** Brightness falls with the square of the distance, as in the compositor. */
function paintCone(context: PainterContext, cone: Extract<DrawOperation, { op: "cone" }>): void {
  context.translate(cone.x, cone.y);
  context.scale(1, cone.squash);
  const gradient = context.createRadialGradient(0, 0, 0, 0, 0, cone.radius);
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    gradient.addColorStop(part, translucent(cone.colour, cone.alpha * (1 - part) ** 2));
  }
  context.fillStyle = gradient;
  context.beginPath();
  context.moveTo(0, 0);
  context.arc(0, 0, cone.radius, cone.angle - cone.halfAngle, cone.angle + cone.halfAngle);
  context.closePath();
  context.fill();
}

function limited(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function translucent(colour: string, alpha: number): string {
  const byte = Math.round(limited(alpha) * 255);
  return colour + byte.toString(16).padStart(2, "0");
}
