import { expect, test } from "vitest";
import { RequestMinute } from "./request-minute.ts";

test("Requests are counted by caller and forgotten with the minute", () => {
  let time = Date.parse("2026-11-21T12:00:20Z");
  const minute = new RequestMinute(2, () => new Date(time));
  expect([minute.count("a"), minute.count("a"), minute.count("a"), minute.count("b")]).toEqual([0, 0, 40, 0]);
  time += 40_000;
  expect(minute.count("a")).toBe(0);
});

test("A flood from everywhere fills no memory", () => {
  const minute = new RequestMinute(2, () => new Date("2026-11-21T12:00:20Z"));
  minute.count("first");
  for (let caller = 0; caller < 200_000; caller++) minute.count(`${caller}`);
  expect(minute.callers).toBeLessThanOrEqual(50_000);
  expect([minute.count("199999"), minute.count("199999")]).toEqual([0, 40]);
});
