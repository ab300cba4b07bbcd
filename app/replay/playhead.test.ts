import { expect, test } from "vitest";
import { secondsBetween } from "./playhead.ts";

test("A preview goes on with the clock, never back", () => {
  expect(secondsBetween(1000, 1016)).toBeCloseTo(0.016);
  expect(secondsBetween(1000, 996.5), "an animation frame that began before the press").toBe(0);
  expect(secondsBetween(1000, 61_000), "a tab that slept").toBe(0.25);
});
