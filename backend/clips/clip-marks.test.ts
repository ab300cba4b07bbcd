import { expect, test } from "vitest";
import type { Highlight } from "../../contract/api.ts";
import { clipMarks, storedMoments } from "./clip-marks.ts";

const victim = (name: string) => ({ name, steam_id: null, avatar_url: null });
const highlight = (id: number, ticks: readonly (readonly [number, string | null])[]) =>
  ({
    id,
    highlight_type: "ace",
    display_name: null,
    round_number: 4,
    kills: ticks.map(([tick, name]) => ({
      tick,
      weapon: "ak47",
      weapon_name: "AK-47",
      flags: [],
      victim: name === null ? null : victim(name),
    })),
  }) as unknown as Highlight;

const moments = [
  { tick: 100, seconds: 0, isStart: true },
  { tick: 200, seconds: 1.5, isStart: false },
  { tick: 500, seconds: 6, isStart: false },
  { tick: 900, seconds: 8, isStart: true },
  { tick: 1300, seconds: 13, isStart: false },
];

test("a highlight begins a little before its first kill, but in its own segment; its kills have their times", () => {
  const marks = clipMarks(moments, [
    highlight(1, [
      [200, "one"],
      [500, "two"],
    ]),
    highlight(2, [[1300, null]]),
  ]);
  expect(marks.map(({ seconds, kind, label, highlight_id }) => [seconds, kind, label, highlight_id])).toEqual([
    [0, "highlight", "Ace", 1],
    [1.5, "kill", "one", 1],
    [6, "kill", "two", 1],
    [10.5, "highlight", "Ace", 2],
    [13, "defuse", "Defuse", 2],
  ]);
});

test("what the clip does not show has no mark", () => {
  expect(clipMarks(moments, [highlight(1, [[777, "gone"]])])).toEqual([]);
  expect(clipMarks([], [highlight(1, [[200, "one"]])])).toEqual([]);
});

test("what a render tells is stored only as far as it is times, and no more of it than that", () => {
  expect(storedMoments([{ tick: 5, seconds: 1.23456, isStart: false, more: "x" }])).toEqual([
    { tick: 5, seconds: 1.23, isStart: false },
  ]);
  for (const told of [undefined, "x", [{ tick: 5 }], [{ tick: -1, seconds: 1, isStart: true }], [null]]) {
    expect(storedMoments(told)).toEqual([]);
  }
  const many = Array.from({ length: 1000 }, (_, tick) => ({ tick, seconds: 1, isStart: false }));
  expect(JSON.stringify(storedMoments(many)).length).toBeLessThan(40_000);
});
