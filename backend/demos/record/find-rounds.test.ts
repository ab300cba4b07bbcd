import { expect, test } from "vitest";
import type { DemoEvent } from "./demo-events.ts";
import { findRounds } from "./find-rounds.ts";

/** Writes round events as a server sends them: derived events with letters for sides, raw events of older servers with numbers. */
class Recording {
  readonly events: DemoEvent[] = [];
  tick = 0;
  played = 0;
  score = { T: 0, CT: 0 };
  overtime = 0;

  constructor(private readonly legacy = false) {}

  add(name: string, facts: Record<string, unknown> = {}): this {
    this.events.push({
      event_name: name,
      tick: this.tick,
      total_rounds_played: this.played,
      is_warmup_period: false,
      t_team_rounds_total: this.score.T,
      ct_team_rounds_total: this.score.CT,
      "CCSGameRulesProxy.CCSGameRules.m_nOvertimePlaying": this.overtime,
      ...facts,
    });
    return this;
  }

  begin(): this {
    this.add("round_start", { round: this.played + 1 });
    if (this.legacy) this.add("round_start", { timelimit: 115 });
    this.tick += 100;
    return this.add("round_freeze_end");
  }

  end(winner: "T" | "CT", reason = winner === "T" ? "ct_killed" : "t_killed"): this {
    this.tick += 1000;
    if (this.legacy) this.add("round_end", { winner: winner === "T" ? 2 : 3, reason: winner === "T" ? 9 : 8 });
    this.played++;
    this.score[winner]++;
    this.add("round_end", { winner, reason });
    this.tick += 300;
    return this.add("round_officially_ended");
  }

  round(winner: "T" | "CT", reason?: string): this {
    return this.begin().end(winner, reason);
  }

  restart(played = 0): this {
    this.played = played;
    this.score = { T: 0, CT: 0 };
    return this;
  }

  found() {
    return findRounds(this.events, this.tick);
  }
}

test("rounds have their ticks, winner, reason and the score before", () => {
  const recording = new Recording();
  recording.tick = 50;
  const rounds = recording.round("T").round("CT", "bomb_defused").round("T", "bomb_exploded").found();
  expect(rounds).toEqual([
    {
      number: 1,
      startTick: 50,
      freezeEndTick: 150,
      endTick: 1150,
      officialEndTick: 1450,
      finished: true,
      winner: "T",
      reason: "t_eliminated_ct",
      overtime: 0,
      scoreBefore: { T: 0, CT: 0 },
    },
    expect.objectContaining({ number: 2, startTick: 1450, winner: "CT", reason: "bomb_defused" }),
    expect.objectContaining({ number: 3, winner: "T", reason: "target_bombed", scoreBefore: { T: 1, CT: 1 } }),
  ]);
});

test("servers that send round events twice change nothing", () => {
  const twice = new Recording(true).round("T").round("CT").round("CT").found();
  expect(twice).toEqual(new Recording().round("T").round("CT").round("CT").found());
});

test("raw round events alone are enough", () => {
  const recording = new Recording(true).round("T").round("CT");
  recording.events.splice(
    0,
    recording.events.length,
    ...recording.events.filter((event) => event.event_name !== "round_end" || typeof event.winner === "number"),
  );
  expect(recording.found().map((round) => [round.winner, round.reason])).toEqual([
    ["T", "t_eliminated_ct"],
    ["CT", "ct_eliminated_t"],
  ]);
});

test("warm-up has no rounds", () => {
  const recording = new Recording();
  recording.add("round_freeze_end", { is_warmup_period: true });
  recording.tick += 500;
  expect(
    recording
      .round("T")
      .found()
      .map((round) => round.number),
  ).toEqual([1]);
});

test("a knife round before the match is replaced by its first round", () => {
  const rounds = new Recording().round("CT").restart().round("T").round("T").found();
  expect(rounds.map((round) => [round.number, round.startTick, round.winner])).toEqual([
    [1, 1400, "T"],
    [2, 2800, "T"],
  ]);
});

test("a knife round and a recording that stops in the first round leave that round", () => {
  const recording = new Recording().round("CT").restart().begin();
  recording.tick += 200;
  expect(recording.found()).toMatchObject([{ number: 1, finished: false, winner: null, endTick: recording.tick }]);
});

test("a round broken off by a restart of it does not count", () => {
  const recording = new Recording().round("T").begin();
  recording.tick += 400;
  const rounds = recording.round("CT").found();
  expect(rounds.map((round) => [round.number, round.winner])).toEqual([
    [1, "T"],
    [2, "CT"],
  ]);
  expect(rounds[1]?.startTick).toBe(1400 + 100 + 400);
});

test("rounds restored from a backup replace their first run", () => {
  const recording = new Recording().round("T").round("T").round("T").round("T").restart(2);
  const rounds = recording.round("CT").round("CT").round("CT").found();
  expect(rounds.map((round) => [round.number, round.winner])).toEqual([
    [1, "T"],
    [2, "T"],
    [3, "CT"],
    [4, "CT"],
    [5, "CT"],
  ]);
});

test("a match that is restarted replaces what was played of it, however much that was", () => {
  const restarted = new Recording().round("T").round("T").round("T").restart().round("CT").round("T").found();
  expect(restarted.map((round) => [round.number, round.winner])).toEqual([
    [1, "CT"],
    [2, "T"],
  ]);
});

test("a restart of which one round was played replaces the match where the game says that it began anew", () => {
  const recording = new Recording().round("T").round("T").round("T").restart().add("begin_new_match").round("CT");
  expect(recording.found()).toMatchObject([{ number: 1, winner: "CT" }]);
  const undecided = new Recording().round("T").round("T").restart().add("begin_new_match").begin();
  expect(undecided.found()).toMatchObject([{ winner: "T" }, { winner: "T" }]);
});

test("a match abandoned with more wins than a wingman match needs is replaced by its restart", () => {
  const abandoned = new Recording();
  for (let round = 0; round < 12; round++) abandoned.round("T");
  const rounds = abandoned.restart().round("CT").round("CT").found();
  expect(rounds.map((round) => round.winner)).toEqual(["CT", "CT"]);
  const swapped = new Recording();
  for (let round = 0; round < 12; round++) swapped.round("T");
  swapped.score = { T: 0, CT: 12 };
  expect(swapped.restart().round("T").round("CT").found()).toHaveLength(2);
});

test("wingman is won by nine, also where both had four at half time", () => {
  const level = new Recording();
  for (let round = 0; round < 4; round++) level.round("T").round("CT");
  for (let round = 0; round < 5; round++) level.round("T");
  expect(level.restart().round("CT").round("CT").found()).toHaveLength(13);
});

test("rounds that are restored go on with a match that was declared over", () => {
  const over = new Recording().round("T").round("T").round("T").round("T").round("T").add("cs_win_panel_match");
  over.restart(3).score = { T: 3, CT: 0 };
  for (let more = 0; more < 4; more++) {
    over.round("CT");
    const rounds = over.found();
    expect(rounds.map((round) => round.number)).toEqual([1, 2, 3, 4, 5, 6, 7].slice(0, 4 + more));
    expect(rounds.map((round) => round.winner)).toEqual(["T", "T", "T", ...Array(more + 1).fill("CT")]);
  }
});

test("a backup that is loaded after a restart goes on with the match before it", () => {
  const recording = new Recording().round("T").round("CT").round("T").round("T");
  recording.restart().add("begin_new_match").round("CT").restart(3).score = { T: 2, CT: 1 };
  const rounds = recording.round("CT").found();
  expect(rounds.map((round) => [round.number, round.winner])).toEqual([
    [1, "T"],
    [2, "CT"],
    [3, "T"],
    [4, "CT"],
  ]);
});

test("a recording that stops in a restored round has what came before it", () => {
  const recording = new Recording().round("T").round("T").round("T").round("T").restart(1);
  recording.score = { T: 1, CT: 0 };
  const rounds = recording.begin().found();
  expect(rounds.map((round) => [round.number, round.finished])).toEqual([
    [1, true],
    [2, false],
  ]);
});

test("a recording that begins within a match has its first round restored like any other", () => {
  const recording = new Recording();
  const restore = () => {
    recording.played = 7;
    recording.score = { T: 3, CT: 4 };
    return recording;
  };
  const rounds = restore().round("T").round("T").round("T") && restore().round("CT").round("CT").found();
  expect(rounds.map((round) => [round.number, round.winner])).toEqual([
    [8, "CT"],
    [9, "CT"],
  ]);
});

test("one round after many is no restart of theirs, whether the score is told or not", () => {
  const short = new Recording();
  for (let round = 0; round < 8; round++) short.round("T");
  short.restart().round("CT");
  for (const event of short.events) event.t_team_rounds_total = event.ct_team_rounds_total = null;
  expect(short.found()).toHaveLength(8);
  expect(short.restart(1).round("CT").found()).toHaveLength(2);
});

test("a match won by its score is not replaced, though nothing declares it over", () => {
  const recording = new Recording();
  for (let round = 0; round < 13; round++) recording.round("T");
  const rounds = recording.restart().round("CT").found();
  expect(rounds.map((round) => round.winner)).toEqual(Array(13).fill("T"));
});

test("nor is a drawn one, nor one that was given up", () => {
  const drawn = new Recording();
  for (let round = 0; round < 12; round++) drawn.round("T").round("CT");
  expect(drawn.restart().round("CT").round("CT").found()).toHaveLength(24);
  const givenUp = new Recording().round("T").round("T").round("CT", "t_surrender");
  expect(givenUp.restart().round("CT").round("CT").found()).toHaveLength(3);
});

test("what a server plays after the match does not replace it", () => {
  const recording = new Recording().round("T").round("T").round("CT").add("cs_win_panel_match");
  const rounds = recording.restart().round("CT").found();
  expect(rounds.map((round) => round.winner)).toEqual(["T", "T", "CT"]);
});

test("an unfinished false start does not replace decided rounds", () => {
  const recording = new Recording().round("T").round("T").round("CT").restart().begin();
  expect(recording.found().map((round) => round.finished)).toEqual([true, true, true]);
});

test("a round whose end event is missing is won by the side whose score rose", () => {
  const recording = new Recording().round("T").round("CT").round("T");
  const missing = recording.events.findIndex((event) => event.event_name === "round_end" && event.winner === "CT");
  recording.events.splice(missing, 1);
  expect(recording.found()[1]).toMatchObject({ number: 2, finished: true, winner: "CT", reason: "unknown" });
});

test("a recording that begins in the middle of a match keeps the match's numbers", () => {
  const recording = new Recording();
  recording.played = 7;
  recording.score = { T: 3, CT: 4 };
  expect(recording.round("T").found()).toMatchObject([{ number: 8, scoreBefore: { T: 3, CT: 4 } }]);
});

test("a demo without the game's own count is counted", () => {
  const recording = new Recording().round("T").round("CT");
  for (const event of recording.events) event.total_rounds_played = null;
  expect(recording.found().map((round) => round.number)).toEqual([1, 2]);
});

test("overtime and surrender are told", () => {
  const recording = new Recording().round("T");
  recording.overtime = 2;
  expect(recording.round("CT", "t_surrender").found()[1]).toMatchObject({ overtime: 2, reason: "t_surrendered" });
});

test("an empty server has no rounds", () => {
  expect(
    findRounds(
      [
        { event_name: "round_start", tick: 1 },
        { event_name: "round_end", tick: 1, winner: null },
      ],
      200,
    ),
  ).toEqual([]);
});
