import { expect, test } from "vitest";
import { cutToBytes } from "./clip-meta.ts";

const bytes = (text: string) => Buffer.byteLength(text);

test("a text for a preview has so many bytes at the most, with no letter cut in two", () => {
  expect(cutToBytes("short", 67)).toBe("short");
  expect(cutToBytes("a".repeat(67), 67)).toHaveLength(67);
  expect(cutToBytes("a".repeat(68), 67)).toBe(`${"a".repeat(64)}…`);
  const family = "👨‍👩‍👧‍👦";
  for (const text of ["я".repeat(80), `${family.repeat(20)}`, "שלום ".repeat(30)]) {
    const cut = cutToBytes(text, 67);
    expect(bytes(cut)).toBeLessThanOrEqual(67);
    expect(cut.endsWith("…")).toBe(true);
    expect(text.startsWith(cut.slice(0, -1))).toBe(true);
  }
  expect(cutToBytes(family.repeat(20), 67)).toBe(`${family.repeat(2)}…`);
});
