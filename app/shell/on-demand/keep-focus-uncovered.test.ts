import { expect, test } from "vitest";
import { scrollToUncover } from "./keep-focus-uncovered.ts";

const box = (top: number, bottom: number, left = 0, right = 390) => ({ top, bottom, left, right });

test("what is under a bar below or a notice above is scrolled out from under it, as far as there is room", () => {
  const bar = box(600, 780);
  expect(scrollToUncover(box(550, 610), bar, 844)).toBe(18);
  expect(scrollToUncover(box(640, 700), bar, 844)).toBe(108);
  expect(scrollToUncover(box(500, 600), bar, 844)).toBe(0);
  // Higher than what is left between header and bar: its beginning is seen.
  expect(scrollToUncover(box(100, 900), bar, 844)).toBe(12);
  expect(scrollToUncover(box(60, 900), bar, 844)).toBe(0);
  // Out of the window as yet; below the bar, where the navigation stands.
  expect(scrollToUncover(box(900, 960), bar, 844)).toBe(368);
  expect(scrollToUncover(box(784, 840), bar, 844)).toBe(0);
  const notice = box(80, 220, 20, 370);
  expect(scrollToUncover(box(100, 140), notice, 844)).toBe(-128);
  expect(scrollToUncover(box(230, 260), notice, 844)).toBe(0);
  expect(scrollToUncover(box(-40, 4), notice, 844)).toBe(-268);
  expect(scrollToUncover(box(10, 60), notice, 844)).toBe(0);
  // Beside it, and under one that is empty.
  expect(scrollToUncover(box(100, 140, 0, 20), notice, 844)).toBe(0);
  expect(scrollToUncover(box(60, 140), box(80, 80), 844)).toBe(0);
});
