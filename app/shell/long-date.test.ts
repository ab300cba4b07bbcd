import { expect, test } from "vitest";
import { longDate } from "./long-date.ts";

test("dates are long en-US with hour and minute, in the visitor's zone", () => {
  expect(longDate("2026-11-21T06:36:00Z", "Europe/Berlin")).toBe("November 21, 2026 at 07:36 AM");
  expect(longDate("2026-11-21T23:05:00Z", "America/New_York")).toBe("November 21, 2026 at 06:05 PM");
});

test("UTC, used until the zone is known, says so", () => {
  expect(longDate("2026-11-21T00:00:00Z", "UTC")).toBe("November 21, 2026 at 12:00 AM UTC");
});

test("what is no date shows nothing", () => {
  expect(longDate("yesterday", "UTC")).toBe("");
});
