import { expect, test } from "vitest";
import { clipFormatNames, clipFormats, formatOfSize, isClipFormat } from "./clip-formats.ts";

test("every format is found again by its size", () => {
  expect([...clipFormatNames].sort()).toEqual(Object.keys(clipFormats).sort());
  for (const name of clipFormatNames) expect(formatOfSize(clipFormats[name])).toBe(name);
});

test.each([
  [{ width: 640, height: 360 }, "720p"],
  [{ width: 2560, height: 1440 }, "1080p"],
  [{ width: 720, height: 1280 }, "vertical"],
])("the size %o, which no format has, goes to the nearest of its shape", (size, format) => {
  expect(formatOfSize(size)).toBe(format);
});

test("nothing else is the name of a format", () => {
  for (const name of ["720P", "", "toString", null, undefined, 720]) expect(isClipFormat(name)).toBe(false);
});
