import { expect, test } from "vitest";
import { cleanPersonaName } from "./persona-name.ts";

test("Names in any script stay as they are, markup included", () => {
  for (const name of ["quietOtter", "Кедровник", "🦊 rotfuchs", "<b>bold</b> & co", "てんとう虫", "👩‍👩‍👧 team"]) {
    expect(cleanPersonaName(name)).toBe(name);
  }
});

test("Control characters, line breaks and direction overrides go", () => {
  expect(cleanPersonaName("  a\u0000b\r\nc\u202ed\u2066e ")).toBe("a b cde");
  expect(cleanPersonaName("\u200e\u0007 ")).toBe("");
});

test("A long name ends after 64 characters, without cutting one in two", () => {
  expect(cleanPersonaName("🦊".repeat(80))).toBe("🦊".repeat(64));
});
