import { expect, test } from "vitest";
import type { Side } from "../../../replay/match-record.ts";
import { assignRosters } from "./assign-rosters.ts";

const round = (ct: string, t: string) =>
  new Map<string, Side>([...[...ct].map((id) => [id, "CT"] as const), ...[...t].map((id) => [id, "T"] as const)]);

test("who begins as CT is roster 0 and stays it when sides swap", () => {
  const { teamOf, sides } = assignRosters([round("abc", "xyz"), round("xyz", "abc"), round("abc", "xyz")]);
  expect([...teamOf].filter(([, team]) => team === 0).map(([id]) => id)).toEqual(["a", "b", "c"]);
  expect(sides).toEqual([
    ["CT", "T"],
    ["T", "CT"],
    ["CT", "T"],
  ]);
});

test("a swap is seen although players left and others came", () => {
  const { teamOf, sides } = assignRosters([round("abc", "xyz"), round("xyw", "abd")]);
  expect(sides[1]).toEqual(["T", "CT"]);
  expect(teamOf.get("d")).toBe(0);
  expect(teamOf.get("w")).toBe(1);
});

test("who changes rosters belongs where he played most rounds", () => {
  const { teamOf } = assignRosters([round("abc", "xyz"), round("ab", "xyzc"), round("ab", "xyzc")]);
  expect(teamOf.get("c")).toBe(1);
});

test("a round without anybody keeps the sides", () => {
  const { sides } = assignRosters([round("ab", "xy"), round("xy", "ab"), round("", "")]);
  expect(sides[2]).toEqual(["T", "CT"]);
});
