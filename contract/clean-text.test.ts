import fc from "fast-check";
import { expect, test } from "vitest";
import { boundedLine, cleanClipName, cleanLine, cleanPlayerName } from "./clean-text.ts";

test("names in any script stay as they are, markup included", () => {
  for (const name of [
    "quietOtter",
    "Кедровник",
    "🦊 rotfuchs",
    "<b>bold</b> & co",
    "てんとう虫",
    "👩‍👩‍👧 team",
    "שלום",
    'O\'Marrow "Moss"',
  ]) {
    expect(cleanLine(name)).toBe(name);
    expect(boundedLine(name, 64)).toBe(name);
  }
});

test("control characters, line breaks and half characters become spaces, as white space does", () => {
  expect(cleanLine("  a\u0000b\r\nc\u2028d\ud800e\u3000\tf ")).toBe("a b c d e f");
  expect(cleanLine("\ud83e")).toBe("");
});

test("every mark that turns the direction of the text around it goes", () => {
  const turning = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";
  for (const mark of turning) expect(cleanLine(`a${mark}b`)).toBe("ab");
  expect(cleanLine("  a\u0000b\r\nc\u202ed\u2066e\u061cf ")).toBe("a b cdef");
  expect(cleanPlayerName(`${turning}\u0007 `)).toBe("");
  expect(cleanClipName(`\u202eKcart${turning}`)).toBe("Kcart");
});

test("every mark without width goes, so that no two names look alike", () => {
  for (const mark of "\u00ad\u034f\u180e\u200b\u200c\u200d\u2060\u2061\u2064\u206a\u206f\ufeff\ufff9\u{1d173}\u{e0001}\u{e0041}\u{e007f}") {
    expect(cleanLine(`${mark}No${mark}va${mark}`)).toBe("Nova");
    expect(cleanLine(mark)).toBe("");
  }
});

test("emoji that are joined from several stay one", () => {
  for (const name of ["👨‍👩‍👧 ok", "👩🏽‍🚀", "❤️‍🔥", "🏴‍☠️", "🐻‍❄️x", "🏃🏾‍♀️‍➡️", "👁️‍🗨️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 lads", "🇵🇱"])
    expect(cleanLine(name)).toBe(name);
  expect(cleanLine("👩\u200d a \u200d👧 👧\u200d\u200d👧 🏴\u{e0067}x")).toBe("👩 a 👧 👧\u200d👧 🏴x");
});

test("words of scripts that need joiners keep them", () => {
  for (const word of [
    "می\u200cخواهم",
    "خانه\u200cهای ما",
    "ه\u200d",
    "क्\u200dष",
    "क्\u200cष",
    "ශ්\u200dරී",
    "ന്\u200d",
    "র\u200d্যাব",
    "ಕ್\u200cಷ",
  ]) {
    expect(cleanLine(word)).toBe(word);
  }
  expect(cleanLine("علی\u200c")).toBe("علی");
  expect(cleanLine("\u200dعلی\u200c\u200c \u200cم")).toBe("علی م");
  expect(cleanLine("می\u200c\u200c\u200dخواهم")).toBe("می\u200cخواهم");
});

test("a long text ends after so many characters, with no letter and no emoji in two", () => {
  expect(boundedLine("🦊".repeat(80), 64)).toBe("🦊".repeat(64));
  expect(cleanPlayerName("🦊".repeat(80))).toBe("🦊".repeat(64));
  expect(boundedLine(`${"x".repeat(62)}👩‍👩‍👧`, 64)).toBe("x".repeat(62));
  expect(Array.from(boundedLine(`e${"\u0301".repeat(200)}`, 64))).toHaveLength(64);
  expect(boundedLine("می\u200cخواهم", 3)).toBe("می");
  expect(boundedLine("👩‍👩‍👧", 2)).toBe("👩");
});

const marks = fc.constantFrom(
  ..."\u202e\u2066\u200b\u200c\u200d\ufe0f\u0301\u0000 \u093c\u094d\u{e0067}\u{e007f}\u{1f3fd}\u{1f3f4}",
  "\ud83e",
);
const letters = fc.constantFrom(..."aéعیकषศ👩🚀❤한", "e");
const hostileText = fc.array(fc.oneof(marks, letters), { maxLength: 40 }).map((parts) => parts.join(""));

test("whatever comes in, what comes out is one short line without half a character", () => {
  const texts = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), hostileText);
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 80 }), (text, max) => {
      const line = boundedLine(text, max);
      expect(Array.from(line).length).toBeLessThanOrEqual(max);
      expect(line).not.toMatch(
        /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u061c\u2060\ufeff]/u,
      );
      expect(line).toBe(line.trim());
      expect(boundedLine(line, max)).toBe(line);
      expect(cleanLine(cleanLine(text))).toBe(cleanLine(text));
    }),
    { numRuns: 300 },
  );
});

test("only the beginning of a text of millions is looked at", () => {
  const text = `x${"\u0301\u202e\u0000".repeat(4_000_000)}`;
  expect(Array.from(boundedLine(text, 64)).length).toBeLessThanOrEqual(64);
});
