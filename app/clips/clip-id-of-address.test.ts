import { expect, test } from "vitest";
import { clipIdFromParams } from "./clip-id-of-address.ts";

test("a clip's address is read as a whole number", () => {
  expect(clipIdFromParams({ clipId: "12" })).toBe(12);
  expect(clipIdFromParams({ clipId: "0012" })).toBe(12);
  expect(clipIdFromParams({ clipId: "3000000000" })).toBe(3_000_000_000);
  for (const clipId of [
    undefined,
    "",
    "abc",
    "12a",
    "1.5",
    "-1",
    "1e3",
    " 1",
    "12345678901234567",
    "9007199254740993",
  ]) {
    let thrown: unknown;
    try {
      clipIdFromParams(clipId === undefined ? {} : { clipId });
    } catch (error) {
      thrown = error;
    }
    expect((thrown as Response | undefined)?.status, clipId).toBe(404);
  }
});
