import { expect, test } from "vitest";
import { clipAddressFromParams } from "./clip-address-of-params.ts";

test("a clip's address is read as a whole number, with the key of an unlisted one", () => {
  expect(clipAddressFromParams({ clipId: "12" })).toBe("12");
  expect(clipAddressFromParams({ clipId: "0012" })).toBe("12");
  expect(clipAddressFromParams({ clipId: "3000000000" })).toBe("3000000000");
  const unlisted = "12-AAECAwQFBgcICQoLDA0O-_";
  expect(clipAddressFromParams({ clipId: unlisted })).toBe(unlisted);
  for (const clipId of [
    "12-",
    "12-short",
    `${unlisted}x`,
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
      clipAddressFromParams(clipId === undefined ? {} : { clipId });
    } catch (error) {
      thrown = error;
    }
    expect((thrown as Response | undefined)?.status, clipId).toBe(404);
  }
});
