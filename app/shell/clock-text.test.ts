import { expect, test } from "vitest";
import { lengthText, positionText } from "./clock-text.ts";

test("a position is the second that has begun, as players of videos write it", () => {
  expect([-1, 0, 7.9, 60, 90.2, 3600].map(positionText)).toEqual(["0:00", "0:00", "0:07", "1:00", "1:30", "60:00"]);
});

test("a length is the nearest second", () => {
  expect([0, 11.4, 11.5, 11.97, 12, 12.4, 59.6, 90].map(lengthText)).toEqual([
    ...["0:00", "0:11", "0:12", "0:12", "0:12", "0:12", "1:00", "1:30"],
  ]);
});
