import { expect, test } from "vitest";
import { matchPaging, pageFromQuery } from "./match-paging.ts";

test("arrows appear from seven loaded matches on", () => {
  expect(matchPaging(1, 6, 6, false).showArrows).toBe(false);
  expect(matchPaging(1, 7, 7, false).showArrows).toBe(true);
});

test("a later page counts the matches before it as loaded, even when it is empty", () => {
  expect(matchPaging(2, 1, 10, false)).toMatchObject({ showArrows: true, previous: 1, next: null, lastPage: 2 });
  expect(matchPaging(2, 0, 9, false)).toMatchObject({ showArrows: true, previous: 1 });
});

test("the next page follows what the server reports", () => {
  expect(matchPaging(1, 9, 14, true)).toMatchObject({ previous: null, next: 2, lastPage: 2 });
  expect(matchPaging(1, 9, 9, false).next).toBeNull();
});

test("a page of an address that is none is page 1", () => {
  for (const query of ["", "page=0", "page=-3", "page=abc", "page=1.5", "page=Infinity"]) {
    expect(pageFromQuery(new URLSearchParams(query))).toBe(1);
  }
  expect(pageFromQuery(new URLSearchParams("page=4"))).toBe(4);
});
