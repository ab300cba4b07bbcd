import { expect, test } from "vitest";
import { clipFilterOf, filterQuery, isFiltered } from "./clip-filter.ts";

test("an address filters by what lists can be filtered by, and by nothing else", () => {
  const read = (query: string) => clipFilterOf(new URLSearchParams(query));
  expect(read("map=de_nuke&type=ace&player=%20Nova%20")).toEqual({ map: "de_nuke", type: "ace", player: "Nova" });
  expect(read("map=&type=&player=&newest=2")).toEqual({});
  expect(read("type=everything")).toEqual({});
  expect(read(`map=${"x".repeat(500)}`).map).toHaveLength(64);
  expect([isFiltered({}), isFiltered({ player: "Nova" })]).toEqual([false, true]);
  expect(String(filterQuery({ map: "de_nuke", player: "a&b" }))).toBe("map=de_nuke&player=a%26b");
});
