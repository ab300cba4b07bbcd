import { expect, test } from "vitest";
import { highlightCategories, highlightLabel, highlightTypes } from "./highlight-types.ts";

test("every type has the label of the specification, an unknown one shows its raw value", () => {
  expect(Object.fromEntries(highlightTypes.map((type) => [type, highlightLabel(type)]))).toEqual({
    ace: "Ace",
    quad_kill: "Quad Kill",
    triple_kill: "Triple Kill",
    clutch_1v2: "1v2 Clutch",
    clutch_1v3: "1v3 Clutch",
    clutch_1v4: "1v4 Clutch",
    clutch_1v5: "1v5 Clutch",
    multi_kill: "Multi Kill",
    headshot_streak: "Headshot Streak",
    knife_kill: "Knife Kill",
    wallbang: "Wallbang",
    no_scope: "No Scope",
    through_smoke: "Through Smoke",
    midair_kill: "Midair Kill",
    taser_kill: "Zeus Kill",
    ninja_defuse: "Ninja Defuse",
    one_tap: "One Tap",
    nade_kill: "Nade Kill",
    molly_kill: "Molly Kill",
  });
  expect(highlightLabel("chicken_kill")).toBe("chicken_kill");
  expect(highlightLabel("constructor")).toBe("constructor");
});

test("the filter categories hold the types of the specification", () => {
  expect(highlightCategories).toEqual({
    special: [
      "knife_kill",
      "wallbang",
      "no_scope",
      "through_smoke",
      "midair_kill",
      "taser_kill",
      "ninja_defuse",
      "one_tap",
      "nade_kill",
      "molly_kill",
    ],
    multikill: ["triple_kill", "quad_kill", "ace"],
    clutch: ["clutch_1v2", "clutch_1v3", "clutch_1v4", "clutch_1v5"],
  });
});
