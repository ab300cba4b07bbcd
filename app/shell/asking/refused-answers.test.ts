import { expect, test } from "vitest";
import { outOfReachText } from "../../api/api-failure.ts";
import { refusalOf } from "./refused-answers.ts";

test("Whatever refuses has a sentence for the player, a server that does not answer too", async () => {
  expect(await refusalOf(null)).toBe(outOfReachText);
  expect(await refusalOf(new Response("<html>", { status: 502 }))).toBe(outOfReachText);
  expect(await refusalOf(new Response("<html>", { status: 429 }))).toContain("Too many requests.");
  const full = "This server has no disk space left.";
  expect(await refusalOf(Response.json({ error: full }, { status: 507 }))).toBe(full);
  for (const status of [200, 204, 401, 404]) expect(await refusalOf(new Response(null, { status }))).toBeNull();
});
