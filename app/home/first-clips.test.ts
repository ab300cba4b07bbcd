import { expect, test } from "vitest";
import { firstClips } from "./first-clips.ts";

const ids = (...list: number[]) => list.map((id) => ({ id }));

test("a list that would repeat what one above shows begins with another clip, if it has one", () => {
  expect(firstClips([ids(1, 2, 3), ids(1, 2), ids(2, 1), ids(1, 2), ids(), ids(4)])).toEqual([0, 1, 0, 0, 0, 0]);
  expect(firstClips([ids(1), ids(1)])).toEqual([0, 0]);
});

test("what the address asks for stays, and those below begin with what it leaves", () => {
  expect(firstClips([ids(1, 2), ids(2, 1), ids(1, 2)], [1, null, 0])).toEqual([1, 1, 0]);
  expect(firstClips([ids(1, 2), ids(2, 1)], [5, null])).toEqual([1, 1]);
  expect(firstClips([ids(), ids(1)], [5, 0])).toEqual([0, 0]);
});

test("no list repeats the clip above all of them, unless it has no other or the address asks for that", () => {
  expect(firstClips([ids(1, 2, 3), ids(1, 2, 3)], [], { id: 1 })).toEqual([1, 2]);
  expect(firstClips([ids(1), ids(1, 2)], [], { id: 1 })).toEqual([0, 1]);
  expect(firstClips([ids(1, 2), ids(1, 2)], [0, null], { id: 1 })).toEqual([0, 1]);
});
