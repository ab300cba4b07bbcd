import type { DisplayList, DrawOperation, MapImage, Sprite } from "../../../scene/display-list.ts";
import { type CompositorKernels, startCompositor } from "./compositor-module.ts";

/** Pixels of a sprite: premultiplied RGBA, row by row. The next call may reuse the memory. */
export type BakeSprite = (sprite: Sprite) => Uint8Array | Uint8ClampedArray;

export interface YuvPainterOptions {
  /** Frame size in pixels; the width is a multiple of 8, the height of 2. */
  width: number;
  height: number;
  /** Number of frames that can wait for the encoder at once. */
  buffers: number;
  bakeSprite: BakeSprite;
  /** Room for baked sprites; when it is full all are dropped, and baked again when needed. */
  spriteBytes?: number;
  /** Room for map images and their mip levels. */
  mapBytes?: number;
}

/** A colour plane of a sprite with its alpha plane; signed colour, see assembly/index.ts. */
interface SpritePlane {
  colour: number;
  alpha: number;
  stride: number;
  width: number;
  height: number;
}

/** A sprite at full size, or halved once or more. */
interface SpriteLevel {
  /** Size in (possibly half) pixels before rounding up. */
  width: number;
  height: number;
  luma: SpritePlane;
  u: SpritePlane;
  v: SpritePlane;
}

interface BakedSprite {
  /** Full size first; smaller ones are added when the sprite is drawn small. */
  levels: SpriteLevel[];
  /** Chroma planes by parity of the top left corner: x odd + 2 × y odd. The first one is that of levels[0]. */
  chroma: { u: SpritePlane; v: SpritePlane }[];
  width: number;
  height: number;
  /** Right shift after multiplying by opacity: additive sprites hold half their light. */
  shift: 7 | 8;
  /** Known once the sprite was drawn turned: it is transparent outside this box. */
  content?: ContentBox;
}

/** In sprite pixels; right and bottom are exclusive. */
interface ContentBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface MapPlane {
  address: number;
  stride: number;
  width: number;
  height: number;
}

interface LoadedMap {
  levels: { luma: MapPlane; u: MapPlane; v: MapPlane }[];
}

/** A plane within the frame. */
interface FramePlane {
  offset: number;
  width: number;
  height: number;
  /** Width of this plane's pixels in frame pixels: 1 for luma, 2 for chroma. */
  pixel: 1 | 2;
}

type Channel = 0 | 1 | 2;

/** Planes that are painted together: luma, and both chroma planes, which differ only in colour. */
const passes = [
  { channel: 0, other: null },
  { channel: 1, other: 2 },
] as const;

const MiB = 1024 ** 2;
/** Kernels may read or rewrite this far behind a plane. */
const slack = 64;
const widestSprite = 16384;
const widestMap = 32768;
/** Above this many source pixels per target pixel the next mip level is used; the resampler's own limit is 2. */
const maxStep = 1.6;
/** Affine sprites drawn smaller than this use the next level. */
const minAffineScale = 0.6;

/** Hands out consecutive addresses until it is full; memory can only be released as a whole. */
class Region {
  #next: number;
  readonly start: number;
  readonly end: number;

  constructor(start: number, bytes: number) {
    this.start = Math.ceil(start / 64) * 64;
    this.end = start + bytes;
    this.#next = this.start;
  }

  /** Address of `bytes` unused bytes, or null when they do not fit. */
  take(bytes: number): number | null {
    const address = this.#next;
    const next = Math.ceil((address + bytes + slack) / 64) * 64;
    if (next > this.end) return null;
    this.#next = next;
    return address;
  }

  clear(): void {
    this.#next = this.start;
  }

  get usedBytes(): number {
    return this.#next - this.start;
  }
}

class RegionFull extends Error {}

/**
 * Paints display lists as YUV 4:2:0 frames (BT.709, limited range, planar: Y, U, V), the input of H.264. The Canvas 2D painter of `scene/`
 * is its counterpart in the browser; both draw the same picture except for rounding.
 */
export class YuvPainter {
  readonly width: number;
  readonly height: number;
  readonly frameBytes: number;
  readonly #kernels: CompositorKernels;
  readonly #memory: WebAssembly.Memory;
  readonly #buffer: ArrayBuffer;
  readonly #bytes: Uint8Array;
  readonly #frames: { address: number; view: Uint8Array }[] = [];
  readonly #planes: readonly [FramePlane, FramePlane, FramePlane];
  readonly #columns: number;
  readonly #scratch: number;
  readonly #staging: Region;
  readonly #mapRegion: Region;
  readonly #spriteRegion: Region;
  readonly #bakeSprite: BakeSprite;
  readonly #sprites = new Map<string, BakedSprite>();
  readonly #maps = new Map<string, LoadedMap>();
  readonly #colours = new Map<string, readonly [number, number, number]>();
  /** Address of the frame being painted. */
  #frame = 0;
  /** Address of the picture from which frames dissolve. */
  readonly #leftPicture: number;
  /** The display list of that picture. */
  #leftList: DisplayList | null = null;

  constructor(options: YuvPainterOptions) {
    const { width, height, buffers } = options;
    if (width % 8 !== 0 || height % 2 !== 0 || width < 16 || height < 16) {
      throw new RangeError(`A frame of ${width} × ${height} cannot be painted: the width must be a multiple of 8.`);
    }
    this.width = width;
    this.height = height;
    this.frameBytes = (width * height * 3) / 2;
    const scale = Math.max(1, (width * height) / (1280 * 720));
    const spriteBytes = options.spriteBytes ?? 128 * MiB * scale;
    const mapBytes = options.mapBytes ?? 160 * MiB;
    const stagingBytes = Math.max(4 * MiB, width * height * 8);
    const scratchBytes = Math.max(widestMap, 2 * (widestSprite + slack)) + slack;
    const columnBytes = width * 8 + slack;
    const frameRoom = (buffers + 1) * (this.frameBytes + 2 * slack);
    const started = startCompositor(
      slack * 16 + frameRoom + columnBytes + scratchBytes + stagingBytes + mapBytes + spriteBytes + MiB,
    );
    this.#kernels = started.kernels;
    this.#memory = started.memory;
    this.#buffer = started.memory.buffer;
    this.#bytes = new Uint8Array(this.#buffer);
    const fixed = new Region(this.#kernels.firstFreeAddress(), frameRoom + columnBytes + scratchBytes + slack * 8);
    const reserve = (bytes: number) => {
      const address = fixed.take(bytes);
      if (address === null) throw new Error("The compositor's memory plan does not add up.");
      return address;
    };
    for (let index = 0; index < buffers; index++) {
      const address = reserve(this.frameBytes);
      this.#frames.push({ address, view: new Uint8Array(this.#buffer, address, this.frameBytes) });
    }
    this.#leftPicture = reserve(this.frameBytes);
    this.#columns = reserve(columnBytes);
    this.#scratch = reserve(scratchBytes);
    this.#staging = new Region(fixed.end, stagingBytes);
    this.#mapRegion = new Region(this.#staging.end, mapBytes);
    this.#spriteRegion = new Region(this.#mapRegion.end, spriteBytes);
    this.#bakeSprite = options.bakeSprite;
    const chroma = { width: width / 2, height: height / 2, pixel: 2 } as const;
    const chromaBytes = (width / 2) * (height / 2);
    this.#planes = [
      { offset: 0, width, height, pixel: 1 },
      { offset: width * height, ...chroma },
      { offset: width * height + chromaBytes, ...chroma },
    ];
  }

  /** Bytes of baked sprites currently held; falls to 0 whenever the room was full. */
  get spriteBytesUsed(): number {
    return this.#spriteRegion.usedBytes;
  }

  /**
   * Paints one frame into the given buffer (0 … buffers - 1) and returns its bytes. They stay valid until the same buffer is painted again:
   * do that only once the encoder has taken them.
   */
  paint(list: DisplayList, buffer: number): Uint8Array {
    const frame = this.#frames[buffer];
    if (!frame) throw new RangeError(`There is no frame buffer ${buffer}.`);
    if (this.#memory.buffer !== this.#buffer) {
      throw new Error("The compositor's memory was replaced: frames waiting for the encoder would be lost.");
    }
    this.#frame = frame.address;
    this.#drawAll(list);
    return frame.view;
  }

  #drawAll(list: DisplayList): void {
    if (list[0]?.op !== "map") this.#clear();
    for (const operation of list) this.#draw(operation);
  }

  #draw(operation: DrawOperation): void {
    switch (operation.op) {
      case "map":
        this.#drawMap(operation);
        break;
      case "sprite":
        this.#drawSprite(operation.sprite, Math.round(operation.x), Math.round(operation.y), operation.alpha);
        break;
      case "scaled":
        this.#drawScaled(operation);
        break;
      case "affine":
        this.#drawAffine(operation);
        break;
      case "line":
        this.#drawLine(operation);
        break;
      case "ring":
        this.#drawRing(operation, operation.radius, operation.width / 2, operation.fraction, false);
        break;
      case "disc":
        this.#drawRing(operation, operation.radius / 2, operation.radius / 2, 1, true);
        break;
      case "cone":
        this.#drawCone(operation);
        break;
      case "rect":
        this.#drawRectangle(operation);
        break;
      case "dissolve":
        this.#dissolve(operation);
        break;
    }
  }

  #dissolve({ from, alpha }: DrawOperation & { op: "dissolve" }): void {
    const opacity = opacityOf(alpha);
    if (opacity === 0) return;
    if (this.#leftList !== from) {
      // Happens once per cut: the other picture is painted in this frame's memory.
      const pixels = this.#bytes.subarray(this.#frame, this.#frame + this.frameBytes);
      const own = pixels.slice();
      this.#drawAll(from);
      this.#bytes.set(pixels, this.#leftPicture);
      this.#leftList = from;
      pixels.set(own);
    }
    this.#kernels.dissolve(this.#frame, this.#leftPicture, this.frameBytes, opacity);
  }

  #clear(): void {
    const luma = this.width * this.height;
    this.#bytes.fill(16, this.#frame, this.#frame + luma);
    this.#bytes.fill(128, this.#frame + luma, this.#frame + this.frameBytes);
  }

  #drawMap({ image, sx, sy, sw, sh }: DrawOperation & { op: "map" }): void {
    const { levels } = this.#map(image);
    let stepX = sw / this.width;
    let stepY = sh / this.height;
    let shrunk = 0;
    while (Math.max(stepX, stepY) > maxStep && shrunk < levels.length - 1) {
      stepX /= 2;
      stepY /= 2;
      shrunk++;
    }
    const level = levels[shrunk]!;
    const planes = [level.luma, level.u, level.v] as const;
    let exact = 0;
    let wide = 0;
    for (const channel of [0, 1, 2] as const) {
      const target = this.#planes[channel];
      const source = planes[channel];
      const divisor = target.pixel * 2 ** shrunk;
      if (channel < 2) {
        exact = this.#kernels.buildColumns(
          this.#columns,
          target.width,
          sx / divisor,
          Math.min(stepX, 2),
          source.width,
          0,
          target.width,
        );
        wide = exact
          ? 0
          : this.#kernels.buildWideColumns(this.#columns, target.width, sx / divisor, stepX, source.width);
      }
      this.#kernels.blitOpaque(
        this.#frame + target.offset,
        target.width,
        target.width,
        target.height,
        source.address,
        source.stride,
        source.height,
        sy / divisor,
        stepY,
        this.#columns,
        exact,
        wide,
        this.#scratch,
      );
    }
  }

  /** Address of a plane of the frame; 0 for none. */
  #planeAddress(channel: Channel | null): number {
    return channel === null ? 0 : this.#frame + this.#planes[channel].offset;
  }

  /** Whether any part of a box is in the frame. False for an empty box, and for NaN or infinite positions. */
  #shows(left: number, top: number, right: number, bottom: number): boolean {
    const { width, height } = this;
    const known = Number.isFinite(left + top + right + bottom);
    return known && left < right && top < bottom && left < width && top < height && right > 0 && bottom > 0;
  }

  /** Unscaled, with the top left corner at whole pixels. */
  #drawSprite(sprite: Sprite, x: number, y: number, alpha: number): void {
    const opacity = opacityOf(alpha);
    if (opacity === 0 || !this.#shows(x, y, x + sprite.width, y + sprite.height)) return;
    const baked = this.#baked(sprite);
    const level = baked.levels[0]!;
    const chroma = baked.chroma[(x & 1) + 2 * (y & 1)]!;
    const blend = (channel: Channel, plane: SpritePlane, left: number, top: number) => {
      const target = this.#planes[channel];
      const fromX = Math.max(0, left);
      const fromY = Math.max(0, top);
      const endX = Math.min(target.width, left + plane.width);
      const endY = Math.min(target.height, top + plane.height);
      if (endX <= fromX || endY <= fromY) return;
      const source = (fromY - top) * plane.stride + (fromX - left);
      this.#kernels.blendSprite(
        this.#frame + target.offset + fromY * target.width + fromX,
        target.width,
        plane.colour + source,
        plane.alpha + source,
        plane.stride,
        endX - fromX,
        endY - fromY,
        opacity,
        baked.shift,
        endX === left + plane.width ? 1 : 0,
      );
    };
    blend(0, level.luma, x, y);
    blend(1, chroma.u, x >> 1, y >> 1);
    blend(2, chroma.v, x >> 1, y >> 1);
  }

  #drawScaled({ sprite, x, y, width, height, alpha }: DrawOperation & { op: "scaled" }): void {
    const opacity = opacityOf(alpha);
    const left = x - width / 2;
    const top = y - height / 2;
    if (opacity === 0 || !this.#shows(left, top, left + width, top + height)) return;
    if (width === sprite.width && height === sprite.height && Number.isInteger(left) && Number.isInteger(top)) {
      this.#drawSprite(sprite, left, top, alpha);
      return;
    }
    const shrunk = Math.max(0, Math.ceil(Math.log2(Math.max(sprite.width / width, sprite.height / height) / maxStep)));
    const baked = this.#baked(sprite, shrunk);
    const level = baked.levels[Math.min(shrunk, baked.levels.length - 1)]!;
    const stepX = Math.min(2, level.width / width);
    const stepY = level.height / height;
    for (const channel of [0, 1, 2] as const) {
      const target = this.#planes[channel];
      const plane = channel === 0 ? level.luma : channel === 1 ? level.u : level.v;
      const planeLeft = left / target.pixel;
      const planeTop = top / target.pixel;
      const planeRight = planeLeft + width / target.pixel;
      const planeBottom = planeTop + height / target.pixel;
      const fromX = Math.max(0, Math.floor(planeLeft));
      const fromY = Math.max(0, Math.floor(planeTop));
      const endX = Math.min(target.width, Math.ceil(planeRight));
      const endY = Math.min(target.height, Math.ceil(planeBottom));
      if (endX <= fromX || endY <= fromY) continue;
      if (channel < 2) {
        this.#kernels.buildColumns(
          this.#columns,
          endX - fromX,
          (fromX - planeLeft) * stepX,
          stepX,
          plane.width,
          planeLeft - fromX,
          planeRight - fromX,
        );
      }
      this.#kernels.blendScaled(
        this.#frame + target.offset + fromY * target.width + fromX,
        target.width,
        endX - fromX,
        endY - fromY,
        plane.colour,
        plane.alpha,
        plane.stride,
        plane.height,
        (fromY - planeTop) * stepY,
        stepY,
        planeTop - fromY,
        planeBottom - fromY,
        this.#columns,
        this.#scratch,
        opacity,
        baked.shift,
      );
    }
  }

  #drawAffine({ sprite, x, y, a, b, c, d, alpha }: DrawOperation & { op: "affine" }): void {
    const opacity = opacityOf(alpha);
    const determinant = a * d - b * c;
    if (opacity === 0 || !(Math.abs(determinant) > 1e-6)) return;
    const reachX = (Math.abs(a) * (sprite.width + 2) + Math.abs(c) * (sprite.height + 2)) / 2;
    const reachY = (Math.abs(b) * (sprite.width + 2) + Math.abs(d) * (sprite.height + 2)) / 2;
    if (!this.#shows(x - reachX, y - reachY, x + reachX, y + reachY)) return;
    const scale = Math.sqrt(Math.abs(determinant));
    const shrunk = Math.max(0, Math.ceil(Math.log2(minAffineScale / scale)));
    const baked = this.#baked(sprite, shrunk);
    const depth = Math.min(shrunk, baked.levels.length - 1);
    const level = baked.levels[depth]!;
    const divisor = 2 ** depth;
    baked.content ??= this.#contentOf(baked);
    const { content } = baked;
    const ux = d / determinant / divisor;
    const uy = -c / determinant / divisor;
    const vx = -b / determinant / divisor;
    const vy = a / determinant / divisor;
    for (const { channel, other } of passes) {
      const target = this.#planes[channel];
      const plane = channel === 0 ? level.luma : level.u;
      const centreX = x / target.pixel;
      const centreY = y / target.pixel;
      const left = Math.max(0, Math.floor((x - reachX) / target.pixel));
      const top = Math.max(0, Math.floor((y - reachY) / target.pixel));
      const right = Math.min(target.width, Math.ceil((x + reachX) / target.pixel));
      const bottom = Math.min(target.height, Math.ceil((y + reachY) / target.pixel));
      if (right <= left || bottom <= top) continue;
      this.#kernels.blendAffine(
        this.#frame + target.offset,
        target.width,
        left,
        top,
        right,
        bottom,
        plane.colour,
        plane.alpha,
        plane.stride,
        plane.width,
        plane.height,
        ux,
        uy,
        level.width / target.pixel / 2 - ux * centreX - uy * centreY,
        vx,
        vy,
        level.height / target.pixel / 2 - vx * centreX - vy * centreY,
        opacity,
        baked.shift,
        Math.floor(content.left / (divisor * target.pixel)),
        Math.floor(content.top / (divisor * target.pixel)),
        Math.ceil(content.right / (divisor * target.pixel)) + 1,
        Math.ceil(content.bottom / (divisor * target.pixel)) + 1,
        this.#planeAddress(other),
        other === null ? 0 : level.v.colour,
      );
    }
  }

  #drawLine({ x0, y0, x1, y1, width, colour, alpha0, alpha1 }: DrawOperation & { op: "line" }): void {
    const [left, right, top, bottom] = [Math.min(x0, x1), Math.max(x0, x1), Math.min(y0, y1), Math.max(y0, y1)];
    if (!this.#shows(left - width, top - width, right + width, bottom + width)) return;
    const yuv = this.#yuv(colour);
    for (const { channel, other } of passes) {
      const target = this.#planes[channel];
      const scale = 1 / target.pixel;
      this.#kernels.blendLine(
        this.#frame + target.offset,
        target.width,
        target.width,
        target.height,
        x0 * scale,
        y0 * scale,
        x1 * scale,
        y1 * scale,
        (width / 2) * scale,
        yuv[channel],
        alpha0 * 256,
        alpha1 * 256,
        this.#planeAddress(other),
        other === null ? 0 : yuv[other],
      );
    }
  }

  #drawRing(
    { x, y, squash, colour, alpha }: { x: number; y: number; squash: number; colour: string; alpha: number },
    radius: number,
    halfWidth: number,
    fraction: number,
    flat: boolean,
  ): void {
    if (alpha <= 0 || fraction <= 0 || !(radius > 0 && squash > 0)) return;
    const reach = radius + halfWidth + 1;
    if (!this.#shows(x - reach, y - reach, x + reach, y + reach)) return;
    const yuv = this.#yuv(colour);
    for (const { channel, other } of passes) {
      const target = this.#planes[channel];
      const scale = 1 / target.pixel;
      this.#kernels.blendRing(
        this.#frame + target.offset,
        target.width,
        target.width,
        target.height,
        x * scale,
        y * scale,
        radius * scale,
        halfWidth * scale,
        squash,
        Math.min(1, fraction),
        yuv[channel],
        alpha * 256,
        flat ? 1 : 0,
        this.#planeAddress(other),
        other === null ? 0 : yuv[other],
      );
    }
  }

  #drawCone({ x, y, radius, squash, angle, halfAngle, colour, alpha }: DrawOperation & { op: "cone" }): void {
    if (alpha <= 0 || !(radius > 0 && squash > 0)) return;
    const yuv = this.#yuv(colour);
    const box = coneBounds(angle, halfAngle, radius, squash);
    if (!this.#shows(x + box.left, y + box.top, x + box.right, y + box.bottom)) return;
    for (const { channel, other } of passes) {
      const target = this.#planes[channel];
      const scale = 1 / target.pixel;
      const left = Math.max(0, Math.floor((x + box.left) * scale - 1)) & ~3;
      const top = Math.max(0, Math.floor((y + box.top) * scale - 1));
      const right = Math.min(target.width, (Math.ceil((x + box.right) * scale + 1) + 3) & ~3);
      const bottom = Math.min(target.height, Math.ceil((y + box.bottom) * scale + 1));
      if (right <= left || bottom <= top) continue;
      this.#kernels.blendCone(
        this.#frame + target.offset,
        target.width,
        left,
        top,
        right,
        bottom,
        x * scale,
        y * scale,
        radius * scale,
        squash,
        Math.cos(angle),
        Math.sin(angle),
        Math.cos(halfAngle),
        Math.sin(halfAngle),
        yuv[channel],
        alpha * 256,
        this.#planeAddress(other),
        other === null ? 0 : yuv[other],
      );
    }
  }

  #drawRectangle({ x, y, width, height, colour, alpha }: DrawOperation & { op: "rect" }): void {
    if (alpha <= 0 || !this.#shows(x, y, x + width, y + height)) return;
    const yuv = this.#yuv(colour);
    for (const channel of [0, 1, 2] as const) {
      const target = this.#planes[channel];
      this.#kernels.blendRectangle(
        this.#frame + target.offset,
        target.width,
        target.width,
        target.height,
        x / target.pixel,
        y / target.pixel,
        (x + width) / target.pixel,
        (y + height) / target.pixel,
        yuv[channel],
        Math.min(1, alpha) * 256,
      );
    }
  }

  /** `#rrggbb` as Y, U, V. */
  #yuv(colour: string): readonly [number, number, number] {
    let yuv = this.#colours.get(colour);
    if (!yuv) {
      if (!/^#[0-9a-f]{6}$/i.test(colour)) throw new Error(`“${colour}” is not a colour of the form #rrggbb.`);
      const red = Number.parseInt(colour.slice(1, 3), 16);
      const green = Number.parseInt(colour.slice(3, 5), 16);
      const blue = Number.parseInt(colour.slice(5, 7), 16);
      // BT.709: luma 16..235, chroma 16..240.
      yuv = [
        Math.round(16 + 0.18259 * red + 0.61423 * green + 0.06201 * blue),
        Math.round(128 - 0.10064 * red - 0.33857 * green + 0.43922 * blue),
        Math.round(128 + 0.43922 * red - 0.39894 * green - 0.04027 * blue),
      ];
      this.#colours.set(colour, yuv);
    }
    return yuv;
  }

  #map(image: MapImage): LoadedMap {
    let map = this.#maps.get(image.key);
    if (!map) {
      map = this.#withRoom(
        this.#mapRegion,
        () => this.#maps.clear(),
        () => this.#loadMap(image),
        `The map image “${image.key}” of ${image.width} × ${image.height}`,
      );
      this.#maps.set(image.key, map);
    }
    return map;
  }

  #loadMap(image: MapImage): LoadedMap {
    let width = image.width & ~1;
    let height = image.height & ~1;
    if (width > widestMap - 64 || width < 2 || height < 2) {
      throw new RangeError(`A map image of ${image.width} × ${image.height} cannot be drawn.`);
    }
    const plane = (planeWidth: number, planeHeight: number): MapPlane => {
      const stride = (planeWidth + 32) & ~15;
      const address = this.#mapRegion.take(stride * (planeHeight + 1));
      if (address === null) throw new RegionFull();
      return { address, stride, width: planeWidth, height: planeHeight };
    };
    const planesOf = () => ({
      luma: plane(width, height),
      u: plane(width / 2, height / 2),
      v: plane(width / 2, height / 2),
    });
    const levels = [planesOf()];
    const { luma, u, v } = levels[0]!;
    const rowBytes = image.width * 4;
    const rowsAtOnce = Math.min(height, Math.floor((this.#staging.end - this.#staging.start) / rowBytes) & ~1);
    for (let row = 0; row < height; row += rowsAtOnce) {
      const rows = Math.min(rowsAtOnce, height - row);
      this.#bytes.set(image.rgba.subarray(row * rowBytes, (row + rows) * rowBytes), this.#staging.start);
      this.#kernels.convertOpaque(
        this.#staging.start,
        rowBytes,
        width,
        rows,
        luma.address + row * luma.stride,
        luma.stride,
        u.address + (row / 2) * u.stride,
        v.address + (row / 2) * v.stride,
        u.stride,
      );
    }
    while (Math.min(width, height) >= 256) {
      width = (width >> 1) & ~1;
      height = (height >> 1) & ~1;
      const larger = levels.at(-1)!;
      const smaller = planesOf();
      for (const channel of ["luma", "u", "v"] as const) {
        const source = larger[channel];
        const target = smaller[channel];
        this.#kernels.halveOpaque(
          source.address,
          source.stride,
          target.address,
          target.stride,
          target.width,
          target.height,
        );
      }
      levels.push(smaller);
    }
    return { levels };
  }

  /** The sprite's planes, halved at least `shrunk` times if it is large enough for that. */
  #baked(sprite: Sprite, shrunk = 0): BakedSprite {
    const known = this.#sprites.get(sprite.key);
    if (known && (known.levels.length > shrunk || smallest(known))) return known;
    const baked = this.#withRoom(
      this.#spriteRegion,
      () => this.#sprites.clear(),
      () => {
        const fresh = this.#sprites.get(sprite.key) ?? this.#bake(sprite);
        while (fresh.levels.length <= shrunk && !smallest(fresh)) fresh.levels.push(this.#halve(fresh.levels.at(-1)!));
        return fresh;
      },
      `The sprite “${sprite.key}” of ${sprite.width} × ${sprite.height}`,
    );
    this.#sprites.set(sprite.key, baked);
    return baked;
  }

  /** Allocates something in a region; when that is full, drops everything in it and tries once more. */
  #withRoom<Made>(region: Region, forget: () => void, make: () => Made, what: string): Made {
    try {
      return make();
    } catch (error) {
      if (!(error instanceof RegionFull)) throw error;
    }
    forget();
    region.clear();
    try {
      return make();
    } catch (error) {
      if (error instanceof RegionFull) throw new Error(`${what} does not fit into the compositor's memory.`);
      throw error;
    }
  }

  /** A transparent plane with its border. `alpha` is the address of another plane's alpha to share. */
  #spritePlane(width: number, height: number, alpha?: number): SpritePlane {
    const stride = (width + 31) & ~15;
    const bytes = stride * (height + 2) + 32;
    const takePlane = () => {
      const address = this.#spriteRegion.take(bytes);
      if (address === null) throw new RegionFull();
      this.#bytes.fill(0, address, address + bytes);
      return address + stride;
    };
    return { colour: takePlane(), alpha: alpha ?? takePlane(), stride, width, height };
  }

  #bake(sprite: Sprite): BakedSprite {
    const { width, height } = sprite;
    if (
      !(Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0 && width < widestSprite - 64)
    ) {
      throw new RangeError(`The sprite “${sprite.key}” has an impossible size: ${width} × ${height}.`);
    }
    const rgba = this.#bakeSprite(sprite);
    if (rgba.length !== width * height * 4) {
      throw new Error(`The sprite “${sprite.key}” was baked at another size than ${width} × ${height}.`);
    }
    this.#staging.clear();
    const staged = this.#staging.take(rgba.length);
    if (staged === null) throw new Error(`The sprite “${sprite.key}” of ${width} × ${height} is too large.`);
    this.#bytes.set(rgba, staged);
    const additive = sprite.additive ? 1 : 0;
    const luma = this.#spritePlane(width, height);
    this.#kernels.bakeLuma(staged, width, height, luma.colour, luma.alpha, luma.stride, additive);
    const chroma = [0, 1, 2, 3].map((parity) => {
      const offsetX = parity & 1;
      const offsetY = parity >> 1;
      const u = this.#spritePlane((width + offsetX + 1) >> 1, (height + offsetY + 1) >> 1);
      const v = this.#spritePlane(u.width, u.height, u.alpha);
      this.#kernels.bakeChroma(
        staged,
        width,
        height,
        u.colour,
        v.colour,
        u.alpha,
        u.stride,
        u.width,
        u.height,
        offsetX,
        offsetY,
        additive,
      );
      return { u, v };
    });
    const level = { width, height, luma, ...chroma[0]! };
    return { levels: [level], chroma, width, height, shift: additive ? 7 : 8 };
  }

  /** The box that is not transparent: the arrow of a player's heading covers a sixteenth of its sprite, which turns around the player. */
  #contentOf({ width, height, shift, levels }: BakedSprite): ContentBox {
    // An additive sprite has no alpha that could tell.
    if (shift === 7) return { left: 0, top: 0, right: width, bottom: height };
    const { alpha, stride } = levels[0]!.luma;
    const content = { left: width, top: height, right: 0, bottom: 0 };
    for (let y = 0; y < height; y++) {
      const row = this.#bytes.subarray(alpha + y * stride, alpha + y * stride + width);
      const first = row.findIndex((opacity) => opacity > 0);
      if (first < 0) continue;
      const behind = row.findLastIndex((opacity) => opacity > 0) + 1;
      content.left = Math.min(content.left, first);
      content.right = Math.max(content.right, behind);
      content.top = Math.min(content.top, y);
      content.bottom = y + 1;
    }
    return content;
  }

  #halve(level: SpriteLevel): SpriteLevel {
    const half = (plane: SpritePlane, alpha?: number) => {
      const smaller = this.#spritePlane((plane.width + 1) >> 1, (plane.height + 1) >> 1, alpha);
      this.#kernels.halveSprite(
        plane.colour,
        plane.alpha,
        plane.stride,
        smaller.colour,
        smaller.alpha,
        smaller.stride,
        smaller.width,
        smaller.height,
      );
      return smaller;
    };
    const u = half(level.u);
    return { width: level.width / 2, height: level.height / 2, luma: half(level.luma), u, v: half(level.v, u.alpha) };
  }
}

/** Converts an alpha of 0..1 to 0..256. */
function opacityOf(alpha: number): number {
  return Math.round(Math.min(1, Math.max(0, alpha)) * 256);
}

/** Whether a sprite is too small to be halved again. */
function smallest(baked: BakedSprite): boolean {
  const { width, height } = baked.levels.at(-1)!.luma;
  return Math.min(width, height) <= 2;
}

/** Box around a squashed wedge, relative to its tip. */
function coneBounds(angle: number, halfAngle: number, radius: number, squash: number) {
  const directions = [angle - halfAngle, angle + halfAngle];
  const quarter = Math.PI / 2;
  for (let turn = Math.ceil((angle - halfAngle) / quarter); turn * quarter <= angle + halfAngle; turn++) {
    directions.push(turn * quarter);
  }
  const xs = [0, ...directions.map((direction) => Math.cos(direction) * radius)];
  const ys = [0, ...directions.map((direction) => Math.sin(direction) * radius * squash)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}
