import { expect, test } from "vitest";
import { noted, noteProgress, secondsLeft, timeLeftText } from "./time-left.ts";

const samples = (...progress: number[]) => progress.map((value, index) => ({ at: index * 3000, progress: value }));

test("the time left follows from the pace since drawing began", () => {
  expect(secondsLeft(samples(0, 0.02, 0.1, 0.2))).toBeCloseTo(24);
  expect(secondsLeft(samples(0.4, 0.7))).toBeCloseTo(3);
});

test("too little says nothing", () => {
  expect(secondsLeft([])).toBeNull();
  expect(secondsLeft(samples(0.5))).toBeNull();
  expect(secondsLeft(samples(0.5, 0.5))).toBeNull();
  expect(secondsLeft(samples(0, 0.02, 0.04))).toBeNull();
  expect(
    secondsLeft([
      { at: 0, progress: 0.2 },
      { at: 500, progress: 0.4 },
    ]),
  ).toBeNull();
});

test("a render that begins again is measured anew", () => {
  expect(secondsLeft(samples(0.5, 0.9, 0, 0.1, 0.2))).toBeCloseTo(24);
});

test("what was noted is known by its key", () => {
  noteProgress("a", 0.2, 0);
  noteProgress("a", 0.4, 4000);
  noteProgress("b", 0.4, 4000);
  expect(noted("a")).toBeCloseTo(12);
  expect(noted("b")).toBeNull();
});

test.each([
  [0.2, "a few seconds left"],
  [11, "about 15 s left"],
  [54, "about 55 s left"],
  [58, "about 1 min left"],
  [200, "about 3 min left"],
])("%s s are said as '%s'", (seconds, text) => {
  expect(timeLeftText(seconds)).toBe(text);
});
