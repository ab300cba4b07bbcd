import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { expect, test } from "vitest";
import { shouldRevalidate } from "../routes/matches.$matchId_.replay.tsx";

/** Whether the page of a replay is loaded anew. */
const isLoaded = (args: Partial<ShouldRevalidateFunctionArgs>) =>
  shouldRevalidate({
    currentParams: { matchId: "7" },
    nextParams: { matchId: "7" },
    defaultShouldRevalidate: true,
    ...args,
  } as ShouldRevalidateFunctionArgs);

test("a replay is loaded anew for another match and for a moment that was marked, not for another address", () => {
  expect(isLoaded({})).toBe(false);
  expect(isLoaded({ formMethod: "GET" })).toBe(false);
  expect(isLoaded({ nextParams: { matchId: "8" } })).toBe(true);
  expect(isLoaded({ formMethod: "POST", actionStatus: 302 })).toBe(true);
  expect(isLoaded({ formMethod: "POST", actionStatus: 400 })).toBe(false);
});
