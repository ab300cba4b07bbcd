import { expect, test } from "vitest";
import { itemAt } from "../../replay/checked-reads.ts";
import { viewDistance } from "../sight.ts";
import { joined, walkedArea } from "../testing/synthetic-track.ts";
import { buildRelief, type Relief } from "./build-relief.ts";
import { drawnGround } from "./drawn-ground.ts";
import { floorHeight } from "./floors.ts";
import { mapX, mapY } from "./projection.ts";

const options = { map: "de_test", finestScale: 0.4, maxPixels: 1_000_000 };

function at({ floors }: Relief, x: number, y: number, floor = 0): { height: number; edge: number } {
  const { grid } = floors[floor]!;
  const cell = Math.floor((grid.north - y) / grid.cell) * grid.columns + Math.floor((x - grid.west) / grid.cell);
  return { height: grid.height[cell]!, edge: grid.edgeDistance[cell]! };
}

test("a box is flat on top, flat around, and has a sharp edge", () => {
  const onBox = (x: number, y: number) => Math.abs(x) < 120 && Math.abs(y) < 120;
  const relief = buildRelief(
    walkedArea(-600, -600, 600, 600, (x, y) => (onBox(x, y) ? 96 : 0)),
    options,
  );
  expect(relief.floors).toHaveLength(1);
  for (const [x, y] of [
    [0, 0],
    [80, -80],
    [-70, 60],
  ] as const)
    expect(at(relief, x, y).height).toBeCloseTo(96, 0);
  for (const [x, y] of [
    [400, 0],
    [180, 0],
    [0, -190],
    [-300, 300],
  ] as const) {
    expect(at(relief, x, y).height).toBeCloseTo(0, 0);
  }
  let width = 0;
  for (let x = 60; x < 200; x += 4) {
    const { height } = at(relief, x, 0);
    if (height > 8 && height < 88) width += 4;
  }
  expect(width).toBeLessThanOrEqual(24);
});

test("stairs become a ramp", () => {
  const relief = buildRelief(
    walkedArea(-600, -400, 600, 400, (x) => Math.max(0, Math.min(160, Math.floor(x / 16) * 8))),
    options,
  );
  let steepest = 0;
  for (let x = -500; x < 500; x += 8) {
    steepest = Math.max(steepest, Math.abs(at(relief, x + 8, 0).height - at(relief, x, 0).height));
  }
  expect(steepest).toBeLessThan(9);
  expect(at(relief, 500, 0).height).toBeCloseTo(160, 0);
});

test("walls are outside, walked ground inside, small gaps in it are closed", () => {
  const relief = buildRelief(
    walkedArea(-800, -500, 800, 500, (x, y) => {
      const isWall = Math.abs(x) < 80 && y < 300;
      const isGap = Math.hypot(x - 400, y) < 30;
      return isWall || isGap ? null : 0;
    }),
    options,
  );
  expect(at(relief, 0, 0).edge).toBeLessThan(-20);
  expect(at(relief, -400, 0).edge).toBeGreaterThan(100);
  expect(at(relief, 400, 0).edge).toBeGreaterThan(20);
  expect(at(relief, 0, 420).edge).toBeGreaterThan(0);
});

test("a map walked on at two heights gets two floors, each with its own picture of one size", () => {
  const footprints = joined(
    walkedArea(-800, -800, 800, 800),
    walkedArea(-400, -400, 400, 400, () => -300),
  );
  const relief = buildRelief(footprints, options);
  expect(relief.floors).toHaveLength(2);
  expect(relief.floorHeight).toBeGreaterThan(-300);
  expect(relief.floorHeight).toBeLessThan(0);
  expect(at(relief, 0, 0, 0).height).toBeCloseTo(0, 0);
  expect(at(relief, 0, 0, 1).height).toBeCloseTo(-300, 0);
  expect(at(relief, 700, 700, 1).edge).toBeLessThan(0);
  const [upper, lower] = relief.floors.map((floor) => floor.image);
  expect(upper!.key).not.toBe(lower!.key);
  expect([upper!.width, upper!.height]).toEqual([lower!.width, lower!.height]);
});

test("a box and a balcony over little ground are no second floor", () => {
  const footprints = joined(
    walkedArea(-800, -800, 800, 800),
    walkedArea(0, 0, 150, 150, () => 130),
  );
  expect(floorHeight(footprints, "de_test")).toBeNull();
});

test("the picture is opaque and brighter on the ground than beside it", () => {
  const relief = buildRelief(walkedArea(-600, -600, 600, 600), options);
  const { image } = relief.floors[0]!;
  expect(image.rgba).toHaveLength(image.width * image.height * 4);
  expect(image.width * image.height).toBeLessThanOrEqual(options.maxPixels);
  for (let i = 3; i < image.rgba.length; i += 4) if (image.rgba[i] !== 255) throw new Error("A pixel is translucent.");
  const brightness = (x: number, y: number) => {
    const pixel =
      (Math.round(mapY(relief.projection, y, 0)) * image.width + Math.round(mapX(relief.projection, x))) * 4;
    return image.rgba[pixel]! + image.rgba[pixel + 1]! + image.rgba[pixel + 2]!;
  };
  expect(brightness(30, 30)).toBeGreaterThan(2 * brightness(900, 0));
});

test("few scattered walks give an open ground instead of threads", () => {
  const threads = joined(...[0, 1, 2, 3].map((i) => walkedArea(-1500, -1500 + i * 1000, 1500, -1500 + i * 1000)));
  const relief = buildRelief(threads, options);
  for (const [x, y] of [
    [0, 0],
    [1000, 900],
    [-1400, -1000],
  ] as const)
    expect(at(relief, x, y).edge).toBeGreaterThan(0);
});

test("one footprint is enough for a relief, none is not", () => {
  const relief = buildRelief({ xyz: Int16Array.from([100, 200, 30]), breaks: Uint32Array.from([0]) }, options);
  expect(at(relief, 100, 200).edge).toBeGreaterThan(0);
  expect(at(relief, 100, 200).height).toBeCloseTo(30, 0);
  const none = { xyz: new Int16Array(0), breaks: new Uint32Array(0) };
  expect(() => buildRelief(none, options)).toThrow(RangeError);
});

test("a wall that nobody crosses stands between two busy rooms, a door in it stays open", () => {
  const isWall = (x: number, y: number) => Math.abs(x) < 44 && Math.abs(y) > 90;
  const relief = buildRelief(
    walkedArea(-700, -700, 700, 700, (x, y) => (isWall(x, y) ? null : 0)),
    options,
  );
  for (const y of [-400, 300, 500]) expect(at(relief, 0, y).edge).toBeLessThan(0);
  expect(at(relief, 0, 0).edge).toBeGreaterThan(0);
  expect(viewDistance(relief, { x: -200, y: 300, z: 0 }, 0, 600)).toBeLessThan(230);
  expect(viewDistance(relief, { x: -200, y: 0, z: 0 }, 0, 600)).toBe(600);
});

test("a catwalk that people walk below is a deck above the ground", () => {
  const footprints = joined(
    walkedArea(-700, -700, 700, 700),
    walkedArea(-160, -50, 160, 50, () => 130),
  );
  const relief = buildRelief(footprints, options);
  for (const [x, y, z, drawn] of [
    [0, 0, 0, 0],
    [0, 0, 130, 130],
    [-120, 20, 130, 130],
    [0, 300, 0, 0],
    [0, 300, 130, 0],
  ] as const) {
    expect(drawnGround(relief, { x, y, z })).toBeCloseTo(drawn, 0);
  }
});

test("a lone jump leaves no peak", () => {
  const jump = { xyz: Int16Array.from([-60, 0, 0, 0, 0, 55, 60, 0, 0]), breaks: Uint32Array.from([0]) };
  const thorn = { xyz: Int16Array.from([300, 300, 150]), breaks: Uint32Array.from([0]) };
  const relief = buildRelief(joined(walkedArea(-600, -600, 600, 600), jump, thorn), options);
  expect(at(relief, 0, 0).height).toBeCloseTo(0, 0);
  expect(at(relief, 300, 300).height).toBeCloseTo(0, 0);
});

test("the picture's edge is of one colour, so that a painter may continue it, also where the picture is halved twice", () => {
  const { image } = itemAt(buildRelief(walkedArea(-600, -400, 600, 400), options).floors, 0);
  const colours = new Set<string>();
  for (let y = 0; y < image.height; y++) {
    for (let x = 0; x < image.width; x++) {
      if (Math.min(x, y, image.width - 1 - x, image.height - 1 - y) >= 4) continue;
      colours.add(image.rgba.subarray((y * image.width + x) * 4, (y * image.width + x) * 4 + 4).join());
    }
  }
  expect([...colours]).toHaveLength(1);
});

test("the face of a slanting ledge has no saw teeth", () => {
  const slant = 0.45;
  const xyz: number[] = [];
  // Walks as close to one another as those of a busy place.
  for (let y = -300; y <= 300; y += 3) {
    for (let x = -500; x <= 500; x += 3) xyz.push(x, y, y > slant * x ? 90 : 0);
  }
  const breaks = Uint32Array.from({ length: xyz.length / 3 }, (_, i) => i);
  const relief = buildRelief({ xyz: Int16Array.from(xyz), breaks }, { ...options, finestScale: 1 });
  const { projection, floors } = relief;
  const { width, rgba } = floors[0]!.image;
  const brightnessAt = (x: number, below: number) => {
    const column = Math.round(mapX(projection, x));
    const row = Math.round(mapY(projection, slant * x, 90) + below);
    return rgba[(row * width + column) * 4 + 1]!;
  };
  for (const below of [0, 2, 4, 6, 8, 10]) {
    const along = Array.from({ length: 400 }, (_, i) => brightnessAt(i - 200, below));
    const steps = along.slice(1).map((value, i) => Math.abs(value - along[i]!));
    expect(Math.max(...steps)).toBeLessThan(9);
  }
});
