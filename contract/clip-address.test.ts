import { expect, test } from "vitest";
import { clipAddress, parseClipAddress } from "./clip-address.ts";

const key = "AAECAwQFBgcICQoLDA0O-_";

test("an address is read as it is written", () => {
  for (const one of [
    { id: 17, linkKey: null },
    { id: Number.MAX_SAFE_INTEGER, linkKey: null },
    { id: 17, linkKey: key },
  ]) {
    expect(parseClipAddress(clipAddress(one.id, one.linkKey))).toEqual(one);
  }
});

test.each([
  "",
  "0",
  "017",
  "-17",
  "17-",
  `17-${key}x`,
  `17-${key.slice(1)}`,
  `17 ${key}`,
  "9007199254740993",
  "17/18",
  "x",
])("%j is no address of a clip", (text) => {
  expect(parseClipAddress(text)).toBeNull();
});
