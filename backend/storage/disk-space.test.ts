import { expect, test } from "vitest";
import { DiskFullError } from "./disk-full.ts";
import { abortWhenFull, watchDiskSpace } from "./disk-space.ts";

const MiB = 1024 ** 2;
const GiB = 1024 ** 3;

function diskWith(freeBytes: number, totalBytes: number, reserveBytes?: number) {
  return watchDiskSpace(["/data"], reserveBytes, () => ({ freeBytes, totalBytes }));
}

test("of a large disk 512 MiB are kept, of a small one a tenth, or what the operator says", () => {
  expect(diskWith(513 * MiB, 100 * GiB).isShort()).toBe(false);
  expect(diskWith(511 * MiB, 100 * GiB).isShort()).toBe(true);
  expect(diskWith(101 * MiB, 1000 * MiB).isShort()).toBe(false);
  expect(diskWith(99 * MiB, 1000 * MiB).isShort()).toBe(true);
  expect(diskWith(1.9 * GiB, 100 * GiB, 2 * GiB).isShort()).toBe(true);
  expect(diskWith(0, 100 * GiB, 0).isShort()).toBe(false);
});

test("a disk is full below 64 MiB, and below half of a small reserve", () => {
  expect(diskWith(65 * MiB, 100 * GiB).isFull()).toBe(false);
  expect(diskWith(63 * MiB, 100 * GiB).isFull()).toBe(true);
  expect(diskWith(6 * MiB, 100 * MiB).isFull()).toBe(false);
  expect(diskWith(4 * MiB, 100 * MiB).isFull()).toBe(true);
});

test("of several disks the fullest counts, and one of unknown size not at all", () => {
  const free: Record<string, number> = { "/data": 50 * GiB, "/data/blobs": 100 * MiB };
  const look = (folder: string) => (folder in free ? { freeBytes: free[folder] ?? 0, totalBytes: 100 * GiB } : null);
  const space = watchDiskSpace(["/data", "/data/blobs", "/data/gone"], undefined, look);
  expect([space.freeBytes(), space.isShort(), space.isFull()]).toEqual([100 * MiB, true, false]);
  const unknown = watchDiskSpace(["/data/gone"], undefined, look);
  expect([unknown.freeBytes(), unknown.isShort(), unknown.isFull()]).toEqual([Number.POSITIVE_INFINITY, false, false]);
});

test("the disk is looked at once a second at most, unless it has to be known now", () => {
  let looks = 0;
  let freeBytes = 0;
  const space = watchDiskSpace(["/data"], undefined, () => {
    looks++;
    return { freeBytes, totalBytes: GiB };
  });
  for (let n = 0; n < 100; n++) expect(space.isShort()).toBe(true);
  expect(looks).toBeLessThan(10);
  freeBytes = GiB;
  expect(space.isShort(true)).toBe(false);
});

test("the folders of a real disk are looked at", () => {
  expect(watchDiskSpace(["."]).freeBytes()).toBeGreaterThan(0);
});

test("work is stopped when the disk becomes full under it", async () => {
  let isFull = false;
  const full = abortWhenFull({ isFull: () => isFull });
  isFull = true;
  await new Promise((resolve) => full.signal.addEventListener("abort", resolve));
  full.stop();
  expect(full.signal.reason).toBeInstanceOf(DiskFullError);
});
