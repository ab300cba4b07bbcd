import { expect, test } from "vitest";
import { fromSecond, hundredths, startTime } from "./start-time.ts";

test.each([
  ["12", 12],
  ["12.5", 12.5],
  ["15.489999999999998", 15.49],
  ["12s", 12],
  ["1m30s", 90],
  ["1m", 60],
  ["1:05", 65],
  ["0", 0],
  ["", 0],
  [null, 0],
  ["-3", 0],
  ["x", 0],
  ["m", 0],
  ["s", 0],
  ["1e3", 0],
  ["9999999", 0],
])("t=%s begins at second %s", (text, seconds) => {
  expect(startTime(text, 600)).toBe(seconds);
});

test("a start at or after the end is the beginning", () => {
  expect(startTime("20", 20)).toBe(0);
  expect(startTime("19", 20)).toBe(19);
  expect(startTime("19", null)).toBe(19);
});

test("a file's address has the second that a player begins at, if it is not the first", () => {
  expect(fromSecond("/v.mp4", 0)).toBe("/v.mp4");
  expect(fromSecond("/v.mp4", 3.5)).toBe("/v.mp4#t=3.5");
});

test("an address has a second in hundredths, whatever sum it is of", () => {
  expect(hundredths(12.34 + 3.15)).toBe(15.49);
  expect(`${hundredths(0.1 + 0.2)}`).toBe("0.3");
});
