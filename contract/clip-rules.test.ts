import { expect, test } from "vitest";
import { clipName, type NameableHighlight, postTimeAdjustment, preTimeAdjustment } from "./clip-rules.ts";
import { highlightTypes } from "./highlight-types.ts";

const highlight = (changes: Partial<NameableHighlight> = {}): NameableHighlight => ({
  highlight_type: "clutch_1v3",
  display_name: null,
  player_name: "Nova",
  round_number: 8,
  kills_count: 3,
  ...changes,
});
const name = (...changes: Partial<NameableHighlight>[]) => clipName(changes.map(highlight), "Dust II");

test("one highlight names player, map, round and label; its display name wins over the label", () => {
  expect(name({})).toBe("Nova - Dust II Round 8 - 1v3 Clutch");
  expect(name({ display_name: "Clutch for the half" })).toBe("Nova - Dust II Round 8 - Clutch for the half");
  expect(name({ highlight_type: "chicken_kill" })).toBe("Nova - Dust II Round 8 - chicken_kill");
});

test("several highlights of one player name the rounds from first to last, or the only one", () => {
  expect(name({ round_number: 12 }, { round_number: 3 }, { round_number: 8 })).toBe(
    "Nova - Dust II Round 3-12 - 3 Highlights",
  );
  expect(name({}, { highlight_type: "ace" })).toBe("Nova - Dust II Round 8 - 2 Highlights");
});

test("two players are joined, more become others", () => {
  expect(name({}, { player_name: "Dune", round_number: 9 })).toBe("Nova & Dune - Dust II Round 8-9 - 2 Highlights");
  expect(name({}, { player_name: "Dune" }, { player_name: "Kestrel" }, { player_name: "Nova" })).toBe(
    "Nova & 2 others - Dust II Round 8 - 4 Highlights",
  );
});

test("without highlights there is no name", () => {
  expect(name()).toBe("");
});

test("a clip begins two seconds early", () => {
  expect(preTimeAdjustment).toBe(2);
});

test("a clip of simple kinds or single kills ends 1.5 s early, any other in time", () => {
  const ends = (...changes: Partial<NameableHighlight>[]) => postTimeAdjustment(changes.map(highlight));
  const short = highlightTypes.filter((type) => ends({ highlight_type: type, kills_count: 2 }) === -1.5);
  expect(short.sort()).toEqual([
    "knife_kill",
    "midair_kill",
    "molly_kill",
    "nade_kill",
    "no_scope",
    "one_tap",
    "taser_kill",
    "through_smoke",
    "wallbang",
  ]);
  const single = { kills_count: 1 };
  expect(ends({ ...single, highlight_type: "ninja_defuse" })).toBe(-1.5);
  for (const type of ["triple_kill", "quad_kill", "ace", "clutch_1v2", "clutch_1v5"]) {
    expect(ends({ ...single, highlight_type: type }), type).toBe(0);
  }
  expect(ends({ highlight_type: "wallbang" }, { ...single, highlight_type: "multi_kill" })).toBe(-1.5);
  expect(ends({ highlight_type: "wallbang" }, { highlight_type: "ace" })).toBe(0);
  expect(ends()).toBe(0);
});
