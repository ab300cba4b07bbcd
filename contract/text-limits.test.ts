import fc from "fast-check";
import { expect, test } from "vitest";
import { boundedLine } from "./text-limits.ts";

test("names in any script stay as they are, markup included", () => {
  for (const name of [
    "quietOtter",
    "Кедровник",
    "🦊 rotfuchs",
    "<b>bold</b> & co",
    "てんとう虫",
    "👩‍👩‍👧 team",
    "שלום",
  ]) {
    expect(boundedLine(name, 64)).toBe(name);
  }
});

test("control characters, line breaks and characters that turn the direction of text go", () => {
  expect(boundedLine("  a\u0000b\r\nc\u202ed\u2066e\u061cf ", 64)).toBe("a b cdef");
  expect(boundedLine("\u200e\u0007\u200f\u061c ", 64)).toBe("");
});

test("a long text ends after so many characters, with no letter and no emoji in two", () => {
  expect(boundedLine("🦊".repeat(80), 64)).toBe("🦊".repeat(64));
  expect(boundedLine(`${"x".repeat(62)}👩‍👩‍👧`, 64)).toBe("x".repeat(62));
  expect(Array.from(boundedLine(`e${"\u0301".repeat(200)}`, 64))).toHaveLength(64);
});

test("whatever comes in, what comes out is one short line without half a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.integer({ min: 1, max: 80 }), (text, most) => {
      const line = boundedLine(text, most);
      expect(Array.from(line).length).toBeLessThanOrEqual(most);
      expect(line).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/u);
      expect(line).toBe(line.trim());
      expect(boundedLine(line, most)).toBe(line);
    }),
  );
});

test("only the beginning of a text of millions is looked at", () => {
  const text = `x${"\u0301\u202e\u0000".repeat(4_000_000)}`;
  expect(Array.from(boundedLine(text, 64)).length).toBeLessThanOrEqual(64);
});
