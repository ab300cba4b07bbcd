import { expect, test } from "vitest";
import { bytesText } from "../../contract/bytes-text.ts";
import { durationText, takesText } from "./figures.ts";

test("bytes are told in the unit in which they are a short number", () => {
  expect([0, 999, 1000, 9940, 9960, 999_499, 999_500, 3.4e9, 5e17].map(bytesText)).toEqual([
    "0 bytes",
    "999 bytes",
    "1.0 KB",
    "9.9 KB",
    "10 KB",
    "999 KB",
    "1.0 MB",
    "3.4 GB",
    "500 PB",
  ]);
});

test("a time is told in seconds, minutes, hours or days", () => {
  expect([0, 89, 90, 3600, 2 * 3600, 48 * 3600].map(durationText)).toEqual([
    "0 s",
    "89 s",
    "2 min",
    "60 min",
    "2 h",
    "2 days",
  ]);
});

test("one job at once is told as one", () => {
  expect(takesText({ import: 64, render: 1 })).toBe("Takes 64 imports and 1 render at once");
  expect(takesText({ import: 1, render: 2, share: 1 })).toBe("Takes 1 import and 2 renders at once");
  expect(takesText({})).toBe("Takes 0 imports and 0 renders at once");
});
