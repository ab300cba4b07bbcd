import { expect, test } from "vitest";
import type { Highlight } from "../../contract/schemas/highlights.ts";
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

test("in a compilation a highlight is marked in its own part, whatever ticks the others show", () => {
  // Two matches at the same ticks, and a third part that shows a kill of the first in another highlight.
  const joint = [0, 10.004, 20].flatMap((by) =>
    [
      { tick: 100, seconds: by, isStart: true },
      { tick: 200, seconds: by + 3, isStart: false },
    ].map((moment) => ({ ...moment, seconds: Math.round(moment.seconds * 100) / 100 })),
  );
  const part = (start_seconds: number, highlight_ids: number[] | null) => ({ start_seconds, highlight_ids });
  const highlights = [1, 2, 3].map((id) => highlight(id, [[200, "one"]]));
  const shown = (parts: Parameters<typeof clipMarks>[2]) =>
    clipMarks(joint, highlights, parts).map(({ highlight_id, seconds, kind }) => [highlight_id, kind, seconds]);
  const marks = (id: number, begin: number) => [
    [id, "highlight", begin + 0.5],
    [id, "kill", begin + 3],
  ];
  expect(shown([part(0, [2]), part(10.004, [1]), part(20, [3])])).toEqual([
    ...marks(2, 0),
    ...marks(1, 10),
    ...marks(3, 20),
  ]);
  // Of an older one whose first and second clip were deleted: where they are is known of the third alone.
  expect(shown([part(0, null), part(10.004, null), part(20, [3])]).filter(([id]) => id === 3)).toEqual(marks(3, 20));
  expect(shown([part(0, [2, 3]), part(10.004, null), part(20, [3])]).filter(([id]) => id === 1)).toEqual(marks(1, 10));
});

test("a highlight of a compilation does not begin before its part", () => {
  const joint = [{ tick: 200, seconds: 10.5, isStart: false }];
  const parts = [
    { start_seconds: 0, highlight_ids: [] },
    { start_seconds: 10, highlight_ids: [1] },
  ];
  expect(clipMarks(joint, [highlight(1, [[200, "one"]])], parts)[0]?.seconds).toBe(10);
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
