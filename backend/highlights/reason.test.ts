import { expect, test } from "vitest";
import { detectHighlights } from "./index.ts";
import { type KillSetup, MatchBuilder, type RoundBuilder, type RoundSetup } from "./testing/round-builder.ts";

const untraced = { traced: false };

function reason(type: string, play: (round: RoundBuilder) => void, setup: RoundSetup = {}): string | undefined {
  const record = new MatchBuilder().round({ winner: "a", ...setup }, play).build();
  return detectHighlights(record).find((highlight) => highlight.type === type)?.reason;
}

const one = (type: string, setup: KillSetup) => reason(type, (round) => round.kill(10, "a1", "b1", setup));

test("several kills: how many, how fast, how", () => {
  const play =
    (...setups: KillSetup[]) =>
    (round: RoundBuilder) => {
      for (const [index, setup] of setups.entries())
        round.kill(10 + index * 2.1, "a1", `b${index + 1}`, { ...untraced, ...setup });
    };
  expect(reason("quad_kill", play({}, { throughSmoke: true }, {}, { throughSmoke: true }))).toBe(
    "4 kills in 6.3 s, two through smoke",
  );
  expect(reason("triple_kill", play({ headshot: true }, {}, { penetrated: 1 }))).toBe(
    "3 kills in 4.2 s, one headshot, one through a wall",
  );
  expect(reason("triple_kill", play({ headshot: true }, { headshot: true }, { headshot: true }))).toBe(
    "3 kills in 4.2 s, all headshots",
  );
  expect(
    reason("headshot_streak", play({ headshot: true }, { headshot: true }, { headshot: true, attackerInAir: true })),
  ).toBe("3 headshots in a row in 4.2 s, one in mid-air");
  expect(reason("ace", play({}, {}, {}, {}, { attackerBlind: true }))).toBe("5 kills in 8.4 s, one while blind");
});

test("two kills at once are of one bullet, or of one grenade", () => {
  const both = (setup: KillSetup) => (round: RoundBuilder) =>
    round.kill(10, "a1", "b1", { ...untraced, ...setup }).kill(10, "a1", "b2", { ...untraced, ...setup });
  expect(reason("multi_kill", both({ weapon: "awp" }))).toBe("2 kills with one bullet");
  expect(reason("multi_kill", both({ weapon: "xm1014" }))).toBe("2 kills with one shot");
  expect(reason("multi_kill", both({ weapon: "hegrenade" }))).toBe("2 kills at once");
  expect(reason("nade_kill", both({ weapon: "hegrenade" }))).toBe("Killed by the HE grenade, two kills at once");
});

test("what lasts no tenth of a second happens at once", () => {
  const twoTicksApart = (round: RoundBuilder) =>
    round.kill(10, "a1", "b1", untraced).kill(10 + 2 / 64, "a1", "b2", untraced);
  expect(reason("multi_kill", twoTicksApart)).toBe("2 kills at once");
});

test("a clutch: against how many, and how it was won", () => {
  const alone = (round: RoundBuilder) => {
    for (const number of [2, 3, 4, 5]) round.kill(number, "b1", `a${number}`, untraced);
    return round;
  };
  const away = ["b4", "b5"];
  const killAll = (round: RoundBuilder) =>
    alone(round)
      .kill(10, "a1", "b1", untraced)
      .kill(11, "a1", "b2", untraced)
      .kill(12, "a1", "b3", { ...untraced, headshot: true });
  expect(reason("clutch_1v3", killAll, { away })).toBe("Last alive against three, 3 kills in 7.0 s, one headshot");
  expect(reason("clutch_1v3", (round) => alone(round).kill(10, "a1", "b1", untraced), { away })).toBe(
    "Last alive against three, 1 kill in 5.0 s",
  );
  expect(
    reason("clutch_1v3", (round) => alone(round).kill(10, "a1", "b1", untraced).defuse(20, "a1"), {
      away,
      sideOfA: "CT",
    }),
  ).toBe("Last alive against three, 1 kill and the defuse in 15.0 s");
  const afterOne = (round: RoundBuilder) => killAll(round.kill(1, "a1", "b4", untraced));
  expect(reason("clutch_1v3", afterOne, { away: ["b5"] })).toBe(
    "Last alive against three, 3 more kills in 7.0 s, one headshot",
  );
  expect(reason("clutch_1v3", (round) => alone(round).defuse(20, "a1"), { away, sideOfA: "CT" })).toBe(
    "Last alive against three, won by the defuse",
  );
  expect(reason("clutch_1v3", alone, { away, reason: "time_ran_out" })).toBe("Last alive against three, won on time");
  expect(reason("clutch_1v3", alone, { away, reason: "hostages_rescued" })).toBe(
    "Last alive against three, won by the rescue",
  );
});

test("special kills: with what, how, from how far", () => {
  expect(one("wallbang", { ...untraced, weapon: "awp", penetrated: 2, distance: 31.4 })).toBe(
    "AWP through two walls at 31 m",
  );
  expect(one("wallbang", { ...untraced, weapon: "ak47", penetrated: 1, headshot: true })).toBe(
    "AK-47 through one wall, headshot",
  );
  expect(one("no_scope", { ...untraced, weapon: "ssg08", noScope: true })).toBe("SSG 08 without the scope");
  expect(one("through_smoke", { ...untraced, weapon: "m4a1", throughSmoke: true, distance: 12 })).toBe(
    "M4A4 through smoke at 12 m",
  );
  expect(one("midair_kill", { ...untraced, weapon: "mp9", attackerInAir: true, attackerBlind: true })).toBe(
    "MP9 in mid-air, while blind",
  );
  expect(one("one_tap", { weapon: "deagle", headshot: true, distance: 20 })).toBe(
    "One Desert Eagle bullet to the head at 20 m",
  );
  expect(one("knife_kill", { ...untraced, weapon: "knife_t" })).toBe("Killed with the knife");
  expect(one("knife_kill", { ...untraced, weapon: "knife_karambit" })).toBe("Killed with the Karambit");
  expect(one("taser_kill", { ...untraced, weapon: "taser", distance: 3.6 })).toBe("Zeus kill at 4 m");
  expect(one("nade_kill", { ...untraced, weapon: "flashbang" })).toBe("Direct hit with the Flashbang");
  expect(one("molly_kill", { ...untraced, weapon: "inferno", distance: 20 })).toBe("Burned to death");
});

test("a ninja defuse: how many terrorists were alive", () => {
  const defused = (dead: number) =>
    reason(
      "ninja_defuse",
      (round) => {
        for (let number = 1; number <= dead; number += 1) round.kill(number, "b2", `a${number}`, untraced);
        round.defuse(40, "b1");
      },
      { winner: "b" },
    );
  expect(defused(4)).toBe("Defused with one terrorist alive");
  expect(defused(2)).toBe("Defused with three terrorists alive");
});
