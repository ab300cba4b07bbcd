import { expect, test } from "vitest";
import type { ClipMark } from "../../../contract/schemas/clips.ts";
import { nextMark } from "./watch-bar.tsx";

const marks = [0, 2, 5].map(
  (seconds): ClipMark => ({ seconds, kind: "kill", label: "x", detail: "", highlight_id: 1 }),
);

test("forward goes to the next mark, back to the one before where the video stands", () => {
  expect(nextMark(marks, 0, 1)).toBe(2);
  expect(nextMark(marks, 2, 1)).toBe(5);
  expect(nextMark(marks, 5, 1)).toBeNull();
  expect(nextMark(marks, 4, -1)).toBe(2);
  // A moment after a mark, back means the one before it.
  expect(nextMark(marks, 2.3, -1)).toBe(0);
  expect(nextMark(marks, 0.2, -1)).toBeNull();
});
