import { expect, test } from "vitest";
import { lookAtStrips } from "./strip-looks.ts";

// In 1080p, of the same shape as 720p: strips.long.test.ts.
test("in clips of a real match everybody who lives has a card, the dead lose theirs, and cards are in nobody's way", async () => {
  expect(await lookAtStrips(["720p", "vertical"])).toBeGreaterThan(100);
});
