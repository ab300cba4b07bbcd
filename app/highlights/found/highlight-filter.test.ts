import { expect, test } from "vitest";
import {
  highlightFilterOf,
  highlightsAddress,
  matchWithTicks,
  maxPicks,
  picksByMatch,
  picksOf,
} from "./highlight-filter.ts";

test("an address asks for days, a weapon and what clips are found by, and what is no day is left out", () => {
  const read = (query: string) => highlightFilterOf(new URLSearchParams(query));
  expect(read("type=ace&weapon=awp&from=2026-11-01&until=2026-02-30&player=all")).toEqual({
    ...{ type: "ace", weapon: "awp", from: "2026-11-01", player: "all" },
  });
  expect(read("player=&whose=all")).toEqual({ player: "all" });
  expect(read("player=Nova&whose=all")).toEqual({ player: "Nova" });
  expect(read("from=yesterday&weapon=&map=de_nuke")).toEqual({ map: "de_nuke" });
});

test("what is ticked is sorted by its match, each once, and leads to that match with the same ticks", () => {
  const { picked, leftOut } = picksOf(
    new URLSearchParams("pick=m1:7&pick=m2:3&pick=m1:5&pick=m1:7&pick=:4&pick=m1:x&pick=../m:1"),
  );
  expect(leftOut).toBe(0);
  expect(picked).toEqual(["m1:7", "m2:3", "m1:5"]);
  expect(highlightsAddress({ map: "de_nuke" }, 2, picked.slice(0, 1))).toBe(
    "/highlights?map=de_nuke&page=2&pick=m1%3A7",
  );
  const picks = picksByMatch(picked);
  expect([...picks]).toEqual([
    ["m1", [7, 5]],
    ["m2", [3]],
  ]);
  expect(matchWithTicks("m1", [7, 5])).toBe("/matches/m1?highlight=7&highlight=5");
});

test("more ticks than an address can hold are counted, also on the way to another list", () => {
  const ticks = Array.from({ length: maxPicks + 3 }, (_, i) => `pick=m${i}:1`).join("&");
  const { picked, leftOut } = picksOf(new URLSearchParams(ticks));
  expect([picked.length, picked.at(-1), leftOut]).toEqual([maxPicks, `m${maxPicks - 1}:1`, 3]);
  expect(picksOf(new URLSearchParams("pick=m1:7&left_out=3"))).toEqual({ picked: ["m1:7"], leftOut: 3 });
  expect(picksOf(new URLSearchParams("left_out=-3"))).toEqual({ picked: [], leftOut: 0 });
});
