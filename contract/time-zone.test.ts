import { expect, test } from "vitest";
import { timeZoneNamed } from "./time-zone.ts";

test("only zones that exist are taken for one", () => {
  expect(["UTC", "Asia/Tokyo", "America/New_York"].map(timeZoneNamed)).toEqual([
    "UTC",
    "Asia/Tokyo",
    "America/New_York",
  ]);
  expect(["<script>", "", "Mars/Olympus"].map(timeZoneNamed)).toEqual([null, null, null]);
});

test("a zone has one name, in whatever letters it is asked for", () => {
  for (let time = 0; time < 2; time++) {
    expect(["europe/berlin", "EUROPE/BERLIN", "Etc/UTC"].map(timeZoneNamed)).toEqual([
      "Europe/Berlin",
      "Europe/Berlin",
      "UTC",
    ]);
  }
});
