import { expect, test } from "vitest";
import { retentionPeriod } from "./retention-period.ts";

test("legal texts name days and whole years", () => {
  expect(retentionPeriod(1)).toBe("1 day");
  expect(retentionPeriod(30)).toBe("30 days");
  expect(retentionPeriod(365)).toBe("1 year");
  expect(retentionPeriod(730)).toBe("2 years");
  expect(retentionPeriod(0)).toBe("0 days");
});
