import { expect, test } from "vitest";
import { lookAtStrips } from "./strip-looks.ts";

// In the other formats: strips.long.test.ts.
test("in clips of a real match everybody who lives has a card, the dead lose theirs, and cards are in nobody's way", async () => {
  expect(await lookAtStrips(["720p"])).toBeGreaterThan(50);
});
