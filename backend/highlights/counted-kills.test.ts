import { expect, test } from "vitest";
import { detectHighlights } from "./index.ts";
import { found } from "./testing/brief.ts";
import { MatchBuilder, type RoundBuilder, type RoundSetup } from "./testing/round-builder.ts";

const played = (play: (round: RoundBuilder) => void, setup: RoundSetup = {}, match = new MatchBuilder()) =>
  match.round({ winner: "a", ...setup }, play).build();

test("kills in freeze time and after round_end do not count, the kill on the tick of round_end does", () => {
  const record = played(
    (round) =>
      round.kill(-1, "a1", "b1").kill(10, "a1", "b2").kill(20, "a1", "b3").kill(30, "a1", "b4").kill(31, "a1", "b5"),
    { seconds: 30 },
  );
  expect(found(record)).toEqual(["triple_kill a1 r1"]);
});

test("a team kill, a suicide and a fall do not count", () => {
  const record = played((round) =>
    round
      .kill(10, "a1", "b1")
      .kill(11, "a1", "a2")
      .kill(12, "a1", "b2")
      .kill(13, null, "b3", { weapon: "worldspawn" })
      .kill(14, "a1", "a1", { weapon: "hegrenade" }),
  );
  expect(found(record)).toEqual(["multi_kill a1 r1"]);
});

test("a death that a broken recording tells twice counts once, whatever is said of it", () => {
  const record = played((round) => round.kill(10, "a1", "b1").kill(10, "a1", "b1", { weapon: "awp" }));
  expect(found(record)).toEqual([]);
  const real = played((round) => round.kill(10, "a1", "b1").kill(10, "a1", "b1").kill(10, "a1", "b2"));
  expect(found(real)).toEqual(["multi_kill a1 r1"]);
});

test("team kills are told by the roster when the demo does not say the victim's side", () => {
  const record = played((round) => round.kill(10, "a1", "a2", { victimSide: null, weapon: "knife_t" }));
  expect(found(record)).toEqual([]);
});

test("a bot's kills do not count, being killed by a person does", () => {
  const match = new MatchBuilder(4).person("botA", { team: 0, isBot: true }).person("botB", { team: 1, isBot: true });
  const record = played(
    (round) => round.kill(10, "botA", "b1").kill(11, "botA", "b2").kill(20, "a1", "b3").kill(21, "a1", "botB"),
    {},
    match,
  );
  expect(found(record)).toEqual(["multi_kill a1 r1"]);
});

test("the kills of a person who has taken over a bot are his own", () => {
  const match = new MatchBuilder(4).person("bot", { team: 0, isBot: true });
  const record = played(
    (round) =>
      round
        .kill(5, "a1", "b1")
        .kill(10, "b2", "a1")
        .kill(20, "a1", "b2", { attackerControlsBot: true })
        .kill(30, "a1", "b3", { attackerControlsBot: true }),
    {},
    match,
  );
  expect(found(record)).toEqual(["triple_kill a1 r1"]);
});

test("a coach and a spectator have no highlights", () => {
  const match = new MatchBuilder().person("coach").person("watcher");
  const record = played(
    (round) =>
      round
        .kill(10, "coach", "b1", { attackerSide: "T", weapon: "knife" })
        .kill(11, "watcher", "b2", { attackerSide: null, weapon: "knife" })
        .kill(12, "a1", "b3", { attackerSide: null, weapon: "knife" }),
    {},
    match,
  );
  expect(found(record)).toEqual([]);
});

test("warm-up, knife round and an earlier run of a restored round belong to no counted round", () => {
  const record = new MatchBuilder()
    .round({ winner: "a" }, (round) => round.kill(10, "a1", "b1", { weapon: "knife_t" }))
    .build();
  const [kill] = record.kills;
  record.kills.push({ ...kill!, round: 0 }, { ...kill!, tick: 500, victim: 6 });
  expect(found(record)).toEqual(["knife_kill a1 r1"]);
});

test("two kills are a multi kill up to two seconds apart, and nothing beyond", () => {
  expect(found(played((round) => round.kill(10, "a1", "b1").kill(12, "a1", "b2")))).toEqual(["multi_kill a1 r1"]);
  expect(found(played((round) => round.kill(10, "a1", "b1").kill(12.1, "a1", "b2")))).toEqual([]);
});

test("two kills of one bullet are a multi kill", () => {
  const record = played((round) =>
    round.kill(10, "a1", "b1", { weapon: "awp" }).kill(10, "a1", "b2", { weapon: "awp", penetrated: 1 }),
  );
  expect(found(record)).toEqual(["multi_kill a1 r1", "wallbang a1 r1"]);
});

test("kills of one bullet come in the order of its way, whoever has the lower number", () => {
  const through = (penetrated: number, distance: number) => ({ weapon: "awp", penetrated, distance });
  for (const [near, far] of [
    ["b1", "b2"],
    ["b2", "b1"],
  ] as const) {
    const record = played((round) => round.kill(10, "a1", far, through(2, 30)).kill(10, "a1", near, through(1, 12)));
    const wallbang = detectHighlights(record).find(({ type }) => type === "wallbang");
    expect(wallbang?.victims.map((victim) => record.players[victim]?.name)).toEqual([near, far]);
    expect(wallbang?.reason).toBe("AWP through one wall at 12 m, two kills at once");
  }
});

test("three and four kills have their own types, however long they took", () => {
  const record = played((round) =>
    round
      .kill(2, "a1", "b1")
      .kill(30, "a1", "b2")
      .kill(59, "a1", "b3")
      .kill(3, "b4", "a2")
      .kill(4, "b4", "a3")
      .kill(5, "b4", "a4")
      .kill(6, "b4", "a5"),
  );
  expect(found(record, "triple_kill", "quad_kill", "multi_kill", "ace")).toEqual([
    "quad_kill b4 r1",
    "triple_kill a1 r1",
  ]);
});

test("after the sides have swapped the kills still count for the same player", () => {
  const record = new MatchBuilder()
    .round({ winner: "a", sideOfA: "T" }, (round) => round.kill(10, "a1", "b1").kill(11, "a1", "b2"))
    .round({ winner: "a", sideOfA: "CT" }, (round) => round.kill(10, "a1", "b1").kill(11, "a1", "b2"))
    .round({ winner: "a", sideOfA: "CT", overtime: 1 }, (round) => round.kill(10, "a1", "b1").kill(11, "a1", "b2"))
    .build();
  expect(found(record)).toEqual(["multi_kill a1 r1", "multi_kill a1 r2", "multi_kill a1 r3"]);
});

test("kills of a round the recording stops in count, too", () => {
  const record = played((round) => round.kill(10, "a1", "b1").kill(14, "a1", "b2").kill(15, "a1", "b3"), {
    winner: null,
    finished: false,
    seconds: 15,
    afterSeconds: 0,
  });
  expect(found(record)).toEqual(["triple_kill a1 r1"]);
});
