import { expect, test } from "vitest";
import { type DemoFixture, temporaryFolder } from "../demos/testing/demo-fixtures.ts";
import { shareOffDrawnGround } from "./testing/drawn-ground-share.ts";

const folder = temporaryFolder();

// drawn-ground.long.test.ts has more matches, which take longer.
test.each<DemoFixture>(["sample-match"])(
  "players of %s stand on the ground that is drawn, but for 2 % of the time",
  async (name) => expect(await shareOffDrawnGround(name, folder)).toBeLessThanOrEqual(0.02),
);
