import { expect, test } from "vitest";
import { decodeMapFootprints, encodeMapFootprints } from "../../replay/map-footprints.ts";
import type { Footprints } from "../../replay/replay-track.ts";
import { ReplayFormatError } from "../../replay/track-format.ts";
import { joined, walkedArea } from "../../scene/testing/synthetic-track.ts";
import { mergeFootprints } from "./merge-footprints.ts";

const named = (footprints: Footprints, ...names: string[]): Footprints => {
  const count = footprints.xyz.length / 3;
  return {
    ...footprints,
    places: { names, ofFootprint: Uint8Array.from({ length: count }, (_, i) => i % names.length) },
  };
};

/** The hall that everybody walks, and further places. */
const hall = (...more: Footprints[]) => joined(walkedArea(-600, -400, 600, 400), ...more);
const west = walkedArea(-900, -100, -620, 100);
const scribble = walkedArea(900, 900, 1100, 1000);
const pillar = walkedArea(-100, -100, 100, 100, () => 900);

const merged = (...matches: [importer: number, footprints: Footprints][]) =>
  mergeFootprints(matches.map(([importer, footprints]) => ({ importer, footprints })));

/** Whether anybody walked near a place. */
function isWalked({ xyz }: Footprints, x: number, y: number, z = 0): boolean {
  for (let i = 0; i < xyz.length; i += 3) {
    if (Math.hypot(xyz[i]! - x, xyz[i + 1]! - y, xyz[i + 2]! - z) < 40) return true;
  }
  return false;
}

test("the walks of all matches of a lone player are put together", () => {
  const { footprints, merged: used } = merged([1, hall()], [1, hall(west)]);
  expect(used).toEqual([0, 1]);
  for (const [x, y] of [
    [0, 0],
    [-800, 0],
  ] as const)
    expect(isWalked(footprints, x, y)).toBe(true);
});

test("a demo of a map's name that walks elsewhere has no part in the map, even if it came many times", () => {
  const elsewhere = walkedArea(3000, 3000, 5000, 5000);
  const { footprints, merged: used } = merged([9, elsewhere], [1, hall()], [2, hall()], [9, elsewhere], [9, elsewhere]);
  expect(used).toEqual([1, 2]);
  expect(Math.max(...footprints.xyz)).toBeLessThanOrEqual(600);
});

test("what one of several players alone walked is left out, and what two did is in", () => {
  const { footprints } = merged([9, hall(scribble, pillar)], [1, hall(west)], [2, hall(west)], [3, hall()]);
  expect(isWalked(footprints, 0, 0)).toBe(true);
  expect(isWalked(footprints, -800, 0)).toBe(true);
  expect(isWalked(footprints, 1000, 950)).toBe(false);
  expect(isWalked(footprints, 0, 0, 900)).toBe(false);
});

test("more demos than all others together have do not let one player draw what nobody else walked", () => {
  const forged = Array.from({ length: 9 }, () => [9, hall(scribble)] as [number, Footprints]);
  const { footprints } = merged(...forged, [1, hall()], [2, hall()], [3, hall()], [4, hall()]);
  expect(isWalked(footprints, 0, 0)).toBe(true);
  expect(isWalked(footprints, 1000, 950)).toBe(false);
});

test("a match that is larger than any is left out, and the others are merged", () => {
  /** All over the largest space that positions have, in strides as long as they may be. */
  const wild = (count: number): Footprints => ({
    xyz: Int16Array.from({ length: count * 3 }, (_, i) => {
      const [step, row] = [Math.floor(i / 3) % 200, Math.floor(i / 600)];
      if (i % 3 === 0) return step * 280 - 28_000;
      return i % 3 === 1 ? (row % 1_000) * 56 - 28_000 : 0;
    }),
    breaks: Uint32Array.of(0),
  });
  for (const huge of [wild(40_000), wild(300_000)]) {
    const { footprints, merged: used } = merged([9, huge], [8, huge], [7, huge], [1, hall()], [2, hall()]);
    expect(used).toEqual([3, 4]);
    expect(isWalked(footprints, 0, 0)).toBe(true);
  }
});

test("whose matches are most keeps what they walked in three of them when guests come", () => {
  const own = Array.from({ length: 4 }, (_, i) => [1, i < 3 ? hall(west) : hall()] as [number, Footprints]);
  const { footprints } = merged(...own, [2, hall()], [3, hall(scribble)]);
  expect(isWalked(footprints, -800, 0)).toBe(true);
  expect(isWalked(footprints, 1000, 950)).toBe(false);
});

test("with many players more than two have to agree", () => {
  const honest = Array.from({ length: 22 }, (_, i) => [i, hall()] as [number, Footprints]);
  const two = [90, 91].map((importer) => [importer, hall(scribble)] as [number, Footprints]);
  expect(isWalked(merged(...two, ...honest).footprints, 1000, 950)).toBe(false);
});

test("names of places that one player's demo alone has are not taken over", () => {
  const { footprints } = merged(
    [9, named(hall(), "Insult", "Mid")],
    [1, named(hall(), "Mid")],
    [2, named(hall(), "Mid")],
  );
  expect(footprints.places?.names).toEqual(["Mid"]);
});

test("however many matches there are, a spot keeps few footprints, and importers take turns in them", () => {
  const one = merged([1, hall()]).footprints;
  const many = merged(...Array.from({ length: 30 }, () => [1, hall()] as [number, Footprints]), [2, hall()]).footprints;
  expect(many.xyz.length).toBeLessThan(one.xyz.length * 9);
  expect(many.xyz.length).toBeGreaterThan(one.xyz.length * 2);
});

test("the same matches give the same bytes, which are read back as they were; damaged ones are refused", () => {
  const matches = [
    [1, named(hall(west), "Mid", "Long")],
    [2, named(hall(west), "Long", "Mid")],
  ] as [number, Footprints][];
  const bytesOf = () =>
    encodeMapFootprints({ rawMap: "de_test", matches: 2, footprints: merged(...matches).footprints });
  const bytes = bytesOf();
  expect(bytesOf()).toEqual(bytes);
  const read = decodeMapFootprints(bytes);
  expect(read).toEqual({ rawMap: "de_test", matches: 2, footprints: merged(...matches).footprints });
  for (const at of [0, 4, 20, bytes.length >> 1, bytes.length - 1]) {
    const damaged = bytes.slice();
    damaged[at]! ^= 1;
    expect(() => decodeMapFootprints(damaged)).toThrow(ReplayFormatError);
  }
});

test("without a readable match there is nothing to merge", () => {
  expect(mergeFootprints([]).footprints.xyz).toHaveLength(0);
});
