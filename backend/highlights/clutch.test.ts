import { expect, test } from "vitest";
import { detectHighlights } from "./index.ts";
import { found } from "./testing/brief.ts";
import { MatchBuilder, type RoundBuilder, type RoundSetup } from "./testing/round-builder.ts";

const played = (play: (round: RoundBuilder) => void, setup: RoundSetup = {}, match = new MatchBuilder()) =>
  match.round({ winner: "a", ...setup }, play).build();

const clutches = ["clutch_1v2", "clutch_1v3", "clutch_1v4", "clutch_1v5"];

/** Kills `victims`, one a second from second 1, by distant opponents so that no other highlight arises. */
const lose = (round: RoundBuilder, killer: string, ...victims: string[]) => {
  for (const [index, victim] of victims.entries()) round.kill(1 + index * 5, killer, victim);
  return round;
};

test("every size of clutch is counted from the opponents alive at the moment the player became the last", () => {
  for (const opponents of [2, 3, 4, 5]) {
    const record = played((round) => {
      for (let number = 5; number > opponents; number -= 1) round.kill(1, "a2", `b${number}`);
      lose(round, "b1", "a2", "a3", "a4", "a5");
      for (let number = 1; number <= opponents; number += 1) round.kill(30 + number * 4, "a1", `b${number}`);
    });
    expect(found(record, ...clutches)).toEqual([`clutch_1v${opponents} a1 r1`]);
  }
});

test("a 1v1 is none, a lost or saved 1v3 is none, and one of an unfinished round is none", () => {
  const play = (round: RoundBuilder) => lose(round, "b1", "a2", "a3", "a4", "a5");
  const downToOne = played((round) => {
    round.kill(0.5, "a1", "b2").kill(4, "a1", "b3").kill(9, "a1", "b4").kill(12, "a1", "b5");
    play(round).kill(30, "a1", "b1");
  });
  expect(found(downToOne, ...clutches)).toEqual([]);
  expect(found(played(play, { winner: "b" }), ...clutches)).toEqual([]);
  expect(found(played(play, { winner: null, finished: false }), ...clutches)).toEqual([]);
  expect(found(played(play, { winner: null, reason: "draw" }), ...clutches)).toEqual([]);
});

test("being the last one against two counts even when a 1v1 is left a moment later", () => {
  const record = played((round) => {
    lose(round, "b1", "a2", "a3", "a4");
    round
      .kill(20, "a5", "b3")
      .kill(21, "a5", "b4")
      .kill(22, "a5", "b5")
      .kill(25, "b1", "a5")
      .kill(30, "a1", "b1")
      .kill(50, "a1", "b2");
  });
  const [clutch] = detectHighlights(record).filter(({ type }) => type === "clutch_1v2");
  const [round] = record.rounds;
  expect(clutch).toMatchObject({
    startTick: round!.freezeEndTick + 25 * 64,
    endTick: round!.freezeEndTick + 50 * 64,
    victims: [5, 6],
  });
});

test("a fall, a suicide, the bomb and a disconnect leave a player alone just as a kill does", () => {
  for (const loss of [
    (round: RoundBuilder) => round.kill(25, null, "a5", { weapon: "worldspawn" }),
    (round: RoundBuilder) => round.kill(25, "a5", "a5", { weapon: "inferno" }),
    (round: RoundBuilder) => round.kill(25, null, "a5", { weapon: "planted_c4" }),
    (round: RoundBuilder) => round.death(25, "a5", "bomb"),
    (round: RoundBuilder) => round.leave(25, "a5"),
  ]) {
    const record = played((round) => {
      lose(round, "b1", "a2", "a3", "a4");
      loss(round)
        .kill(30, "a1", "b1")
        .kill(35, "a1", "b2")
        .kill(40, "a1", "b3")
        .kill(45, "a1", "b4")
        .kill(50, "a1", "b5");
    });
    expect(found(record, ...clutches)).toEqual(["clutch_1v5 a1 r1"]);
  }
});

test("an opponent who left does not count among the opponents", () => {
  const record = played((round) => {
    round.leave(2, "b5").leave(3, "b4");
    lose(round, "b1", "a2", "a3", "a4", "a5").kill(30, "a1", "b1").kill(35, "a1", "b2").kill(40, "a1", "b3");
  });
  expect(found(record, ...clutches)).toEqual(["clutch_1v3 a1 r1"]);
});

test("the disconnect of a dead player changes nothing", () => {
  const record = played((round) => {
    lose(round, "b1", "a2", "a3").leave(20, "a2").leave(21, "a3");
    round.kill(30, "a1", "b1").kill(35, "a1", "b2").kill(40, "a1", "b3").kill(45, "a1", "b4").kill(50, "a1", "b5");
  });
  expect(found(record, ...clutches)).toEqual([]);
});

test("a dead player who leaves takes no living bot with him", () => {
  const match = new MatchBuilder(4).person("bot", { team: 0, isBot: true });
  const record = played(
    (round) => {
      lose(round, "b1", "a2", "a3", "a4").leave(20, "a2");
      round.kill(30, "a1", "b1").kill(35, "a1", "b2").kill(40, "a1", "b3").kill(45, "a1", "b4");
    },
    {},
    match,
  );
  expect(found(record, ...clutches)).toEqual([]);
});

test("a death recorded twice on one tick is one death", () => {
  const match = new MatchBuilder(4).person("bot", { team: 0, isBot: true });
  const record = played(
    (round) => {
      lose(round, "b1", "a2", "a3").kill(20, "b1", "a4").death(20, "a4", "world");
      round.kill(30, "a1", "b1").kill(35, "a1", "b2").kill(40, "a1", "b3").kill(45, "a1", "b4");
    },
    {},
    match,
  );
  expect(found(record, ...clutches)).toEqual([]);
});

test("the team kill that leaves the killer alone starts his clutch, but is not one of its kills", () => {
  const record = played((round) => {
    lose(round, "b1", "a2", "a3", "a4").kill(20, "a1", "a5");
    round.kill(30, "a1", "b1").kill(35, "a1", "b2").kill(36, "a1", "b3").kill(45, "a1", "b4").kill(50, "a1", "b5");
  });
  const [clutch] = detectHighlights(record).filter(({ type }) => type === "clutch_1v5");
  expect(clutch?.victims).toEqual([5, 6, 7, 8, 9]);
});

test("of losses on one tick only the outcome counts", () => {
  const record = played((round) => {
    lose(round, "b1", "a2", "a3").kill(20, "b1", "a4").kill(20, "b2", "a5").kill(20, "a1", "b3");
    round.kill(30, "a1", "b1").kill(35, "a1", "b2").kill(36, "a1", "b4").kill(45, "a1", "b5");
  });
  expect(found(record, ...clutches)).toEqual(["clutch_1v4 a1 r1"]);
  const [clutch] = detectHighlights(record).filter(({ type }) => type === "clutch_1v4");
  expect(clutch?.victims.map((victim) => record.players[victim]?.name)).toEqual(["b1", "b2", "b4", "b5"]);
});

test("a player who is alone from freeze end on clutches from there", () => {
  const record = played((round) => round.kill(30, "a1", "b1").kill(35, "a1", "b2"), {
    away: ["a2", "a3", "a4", "a5", "b3", "b4", "b5"],
  });
  const [clutch] = detectHighlights(record).filter(({ type }) => type === "clutch_1v2");
  expect(clutch?.startTick).toBe(record.rounds[0]?.freezeEndTick);
});

test("somebody who joined late and fights is a living team-mate", () => {
  const record = played(
    (round) => {
      lose(round, "b1", "a2", "a3", "a4").shot(22, "a5");
      round.kill(30, "a1", "b1").kill(35, "a1", "b2").kill(40, "a1", "b3").kill(45, "a1", "b4").kill(50, "a1", "b5");
    },
    { away: ["a5"] },
  );
  expect(found(record, ...clutches)).toEqual([]);
});

test("a bot is a living team-mate, and its own clutch is nobody's highlight", () => {
  const match = () => new MatchBuilder(4).person("bot", { team: 0, isBot: true });
  const withBot = played(
    (round) =>
      lose(round, "b1", "a2", "a3", "a4")
        .kill(30, "a1", "b1")
        .kill(35, "a1", "b2")
        .kill(40, "a1", "b3")
        .kill(45, "a1", "b4"),
    {},
    match(),
  );
  expect(found(withBot, ...clutches)).toEqual([]);
  const botAlone = played(
    (round) =>
      lose(round, "b1", "a2", "a3", "a4", "a1")
        .kill(30, "bot", "b1")
        .kill(35, "bot", "b2")
        .kill(40, "bot", "b3")
        .kill(45, "bot", "b4"),
    {},
    match(),
  );
  expect(found(botAlone, ...clutches)).toEqual([]);
});

test("who takes over the last living bot clutches, and dies in it", () => {
  const taken = (round: RoundBuilder) =>
    lose(round, "b1", "a2", "a3", "a4", "a1")
      .kill(30, "a1", "b1", { attackerControlsBot: true })
      .kill(35, "a1", "b2", { attackerControlsBot: true });
  const match = () => new MatchBuilder(4).person("bot", { team: 0, isBot: true });
  expect(found(played(taken, { away: ["b3", "b4"] }, match()), ...clutches)).toEqual(["clutch_1v2 a1 r1"]);
  const lostAgain = played((round) => taken(round).kill(40, "b3", "a1").kill(45, "b3", "a1"), { winner: "b" }, match());
  expect(found(lostAgain, ...clutches)).toEqual([]);
});

test("who came too late for a body of his own and takes over the bot falls with it", () => {
  const match = new MatchBuilder().person("bot", { team: 0, isBot: true });
  const record = played(
    (round) =>
      lose(round, "b1", "a2", "a3", "a4")
        .kill(18, "a5", "b5", { attackerControlsBot: true })
        .kill(20, "b1", "a5")
        .kill(30, "a1", "b1")
        .kill(35, "a1", "b2"),
    { away: ["a5", "b3", "b4"] },
    match,
  );
  expect(found(record, ...clutches)).toEqual(["clutch_1v2 a1 r1"]);
});

test("who came too late, takes over a bot, only shoots and dies takes no life but the bot's", () => {
  const match = new MatchBuilder().person("bot", { team: 0, isBot: true });
  const record = played(
    (round) =>
      lose(round, "b1", "a2", "a3", "a4")
        .shot(18, "a5", "ak47", { controlsBot: true })
        .kill(20, "b1", "a5")
        .kill(30, "a1", "b1")
        .kill(35, "a1", "b2"),
    { away: ["a5", "b3", "b4", "b5"] },
    match,
  );
  expect(found(record, ...clutches)).toEqual(["clutch_1v2 a1 r1"]);
});

test("a round in which nobody knows who was left has no clutch", () => {
  const lost = (round: RoundBuilder) => lose(round, "b1", "a2", "a3", "a4", "a5").kill(30, "a1", "b1");
  const setup = { away: ["b4", "b5"] };
  expect(found(played(lost, setup), ...clutches)).toEqual(["clutch_1v3 a1 r1"]);
  expect(
    found(
      played((round) => lost(round).loseTrack(), setup),
      ...clutches,
    ),
  ).toEqual([]);
});

test("a defuse told twice is one moment of its clutch", () => {
  const record = played((round) => lose(round, "b1", "a2", "a3", "a4", "a5").defuse(40, "a1").defuse(40, "a1"), {
    away: ["b4", "b5"],
    sideOfA: "CT",
  });
  expect(detectHighlights(record).find(({ type }) => type === "clutch_1v3")?.moments).toHaveLength(1);
});

test("a person in a bot's body is a living opponent until that body falls", () => {
  const match = new MatchBuilder().person("bot", { team: 1, isBot: true });
  const record = played(
    (round) => {
      lose(round, "b1", "a2", "a3", "a4").kill(22, "a1", "b1").kill(25, "b2", "a5");
      round.kill(40, "a1", "b1").kill(45, "a1", "b2");
    },
    { away: ["b3", "b4", "b5"] },
    match,
  );
  expect(found(record, ...clutches)).toEqual(["clutch_1v2 a1 r1"]);
});

test("a clutch won by the bomb or the clock without a kill lasts until the round's end", () => {
  const record = played((round) => lose(round, "b1", "a2", "a3", "a4", "a5"), { reason: "target_bombed" });
  const [clutch] = detectHighlights(record).filter(({ type }) => type === "clutch_1v5");
  expect(clutch).toMatchObject({ moments: [], victims: [], endTick: record.rounds[0]?.endTick });
  expect(clutch?.reason).toBe("Last alive against five, won by the bomb");
});

test("the defuse that wins a clutch is one of its moments", () => {
  const record = played(
    (round) => lose(round, "b1", "a2", "a3", "a4", "a5").kill(30, "a1", "b1").kill(31, "a1", "b2").defuse(60, "a1"),
    { reason: "bomb_defused", sideOfA: "CT", away: ["b4", "b5"] },
  );
  const [clutch] = detectHighlights(record).filter(({ type }) => type === "clutch_1v3");
  expect(clutch?.moments.map(({ kind }) => kind)).toEqual(["kill", "kill", "defuse"]);
  expect(clutch?.endTick).toBe(record.rounds[0]?.endTick);
});

test("only the winning side has a clutch when both sides are down to one", () => {
  const record = played((round) => {
    lose(round, "b1", "a2", "a3", "a4", "a5");
    round.kill(30, "a1", "b2").kill(32, "a1", "b3").kill(34, "a1", "b4").kill(36, "a1", "b5").kill(40, "a1", "b1");
  });
  expect(found(record, ...clutches)).toEqual(["clutch_1v5 a1 r1"]);
});
