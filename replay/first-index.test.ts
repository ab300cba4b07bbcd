import { expect, test } from "vitest";
import { firstIndexWhere } from "./first-index.ts";

test("the first index of a sorted list is found wherever it lies, in as many looks as the length has bits", () => {
  for (const length of [0, 1, 2, 3, 7, 64, 1000]) {
    for (let first = 0; first <= length; first++) {
      let looks = 0;
      const indexes = Array.from({ length }, (_, index) => index);
      const found = firstIndexWhere(indexes, (index) => {
        looks++;
        expect(index).toBeGreaterThanOrEqual(0);
        expect(index).toBeLessThan(length);
        return index >= first;
      });
      expect(found).toBe(first);
      expect(looks).toBeLessThanOrEqual(Math.ceil(Math.log2(length + 1)));
    }
  }
});

test("of equal values the first is taken", () => {
  const ticks = [1, 4, 4, 4, 9];
  expect(firstIndexWhere(ticks, (tick) => tick >= 4)).toBe(1);
  expect(firstIndexWhere(ticks, (tick) => tick > 4)).toBe(4);
});
