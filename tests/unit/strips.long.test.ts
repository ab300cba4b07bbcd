import { expect, test } from "vitest";
import { lookAtStrips } from "./strip-looks.ts";

test("in clips of a real match everybody who lives has a card, the dead lose theirs, and cards are in nobody's way, in every format", async () => {
  expect(await lookAtStrips(["720p", "1080p", "vertical"])).toBeGreaterThan(150);
});
