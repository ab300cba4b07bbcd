import { expect, test } from "vitest";
import { type DemoFixture, temporaryFolder } from "../demos/testing/demo-fixtures.ts";
import { shareOffDrawnGround } from "./testing/drawn-ground-share.ts";

const folder = temporaryFolder();

test.each<DemoFixture>(["match-de_nuke", "match-de_mirage", "match-de_dust2-overtime"])(
  "players of %s stand on the ground that is drawn, but for 2 % of the time",
  async (name) => expect(await shareOffDrawnGround(name, folder)).toBeLessThanOrEqual(0.02),
);
