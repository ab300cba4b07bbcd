import { expect, test } from "vitest";
import { lookAtStrips } from "./strip-looks.ts";

test("in clips of a real match everybody who lives has a card, the dead lose theirs, and cards are in nobody's way, in 1080p and upright", async () => {
  expect(await lookAtStrips(["1080p", "vertical"])).toBeGreaterThan(100);
});
