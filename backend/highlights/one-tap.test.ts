import { expect, test } from "vitest";
import { found } from "./testing/brief.ts";
import { type KillSetup, MatchBuilder, type RoundBuilder } from "./testing/round-builder.ts";

const oneTaps = (play: (round: RoundBuilder) => void) =>
  found(new MatchBuilder().round({ winner: "b" }, play).build(), "one_tap");
const tap = (round: RoundBuilder, setup: KillSetup = {}) => round.kill(10, "a1", "b1", { headshot: true, ...setup });

test("a headshot with the first bullet for a second on a fresh victim is a one tap", () => {
  for (const weapon of ["ak47", "deagle", "usp_silencer_off", "mp9", "negev"]) {
    expect(
      oneTaps((round) => tap(round, { weapon })),
      weapon,
    ).toEqual(["one_tap a1 r1"]);
  }
});

test("snipers, shotguns, the Zeus and body hits give none", () => {
  for (const weapon of ["awp", "ssg08", "nova", "xm1014", "taser", "knife"]) {
    expect(
      oneTaps((round) => tap(round, { weapon })),
      weapon,
    ).toEqual([]);
  }
  expect(oneTaps((round) => tap(round, { headshot: false }))).toEqual([]);
});

test("a bullet in the second before makes it none, a second before it does not", () => {
  expect(oneTaps((round) => tap(round.shot(9.1, "a1")))).toEqual([]);
  expect(oneTaps((round) => tap(round.shot(9, "a1")))).toEqual(["one_tap a1 r1"]);
});

test("only bullets count: a knife slash, a grenade or somebody else's shot before it do not", () => {
  const played = (round: RoundBuilder) =>
    round.shot(9.5, "a1", "weapon_knife").shot(9.6, "a1", "hegrenade").shot(9.8, "a2", "weapon_ak47");
  expect(oneTaps((round) => tap(played(round)))).toEqual(["one_tap a1 r1"]);
  expect(oneTaps((round) => tap(round.shot(9.8, "a1", "weapon_usp_silencer")))).toEqual([]);
});

test("a victim who was hurt before in the round, by anything, was not at full health", () => {
  expect(oneTaps((round) => tap(round.hurt(3, "a2", "b1", 12, 88)))).toEqual([]);
  expect(oneTaps((round) => tap(round.hurt(3, null, "b1", 1, 99, "world")))).toEqual([]);
  expect(oneTaps((round) => tap(round.hurt(10, "a2", "b1", 30, 70)))).toEqual([]);
});

test("health starts anew for who comes to life again within a round", () => {
  const hurt = (round: RoundBuilder) => round.hurt(3, "a2", "b1", 12, 88);
  expect(oneTaps((round) => tap(hurt(round).death(5, "b1", "world")))).toEqual(["one_tap a1 r1"]);
  expect(oneTaps((round) => tap(hurt(round.death(2, "b1", "world"))))).toEqual([]);
});

test("health starts anew with the round", () => {
  const record = new MatchBuilder()
    .round({ winner: "b" }, (round) => round.hurt(50, "a1", "b1", 80, 20))
    .round({ winner: "b" }, (round) => tap(round))
    .build();
  expect(found(record, "one_tap")).toEqual(["one_tap a1 r2"]);
});

test("a kill whose bullet or damage the demo does not tell cannot be proved to be one", () => {
  expect(oneTaps((round) => tap(round, { traced: false }))).toEqual([]);
  expect(oneTaps((round) => tap(round, { traced: false }).shot(10, "a1"))).toEqual([]);
  expect(oneTaps((round) => tap(round, { traced: false }).hurt(10, "a1", "b1", 110, 0))).toEqual([]);
});

test("one bullet through two heads is one highlight", () => {
  expect(oneTaps((round) => tap(round).kill(10, "a1", "b2", { headshot: true }))).toEqual(["one_tap a1 r1"]);
});
