import { expect, test } from "vitest";
import type { MatchRound } from "../../contract/schemas/match-rounds.ts";
import { planClipTime } from "../../scene/clip-time.ts";
import { syntheticTrack, walkedArea } from "../../scene/testing/synthetic-track.ts";
import {
  frameOfTick,
  isPlayable,
  leadOf,
  markedFrom,
  markedTo,
  momentOfQuery,
  nextPlayable,
  queryOfMoment,
  roundSpec,
  teamScores,
  tickOfFrame,
} from "./replay-plan.ts";

const kill = (attacker: number | null, victim: number) => ({
  ...{ tick: 2000, attacker, victim, victim_side: "T" as const, weapon_name: "AK-47", headshot: false },
});
const round: MatchRound = {
  number: 1,
  start_tick: 1000,
  end_tick: 9000,
  winner: "CT",
  score: { ct: 0, t: 0 },
  kills: [kill(2, 5), kill(null, 1), kill(2, 2), kill(2, 6), kill(7, 3)],
  bomb: [],
  recorded: [
    { start_tick: 1000, end_tick: 1320 },
    { start_tick: 3000, end_tick: 3010 },
    { start_tick: 4000, end_tick: 4640 },
  ],
};
const record = syntheticTrack([{ name: "a", team: 0, pose: { x: 0, y: 0 } }], walkedArea(0, 0, 400, 400)).record;

test("a round plays as it was played, frame for frame as its page counts", () => {
  const spec = roundSpec(round, 0, 64, "Round 1");
  const time = planClipTime({ ...record, kills: [] }, spec);
  expect(time.segments.map(({ timeMap }) => timeMap.frameCount)).toEqual([150, 300]);
  expect(time.frameCount).toBe(450);
  for (const tick of [1000, 1160, 4000, 4320]) {
    const frame = frameOfTick(round, tick, 64);
    expect(tickOfFrame(round, frame, 64)).toBe(tick);
    const shown = time.segments.filter(({ firstFrame }) => frame >= firstFrame).at(-1)!;
    expect(shown.timeMap.tickAt(frame - shown.firstFrame)).toBeCloseTo(tick, 1);
    expect(shown.timeMap.speedAt(frame - shown.firstFrame)).toBeCloseTo(1, 3);
  }
  // Of what is not recorded, the next that is.
  expect(tickOfFrame(round, frameOfTick(round, 2500, 64), 64)).toBe(4000);
  expect(frameOfTick(round, 99_999, 64)).toBe(449);
  expect(isPlayable(round, 64)).toBe(true);
  expect(isPlayable({ ...round, recorded: [{ start_tick: 1, end_tick: 9 }] }, 64)).toBe(false);
});

test("after a round the next one plays that can be played", () => {
  const bare = { ...round, number: 2, recorded: [] };
  const third = { ...round, number: 3 };
  expect(nextPlayable([round, bare, third], round, 64)).toBe(third);
  expect(nextPlayable([round, bare], round, 64)).toBeUndefined();
});

test("an address names a moment, and one that makes no sense the beginning", () => {
  const moment = { round: 1, seconds: 12.3, player: 4 };
  expect(queryOfMoment(moment)).toBe("?round=1&t=12.3&player=4");
  expect(momentOfQuery(new URLSearchParams(queryOfMoment(moment)), [round], 10)).toEqual(moment);
  for (const query of ["", "?round=9&t=-4&player=99", "?round=x&t=soon&player=1.5"]) {
    expect(momentOfQuery(new URLSearchParams(query), [round], 10)).toEqual({ round: 1, seconds: 0, player: null });
  }
});

test("who killed most is followed, suicides and falls aside", () => {
  expect(leadOf(round, [])).toBe(2);
  expect(leadOf({ ...round, kills: [] }, [{ team: null }, { team: 1 }])).toBe(1);
});

test("A moment is marked from here to there, at most 20 s, whichever end is given first", () => {
  const empty = { from: "", to: "" };
  expect(markedFrom(empty, 12.34)).toEqual({ from: "12.3", to: "" });
  expect(markedTo({ from: "12.3", to: "" }, 20)).toEqual({ from: "12.3", to: "20" });
  expect(markedTo({ from: "12.3", to: "" }, 40)).toEqual({ from: "20", to: "40" });
  expect(markedTo(empty, 30)).toEqual({ from: "22", to: "30" });
  expect(markedTo(empty, 3)).toEqual({ from: "0", to: "3" });
  // An end before the beginning is the end of another moment.
  expect(markedTo({ from: "50", to: "" }, 40)).toEqual({ from: "32", to: "40" });
  expect(markedFrom({ from: "5", to: "20" }, 10)).toEqual({ from: "10", to: "20" });
  expect(markedFrom({ from: "5", to: "20" }, 30)).toEqual({ from: "30", to: "" });
  expect(markedFrom({ from: "50", to: "60" }, 30)).toEqual({ from: "30", to: "" });
});

test("who watches and played is followed, whoever killed most", () => {
  const players = Array.from({ length: 8 }, (_, index) => ({
    team: index === 0 ? null : index % 2,
    steam_id: `${index}`,
  }));
  expect(leadOf(round, players, "3")).toBe(3);
  // A coach, and somebody else.
  expect(leadOf(round, players, "0")).toBe(2);
  expect(leadOf(round, players, "somebody")).toBe(2);
});

test("scores are told by team, also after the teams have changed sides", () => {
  const players = [{ team: 0 }, { team: 1 }, { team: null }];
  const dies = (victim: number, side: "CT" | "T") => ({ ...kill(0, victim), victim_side: side });
  const rounds = [
    { ...round, number: 1, score: { ct: 0, t: 0 }, kills: [dies(1, "T"), dies(2, "CT")] },
    // Nobody dies.
    { ...round, number: 2, score: { ct: 1, t: 0 }, kills: [] },
    { ...round, number: 3, score: { ct: 0, t: 2 }, kills: [dies(0, "T"), dies(1, "CT")] },
    { ...round, number: 4, score: { ct: 1, t: 2 }, kills: [] },
  ];
  expect([...teamScores(rounds, players).values()]).toEqual([
    { scores: [0, 0], firstSide: "CT" },
    { scores: [1, 0], firstSide: "CT" },
    { scores: [2, 0], firstSide: "T" },
    { scores: [2, 1], firstSide: "T" },
  ]);
});
