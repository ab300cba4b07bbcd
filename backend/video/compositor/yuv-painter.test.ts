import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createCanvasPainterCache, type PainterContext, paintDisplayList } from "../../../scene/canvas-painter.ts";
import type { DisplayList, DrawOperation, MapImage, Sprite, SpriteKit } from "../../../scene/display-list.ts";
import { compileCompositor } from "../../../scripts/build-compositor.mjs";
import { createCanvas } from "../canvas.ts";
import { openSpriteBakery } from "../sprite-bakery.ts";
import { busyList, drawnMap, glow, panel, sprite, token } from "../testing/painted-scene.ts";
import { distance, planesOfFrame, planesOfRgba, type YuvPlanes } from "../testing/yuv-planes.ts";
import { YuvPainter } from "./yuv-painter.ts";

const width = 640;
const height = 360;
const image = drawnMap(1500, 900);
const bakery = await openSpriteBakery([]);
const painter = new YuvPainter({ width, height, buffers: 2, bakeSprite: bakery.bakeSprite });
const pictures = createCanvasPainterCache((w, h) => createCanvas(w, h), bakery.kit as SpriteKit);

const map: DrawOperation = { op: "map", image, sx: 100, sy: 50, sw: width, sh: height };

function onCanvas(list: DisplayList): YuvPlanes {
  const context = createCanvas(width, height).getContext("2d");
  paintDisplayList(context as unknown as PainterContext, list, pictures);
  return planesOfRgba(context.getImageData(0, 0, width, height).data, width, height);
}

const inYuv = (list: DisplayList) => planesOfFrame(painter.paint(list, 0), width, height);

/** Difference between two pictures' changes from their backgrounds, as a share of the first picture's change. */
function shareOfChange(plane: "luma" | "chroma", [before, after]: YuvPlanes[], [otherBefore, otherAfter]: YuvPlanes[]) {
  const change = after![plane].map((value, index) => value - before![plane][index]!);
  const otherChange = otherAfter![plane].map((value, index) => value - otherBefore![plane][index]!);
  return distance(change, otherChange) / distance(change, new Float64Array(change.length));
}

const canvasMap = onCanvas([map]);
const yuvMap = inYuv([map]);

/** Moved to the right and down, in pixels. */
function moved(operation: DrawOperation, by: number): DrawOperation {
  if (operation.op === "dissolve") return operation;
  if (operation.op === "map") return { ...operation, sx: operation.sx + by, sy: operation.sy + by };
  if (operation.op !== "line") return { ...operation, x: operation.x + by, y: operation.y + by };
  const { x0, y0, x1, y1 } = operation;
  return { ...operation, x0: x0 + by, y0: y0 + by, x1: x1 + by, y1: y1 + by };
}

const colour = { colour: "#ff4d5e", alpha: 0.9 };
/** Each operation in all the ways that kernels distinguish, including edges of the frame. */
const operations: Record<string, DrawOperation[]> = {
  "sprites at even and odd places": [0, 1, 2, 3].map((parity) => ({
    op: "sprite",
    sprite: token,
    x: 51 + 130 * parity + (parity & 1),
    y: 80 + (parity >> 1),
    alpha: 1 - 0.2 * parity,
  })),
  "sprites over the edges of the frame": [
    { op: "sprite", sprite: token, x: -21, y: -13, alpha: 1 },
    { op: "sprite", sprite: token, x: width - 30, y: height - 21, alpha: 1 },
  ],
  "additive sprites": [
    { op: "sprite", sprite: glow, x: 100, y: 101, alpha: 0.9 },
    { op: "scaled", sprite: glow, x: 400, y: 200, width: 200, height: 100, alpha: 0.7 },
    { op: "affine", sprite: glow, x: 540, y: 80, a: 0.8, b: 0.3, c: -0.3, d: 0.6, alpha: 0.8 },
  ],
  "enlarged sprites": [
    { op: "scaled", sprite: token, x: 100.3, y: 100.7, width: 100, height: 80, alpha: 1 },
    { op: "scaled", sprite: panel, x: 320.25, y: 300.5, width: 500.5, height: 61, alpha: 0.9 },
    { op: "scaled", sprite: token, x: 0, y: 200, width: 120, height: 100, alpha: 1 },
    { op: "scaled", sprite: token, x: width - 10, y: 200, width: 120, height: 100, alpha: 0.6 },
  ],
  "shrunk sprites": [
    { op: "scaled", sprite: token, x: 300, y: 100, width: 44, height: 33, alpha: 0.8 },
    { op: "scaled", sprite: token, x: 400, y: 100, width: 26, height: 19, alpha: 1 },
  ],
  "turned sprites": [
    { op: "affine", sprite: token, x: 100.3, y: 100.7, a: 0.9, b: 0.5, c: -0.5, d: 0.9, alpha: 1 },
    { op: "affine", sprite: token, x: 300, y: 200, a: 2, b: 1, c: -0.7, d: 1.5, alpha: 0.7 },
    { op: "affine", sprite: token, x: 5, y: 300, a: 0, b: 1, c: -1, d: 0, alpha: 1 },
    { op: "affine", sprite: panel, x: 550, y: 300, a: 2, b: 1, c: -0.7, d: 1.5, alpha: 0.7 },
  ],
  lines: [
    { op: "line", x0: 50, y0: 50, x1: 400, y1: 120, width: 3, colour: "#ff3040", alpha0: 1, alpha1: 0.2 },
    { op: "line", x0: 90, y0: 340, x1: 50, y1: 150, width: 8, colour: "#30ff40", alpha0: 0.8, alpha1: 0.8 },
    { op: "line", x0: 520.5, y0: 20, x1: 520.5, y1: 340, width: 4, colour: "#ffff00", alpha0: 0, alpha1: 1 },
    { op: "line", x0: -50, y0: 300, x1: 800, y1: 330, width: 5, colour: "#00ffff", alpha0: 1, alpha1: 1 },
  ],
  "rings and arcs": [
    { op: "ring", x: 100, y: 100, radius: 40, width: 4, squash: 1, fraction: 1, ...colour },
    { op: "ring", x: 250.5, y: 100.3, radius: 40, width: 6, squash: 0.6, fraction: 1, ...colour },
    { op: "ring", x: 400, y: 100, radius: 40, width: 6, squash: 1, fraction: 0.3, ...colour },
    { op: "ring", x: 520, y: 100, radius: 40, width: 6, squash: 1, fraction: 0.8, ...colour },
    { op: "ring", x: 10, y: 300, radius: 60, width: 5, squash: 0.77, fraction: 1, ...colour },
  ],
  discs: [
    { op: "disc", x: 100, y: 100, radius: 40, squash: 1, ...colour },
    { op: "disc", x: 300, y: 100, radius: 60, squash: 0.5, colour: "#4aa8ff", alpha: 0.5 },
    { op: "disc", x: 500, y: 100, radius: 6, squash: 1, ...colour },
    { op: "disc", x: 0, y: 360, radius: 80, squash: 0.6, ...colour },
  ],
  "view cones": [
    { op: "cone", x: 100, y: 100, radius: 100, squash: 0.7, angle: 0.4, halfAngle: 0.5, colour: "#4aa8ff", alpha: 0.8 },
    { op: "cone", x: 400, y: 200, radius: 150, squash: 1, angle: -2.5, halfAngle: 0.6, colour: "#ffb13d", alpha: 1 },
    { op: "cone", x: 620, y: 340, radius: 150, squash: 0.77, angle: 1.5, halfAngle: 0.6, colour: "#ffb13d", alpha: 1 },
  ],
  rectangles: [
    { op: "rect", x: 10, y: 10, width: 100, height: 20, ...colour },
    { op: "rect", x: 150.5, y: 10.25, width: 100.25, height: 20.5, colour: "#6fe07a", alpha: 0.7 },
    { op: "rect", x: -10, y: 300, width: 1000, height: 100, colour: "#ffffff", alpha: 0.3 },
  ],
};

/** Allowed error of the compositor, as a share of the change by an operation: rounding, smooth edges, 4:2:0. */
const limits = { luma: 0.13, chroma: 0.16 };

test("dissolves from another picture as the canvas does, and paints that once", () => {
  const from: DisplayList = [{ ...map, sx: 400 }, ...operations.rectangles!];
  for (const alpha of [0, 0.3, 0.8, 1]) {
    const list: DisplayList = [map, ...operations.discs!, { op: "dissolve", from, alpha }];
    const changes = [canvasMap, onCanvas(list)];
    expect(shareOfChange("luma", changes, [yuvMap, inYuv(list)]), `${alpha}`).toBeLessThan(limits.luma);
  }
  const whole = inYuv([map, { op: "dissolve", from, alpha: 1 }]);
  expect(distance(whole.luma, inYuv(from).luma)).toBe(0);
  const none = inYuv([map, { op: "dissolve", from, alpha: 0 }]);
  expect(distance(none.luma, yuvMap.luma)).toBe(0);
});

for (const [what, drawn] of Object.entries(operations)) {
  test(`paints ${what} as the canvas does`, () => {
    for (const operation of drawn) {
      const canvas = [canvasMap, onCanvas([map, operation])];
      const yuv = [yuvMap, inYuv([map, operation])];
      const shifted = [canvasMap, onCanvas([map, moved(operation, 2)])];
      const error = shareOfChange("luma", canvas, yuv);
      expect(error).toBeLessThan(limits.luma);
      expect(shareOfChange("chroma", canvas, yuv)).toBeLessThan(limits.chroma);
      // A misplaced large shape changes little, so misplacement is tested separately.
      expect(error).toBeLessThan(shareOfChange("luma", canvas, shifted) / 1.5);
    }
  });
}

test("paints operations over each other in their order", () => {
  const list = [map, ...Object.values(operations).flat()];
  const canvas = [canvasMap, onCanvas(list)];
  expect(shareOfChange("luma", canvas, [yuvMap, inYuv(list)])).toBeLessThan(limits.luma);
  const backwards = [map, ...Object.values(operations).flat().reverse()];
  expect(shareOfChange("luma", canvas, [yuvMap, inYuv(backwards)])).toBeGreaterThan(limits.luma);
});

test.each([
  ["pixel for pixel", 100, 50, 1],
  ["between pixels", 100.5, 50.25, 1],
  ["enlarged", 130.3, 71.7, 0.6],
  ["shrunk a little", 10, 20, 1.5],
  ["shrunk to more than half", 0, 0, 2.3],
  ["at its far corner", 1500 - width * 0.5, 900 - height * 0.5, 0.5],
])("paints the map %s as the canvas does", (_, sx, sy, zoom) => {
  const operation: DrawOperation = { op: "map", image, sx, sy, sw: width * zoom, sh: height * zoom };
  const canvas = onCanvas([operation]);
  const yuv = inYuv([operation]);
  const shifted = onCanvas([moved(operation, 1.5 * zoom)]);
  expect(distance(canvas.luma, yuv.luma) / canvas.luma.length).toBeLessThan(0.45);
  expect(distance(canvas.chroma, yuv.chroma) / canvas.chroma.length).toBeLessThan(0.6);
  expect(distance(canvas.luma, yuv.luma)).toBeLessThan(distance(canvas.luma, shifted.luma) / 2);
});

/** The drawn map in a frame of one colour, like the maps of scenes. */
function framed(margin: number): MapImage {
  const { rgba, ...size } = drawnMap(600, 400);
  const edge = [7, 10, 16, 255];
  const pixels = rgba.map((value, i) => {
    const [x, y] = [Math.floor(i / 4) % size.width, Math.floor(i / 4 / size.width)];
    const isInside = Math.min(x, y, size.width - 1 - x, size.height - 1 - y) >= margin;
    return isInside ? value : (edge[i % 4] ?? 0);
  });
  return { ...size, key: "framed", rgba: pixels };
}

test.each([
  ["to the upper left", -300, -200, 0.8],
  ["to the lower right", 400, 300, 0.8],
  ["on all sides, shrunk", -500, -300, 2.4],
  ["wholly", 900, 700, 0.5],
])("paints a map beyond its edge as the canvas does: %s", (_, sx, sy, zoom) => {
  const operation: DrawOperation = { op: "map", image: framed(24), sx, sy, sw: width * zoom, sh: height * zoom };
  const canvas = onCanvas([operation]);
  const yuv = inYuv([operation]);
  expect(distance(canvas.luma, yuv.luma) / canvas.luma.length).toBeLessThan(0.6);
  expect(distance(canvas.chroma, yuv.chroma) / canvas.chroma.length).toBeLessThan(0.8);
});

test("leaves what no operation touches exactly as it was", () => {
  const before = painter.paint([map], 0).slice();
  const invisible: DrawOperation[] = [
    { op: "sprite", sprite: token, x: 10, y: 10, alpha: 0 },
    { op: "sprite", sprite: sprite("nothing", 100, 100, () => {}), x: 11, y: 11, alpha: 1 },
    {
      op: "scaled",
      sprite: sprite("nothing", 100, 100, () => {}),
      x: 300.3,
      y: 200.2,
      width: 77,
      height: 150,
      alpha: 1,
    },
    { op: "affine", sprite: token, x: -500, y: 10, a: 1, b: 0.5, c: -0.5, d: 1, alpha: 1 },
    { op: "line", x0: 5, y0: 5, x1: 5, y1: 5, width: 3, colour: "#ffffff", alpha0: 1, alpha1: 1 },
    { op: "ring", x: 200, y: 200, radius: 20, width: 3, squash: 1, fraction: 0, colour: "#ffffff", alpha: 1 },
    { op: "rect", x: 700, y: 10, width: 10, height: 10, colour: "#ffffff", alpha: 1 },
    { op: "sprite", sprite: token, x: Number.NaN, y: 10, alpha: 1 },
    { op: "scaled", sprite: token, x: 10, y: 10, width: Number.NaN, height: 10, alpha: 1 },
    { op: "affine", sprite: token, x: 10, y: Number.NaN, a: 1, b: 0, c: 0, d: 1, alpha: 1 },
    { op: "line", x0: 5, y0: Number.NaN, x1: 50, y1: 50, width: 3, colour: "#ffffff", alpha0: 1, alpha1: 1 },
    { op: "ring", x: Number.NaN, y: 20, radius: 20, width: 3, squash: 1, fraction: 1, colour: "#ffffff", alpha: 1 },
    { op: "disc", x: 20, y: 20, radius: Number.POSITIVE_INFINITY, squash: 1, colour: "#ffffff", alpha: 1 },
    { op: "rect", x: 20, y: 20, width: 5, height: Number.NaN, colour: "#ffffff", alpha: 1 },
  ];
  expect(Buffer.compare(painter.paint([map, ...invisible], 1), before)).toBe(0);
});

test("draws the visible part of what reaches far beyond the frame", () => {
  const far: DrawOperation[] = [
    { op: "line", x0: -1e7, y0: 100, x1: 1e7, y1: 100, width: 20, colour: "#ffffff", alpha0: 1, alpha1: 1 },
    { op: "rect", x: -1e9, y: 200, width: 2e9, height: 20, colour: "#ffffff", alpha: 1 },
    { op: "scaled", sprite: panel, x: 320, y: 300, width: 1e5, height: 40, alpha: 1 },
  ];
  const frame = painter.paint([map, ...far], 0);
  for (const x of [0, 333, width - 1]) {
    expect(frame[100 * width + x]).toBeGreaterThan(225);
    expect(frame[210 * width + x]).toBe(235);
  }
  expect(shareOfChange("luma", [canvasMap, onCanvas([map, far[2]!])], [yuvMap, inYuv([map, far[2]!])])).toBeLessThan(
    0.1,
  );
});

test("paints on black when a list has no map", () => {
  const frame = painter.paint([{ op: "rect", x: 0, y: 0, width: 8, height: 8, colour: "#ffffff", alpha: 1 }], 0);
  expect([frame[0], frame[9 * width], frame[width * height + 100]]).toEqual([235, 16, 128]);
});

test("goes on when more sprites have come than there is room for, and paints the same", () => {
  const names = Array.from({ length: 300 }, (_, index) =>
    sprite(`name ${index}`, 200, 40, (context) => {
      context.fillStyle = `rgb(${index % 256}, 128, 200)`;
      context.fillRect(index % 100, 5, 90, 30);
    }),
  );
  const small = new YuvPainter({ width, height, buffers: 1, bakeSprite: bakery.bakeSprite, spriteBytes: 400_000 });
  const listed = (drawn: Sprite[]): DisplayList => [
    map,
    ...drawn.map((name, index): DrawOperation => ({ op: "sprite", sprite: name, x: index * 4, y: index, alpha: 1 })),
  ];
  let drops = 0;
  let held = 0;
  for (let first = 0; first < names.length; first += 10) {
    const list = listed([...names.slice(first, first + 10), ...names.slice(0, 3)]);
    expect(Buffer.compare(small.paint(list, 0), painter.paint(list, 0))).toBe(0);
    if (small.spriteBytesUsed < held) drops++;
    held = small.spriteBytesUsed;
  }
  expect(drops).toBeGreaterThan(2);
});

test("says which sprite or map is too large instead of painting rubbish", () => {
  const small = new YuvPainter({
    width,
    height,
    buffers: 1,
    bakeSprite: bakery.bakeSprite,
    spriteBytes: 50_000,
    mapBytes: 100_000,
  });
  const banner = sprite("banner", 600, 100, () => {});
  expect(() => small.paint([{ op: "sprite", sprite: banner, x: 0, y: 0, alpha: 1 }], 0)).toThrow(
    /“banner” of 600 × 100/,
  );
  expect(() => small.paint([map], 0)).toThrow(/map image .* does not fit/);
});

test("refuses sizes and colours that it cannot paint", () => {
  expect(() => new YuvPainter({ width: 642, height, buffers: 1, bakeSprite: bakery.bakeSprite })).toThrow(RangeError);
  expect(() => painter.paint([map], 2)).toThrow(/no frame buffer 2/);
  expect(() => painter.paint([{ op: "rect", x: 0, y: 0, width: 9, height: 9, colour: "red", alpha: 1 }], 0)).toThrow(
    /not a colour/,
  );
});

test("paints the same bytes every time", () => {
  const first = painter.paint(busyList(image, width, height, 100), 0).slice();
  painter.paint(busyList(image, width, height, 200), 1);
  const other = new YuvPainter({ width, height, buffers: 1, bakeSprite: bakery.bakeSprite });
  expect(Buffer.compare(painter.paint(busyList(image, width, height, 100), 1), first)).toBe(0);
  expect(Buffer.compare(other.paint(busyList(image, width, height, 100), 0), first)).toBe(0);
});

test("has a compiled compositor that is that of its source", async () => {
  const committed = await readFile(new URL("./compositor.wasm", import.meta.url));
  expect(Buffer.compare((await compileCompositor()) as Uint8Array, committed)).toBe(0);
});
