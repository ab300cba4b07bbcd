import { expect, test } from "vitest";
import { groupLabels } from "./group-labels.ts";

test("groups of clips have names of their own, of one map too", () => {
  expect(groupLabels(["Dust II", "Nuke", "Dust II", "Dust II"])).toEqual([
    "Clips of Dust II",
    "Clips of Nuke",
    "Clips of Dust II, match 2",
    "Clips of Dust II, match 3",
  ]);
});
