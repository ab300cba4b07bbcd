import { expect, test } from "vitest";
import { longestWaitMs, nextLook, tryAgainAt } from "./next-look.ts";

const now = new Date("2026-11-23T12:00:00Z");
const minutes = (failures: number, quietDays: number, chance: number) =>
  (nextLook(now, { failures, activeAt: new Date(now.getTime() - quietDays * 86_400_000) }, chance).getTime() -
    now.getTime()) /
  60_000;

test("Every ten minutes, a little earlier or later", () => {
  expect([minutes(0, 0, 0), minutes(0, 1, 0.5), minutes(0, 3, 1)]).toEqual(
    [9, 10, 11].map((each) => expect.closeTo(each)),
  );
});

test("Less often the longer nothing was played", () => {
  expect([4, 14, 15, 60, 61, 1000].map((days) => minutes(0, days, 0.5))).toEqual([30, 30, 120, 120, 360, 360]);
});

test("Twice as late with every failure, two hours at most, and never sooner than without", () => {
  expect([1, 2, 3, 4, 5, 6, 1e6].map((failures) => minutes(failures, 0, 0.5))).toEqual([
    20, 40, 80, 120, 120, 120, 120,
  ]);
  expect(minutes(1, 100, 0.5)).toBe(360);
});

test("No wait is longer than the longest", () => {
  for (const failures of [0, 1, 50])
    for (const days of [0, 30, 900]) {
      expect(minutes(failures, days, 1) * 60_000).toBeLessThanOrEqual(longestWaitMs);
    }
});

test.each([
  ["not_found", [1, 1]],
  ["parser_failed", [1, 1]],
  ["connection_refused", [1, 2, 4, 8, 16, 16, 16]],
  ["server_error", [1, 2, 4, 8, 16, 16, 16]],
  ["provider_failed", [1, 2, 4, 8, 16, 16, 16]],
  [null, [1, 1]],
])("An import that failed with %s is begun again after %j hours", (error_code, hours) => {
  const waits: number[] = [];
  for (let tries = 1; tries < 20; tries++) {
    waits.push((tryAgainAt({ tries, changed_at: now, error_code }).getTime() - now.getTime()) / 3600_000);
  }
  expect(waits.filter((wait) => wait < 24 * 365)).toEqual(hours);
});
