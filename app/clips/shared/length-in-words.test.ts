import { expect, test } from "vitest";
import { lengthText } from "../../shell/clock-text.ts";
import { lengthInWords } from "./length-in-words.ts";

test("a length is written and read out to the nearest second", () => {
  const lengths = [7.4, 20.6, 59.5, 61, 120, 272.3, 0.2];
  expect(lengths.map(lengthText)).toEqual(["0:07", "0:21", "1:00", "1:01", "2:00", "4:32", "0:00"]);
  expect(lengths.map(lengthInWords)).toEqual([
    "7 seconds",
    "21 seconds",
    "1 minute",
    "1 minute 1 second",
    "2 minutes",
    "4 minutes 32 seconds",
    "0 seconds",
  ]);
});
