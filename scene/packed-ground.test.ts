import { expect, test } from "vitest";
import { ByteWriter } from "../replay/byte-writer.ts";
import { noPlace } from "../replay/replay-track.ts";
import { crc32, ReplayFormatError } from "../replay/track-format.ts";
import { buildClipRelief } from "./clip-scene.ts";
import { packGround, unpackGround } from "./packed-ground.ts";
import { callouts, placeAt } from "./places.ts";
import { drawnGround } from "./relief/drawn-ground.ts";
import { joined, killAt, syntheticTrack, walkedArea } from "./testing/synthetic-track.ts";

const walks = joined(
  walkedArea(-1200, -900, 1200, 900, (x) => x / 8),
  walkedArea(-400, -200, 400, 200, () => 420),
);
const count = walks.xyz.length / 3;
const ofFootprint = Uint8Array.from({ length: count }, (_, i) => {
  const x = walks.xyz[i * 3] ?? 0;
  return x < -700 ? 0 : x < 0 ? 1 : x < 100 ? noPlace : 2;
});
const places = { names: ["TopofMid", "BombsiteA", "Window"], ofFootprint };
const kills = [
  killAt(1100, 0, 1, { attackerPosition: [-1000, 20, 0], victimPosition: [30, 0, 0] }),
  killAt(1200, 0, 1, { attackerPosition: [600, -300, 70], victimPosition: null }),
];
const track = syntheticTrack([{ name: "a", team: 0, pose: { x: 0, y: 0 } }], { ...walks, places }, { kills });
const relief = buildClipRelief(track, { width: 1280, height: 720 });
const bytes = packGround(relief, track.footprints, track.record);

test("a packed ground is the relief to half a unit, as far as anybody who draws asks", () => {
  const ground = unpackGround(bytes);
  expect(ground.projection).toEqual(relief.projection);
  expect(ground.floorHeight).toBe(relief.floorHeight);
  expect(ground.floors).toHaveLength(relief.floors.length);
  for (const [floor, { grid, image }] of relief.floors.entries()) {
    const packed = ground.floors[floor]!;
    expect(packed.image).toEqual({ key: image.key, width: image.width, height: image.height });
    const fields = [
      [grid.height, packed.grid.height],
      [grid.edgeDistance, packed.grid.edgeDistance],
    ] as const;
    for (const [own, unpacked] of fields) {
      let farthest = 0;
      let asked = 0;
      for (let i = 0; i < own.length; i++) {
        const isHeight = own === grid.height;
        if (isHeight && Math.round(grid.edgeDistance[i]!) <= -48) continue;
        const value = isHeight ? own[i]! : Math.max(-48, Math.min(48, own[i]!));
        farthest = Math.max(farthest, Math.abs(value - unpacked[i]!));
        asked++;
      }
      expect(asked).toBeGreaterThan(own.length / 3);
      expect(farthest).toBeLessThanOrEqual(0.5);
      // What is beyond is still a height of the ground.
      const [lowest, highest] = [Math.min(...own), Math.max(...own)];
      expect(unpacked.every((value) => value >= Math.min(lowest, -48) - 1 && value <= highest + 1)).toBe(true);
    }
  }
  const painted = { ...relief, floors: ground.floors.map((floor, i) => ({ ...relief.floors[i]!, grid: floor.grid })) };
  const middle = { x: 300, y: 100, z: 37 };
  expect(Math.abs(drawnGround(painted, middle) - drawnGround(relief, middle))).toBeLessThanOrEqual(0.5);
});

test("it names the parts of the map, and the places where somebody was killed, as the footprints do", () => {
  const ground = unpackGround(bytes);
  expect(ground.callouts).toEqual(callouts(track.footprints));
  expect(ground.callouts.length).toBeGreaterThan(1);
  for (const { attackerPosition, victimPosition } of kills) {
    for (const [x, y, z] of [attackerPosition, victimPosition].filter((position) => position !== null)) {
      expect(placeAt(ground.footprints, { x, y, z })).toBe(placeAt(track.footprints, { x, y, z }));
    }
  }
  expect(placeAt(ground.footprints, { x: -1000, y: 20, z: 0 })).not.toBeNull();
  expect(placeAt(ground.footprints, { x: 30, y: 0, z: 0 })).toBeNull();
  expect(ground.footprints.xyz.length / 3).toBeLessThanOrEqual(3);
});

test("a ground of version 1, as it was packed for matches of before, is read: half units, all heights, and decks are passed by", () => {
  const written = new ByteWriter();
  written.writeBytes(new TextEncoder().encode("CCGR"));
  written.writeByte(1);
  const grid = { columns: 2, rows: 2, cell: 8, west: 0, north: 0 };
  const image = { key: "ground", width: 4, height: 4 };
  const head = { projection: relief.projection, floorHeight: null, callouts: [], footprints: [] };
  written.writeJson({ ...head, floors: [0, 1].map((floor) => ({ grid, hasDeck: floor === 0, image })) });
  // Each value as what it is more than left, above and above left let expect.
  const flat = (value: number) => [value, 0, 0, 0];
  const fields = [[-128, 3, 0, 1], flat(51), flat(9), flat(9), flat(7), flat(-5)];
  for (const value of fields.flat()) written.writeSigned(value);
  written.writeUint32(crc32(written.written()));
  const { floors } = unpackGround(written.written());
  expect(floors.map(({ grid: { edgeDistance, height } }) => [[...edgeDistance], [...height]])).toEqual([
    [
      [-64, -62.5, -64, -62],
      [25.5, 25.5, 25.5, 25.5],
    ],
    [
      [3.5, 3.5, 3.5, 3.5],
      [-2.5, -2.5, -2.5, -2.5],
    ],
  ]);
});

test("what is damaged, cut or of another kind is refused", () => {
  const damaged = bytes.slice();
  damaged[400] = (damaged[400] ?? 0) ^ 1;
  for (const wrong of [damaged, bytes.subarray(0, bytes.length - 9), new Uint8Array(30)]) {
    expect(() => unpackGround(wrong)).toThrow(ReplayFormatError);
  }
});
