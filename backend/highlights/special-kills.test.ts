import { expect, test } from "vitest";
import { detectHighlights } from "./index.ts";
import { found } from "./testing/brief.ts";
import { type KillSetup, MatchBuilder } from "./testing/round-builder.ts";

const kill = (setup: KillSetup) =>
  found(
    new MatchBuilder()
      .round({ winner: "b" }, (round) => round.kill(10, "a1", "b1", { traced: false, ...setup }))
      .build(),
  );

test("each special kill has its type", () => {
  const cases: [KillSetup, string[]][] = [
    [{ weapon: "knife" }, ["knife_kill"]],
    [{ weapon: "knife_karambit" }, ["knife_kill"]],
    [{ weapon: "bayonet" }, ["knife_kill"]],
    [{ weapon: "taser" }, ["taser_kill"]],
    [{ weapon: "ak47", penetrated: 1 }, ["wallbang"]],
    [{ weapon: "awp", noScope: true }, ["no_scope"]],
    [{ weapon: "ssg08", noScope: true }, ["no_scope"]],
    [{ weapon: "scar20", noScope: true }, ["no_scope"]],
    [{ weapon: "g3sg1", noScope: true }, ["no_scope"]],
    [{ weapon: "aug", noScope: true }, []],
    [{ throughSmoke: true }, ["through_smoke"]],
    [{ attackerInAir: true }, ["midair_kill"]],
    [{ weapon: "hegrenade" }, ["nade_kill"]],
    [{ weapon: "flashbang" }, ["nade_kill"]],
    [{ weapon: "smokegrenade" }, ["nade_kill"]],
    [{ weapon: "decoy" }, ["nade_kill"]],
    [{ weapon: "molotov" }, ["nade_kill"]],
    [{ weapon: "incgrenade" }, ["nade_kill"]],
    [{ weapon: "inferno" }, ["molly_kill"]],
    [{ headshot: true, attackerBlind: true, flashAssist: true }, []],
  ];
  for (const [setup, types] of cases)
    expect(kill(setup), JSON.stringify(setup)).toEqual(types.map((type) => `${type} a1 r1`));
});

test("one kill of several types gives each, and every one lists all flags", () => {
  const record = new MatchBuilder()
    .round({ winner: "a" }, (round) =>
      round.kill(10, "a1", "b1", {
        weapon: "awp",
        noScope: true,
        throughSmoke: true,
        penetrated: 2,
        attackerInAir: true,
        headshot: true,
      }),
    )
    .build();
  expect(found(record)).toEqual(["midair_kill a1 r1", "no_scope a1 r1", "through_smoke a1 r1", "wallbang a1 r1"]);
  for (const { moments } of detectHighlights(record)) {
    expect(moments[0]?.flags).toEqual(["headshot", "wallbang", "no_scope", "through_smoke", "midair"]);
  }
});

test("two wallbangs in a round are two highlights, of one bullet they are one", () => {
  const apart = new MatchBuilder().round({ winner: "a" }, (round) =>
    round.kill(10, "a1", "b1", { penetrated: 1 }).kill(20, "a1", "b2", { penetrated: 1 }),
  );
  expect(found(apart.build())).toEqual(["wallbang a1 r1", "wallbang a1 r1"]);
  const together = new MatchBuilder().round({ winner: "a" }, (round) =>
    round.kill(10, "a1", "b1", { penetrated: 1 }).kill(10, "a1", "b2", { penetrated: 2 }),
  );
  const [wallbang, ...others] = detectHighlights(together.build()).filter(({ type }) => type === "wallbang");
  expect(others).toEqual([]);
  expect(wallbang?.victims).toEqual([5, 6]);
  expect(wallbang?.moments.every(({ flags }) => flags.includes("collateral"))).toBe(true);
});

test("two players' wallbangs on one tick are two highlights", () => {
  const record = new MatchBuilder()
    .round({ winner: "a" }, (round) =>
      round.kill(10, "a1", "b1", { penetrated: 1 }).kill(10, "a2", "b2", { penetrated: 1 }),
    )
    .build();
  expect(found(record)).toEqual(["wallbang a1 r1", "wallbang a2 r1"]);
});
