import { expect, test } from "vitest";
import { identiconStyle } from "./identicon.ts";

test("a player has the same identicon everywhere, and players of one match have different ones", () => {
  const ids = Array.from({ length: 10 }, (_, index) => `7656119800000000${index}`);
  expect(identiconStyle(ids[0] ?? "")).toEqual(identiconStyle(ids[0] ?? ""));
  expect(new Set(ids.map((id) => JSON.stringify(identiconStyle(id)))).size).toBe(10);
  const many = Array.from({ length: 1000 }, (_, index) => JSON.stringify(identiconStyle(`bot ${index}`)));
  expect(new Set(many).size).toBeGreaterThan(400);
});
