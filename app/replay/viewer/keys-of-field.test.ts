import { expect, test } from "vitest";
import { takesLetters } from "./keys-of-field.ts";

test("letters are a list's and a text field's own, and the viewer's on its buttons and its slider", () => {
  expect(takesLetters({ tagName: "SELECT", type: "select-one" })).toBe(true);
  expect(takesLetters({ tagName: "INPUT", type: "text" })).toBe(true);
  expect(takesLetters({ tagName: "TEXTAREA" })).toBe(true);
  expect(takesLetters({ tagName: "INPUT", type: "range" })).toBe(false);
  expect(takesLetters({ tagName: "BUTTON", type: "button" })).toBe(false);
  expect(takesLetters({ tagName: "SECTION" })).toBe(false);
});
