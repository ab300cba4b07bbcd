import { expect, test } from "vitest";
import type { DemoFacts } from "../matches/demo-facts.ts";
import type { HighlightRow } from "../storage/schema.ts";
import { bestMoments, chosenForClip, wantedOf } from "./choose-highlights.ts";
import { CliError } from "./cli-error.ts";
import { displayWidth } from "./display-width.ts";
import { highlightTable } from "./highlight-table.ts";
import type { WantedHighlights } from "./read-arguments.ts";

const round = (number: number, freezeEndTick: number) => ({
  number,
  startTick: freezeEndTick - 960,
  freezeEndTick,
  endTick: freezeEndTick + 6000,
  officialEndTick: freezeEndTick + 6400,
  finished: true,
  winner: 0 as const,
  reason: "t_eliminated_ct" as const,
  sides: ["T", "CT"] as ["T", "CT"],
  scoreBefore: [0, 0] as [number, number],
  overtime: 0,
  aliveAtFreezeEnd: [[0], [1]] as [number[], number[]],
});

const facts: DemoFacts = {
  map: "de_mirage",
  game_mode: "Matchmaking",
  server_name: "",
  timing: { tickRate: 64, rounds: [round(1, 1000), round(2, 9000)] },
  teams: [
    { name: "", score: 1 },
    { name: "Team \u001b[31mred", score: 1 },
  ],
  players: [
    { name: "fox", steam_id: "76561199999900001", team: 0 },
    { name: "foxtrot", steam_id: "76561199999900002", team: 1 },
    { name: "\u001b]0;owned\u0007てんとう虫\u202e", steam_id: null, team: 1 },
  ],
};

const row = (id: number, given: Partial<HighlightRow>): HighlightRow => ({
  id,
  demo_sha256: "",
  type: "ace",
  round: 1,
  player: 0,
  kills_count: 5,
  score: 10,
  reason: "5 kills in 22.0 s",
  start_tick: 1064,
  end_tick: 2472,
  moments: [],
  is_listed: true,
  name: null,
  made_by: null,
  still_key: null,
  still_tried_at: null,
  ...given,
});

const highlights = [
  row(1, { score: 110 }),
  row(2, { type: "headshot_streak", score: 26, start_tick: 1500, end_tick: 2472 }),
  row(3, { type: "wallbang", player: 2, score: 14, start_tick: 1600, end_tick: 1600, reason: "AWP \u001b[2Jthrough" }),
  row(4, { type: "clutch_1v4", round: 2, player: 1, score: 120, start_tick: 9128, end_tick: 12000 }),
];
const demo = { facts, highlights };
const all: WantedHighlights = { best: null, players: [], types: [], rounds: [], picks: [] };
const ids = (rows: HighlightRow[]) => rows.map(({ id }) => id);

test("no sign of a stranger's text steers the terminal", () => {
  const table = highlightTable(demo, { demo: "\u001b[1mmatch.dem", by: "score", columns: 80 });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
  expect(table).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(table).toContain("てんとう虫");
});

test.each([80, 100, 160])("every line fits %i columns", (columns) => {
  const long = { facts, highlights: [...highlights, row(5, { reason: "killed them all, ".repeat(12).trim() })] };
  const lines = highlightTable(long, { demo: "match.dem", by: "score", columns }).split("\n");
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(columns);
});

test("it is sorted by score or by round, with the time since freeze time ended", () => {
  const lines = (by: "score" | "round") =>
    highlightTable(demo, { demo: "match.dem", by, columns: Number.POSITIVE_INFINITY }).split("\n");
  expect(lines("round")).toEqual([
    "match.dem",
    "Mirage, Team 1 1 : 1 Team [31mred, 2 rounds",
    "  Team 1: fox",
    "  Team [31mred: foxtrot, ]0;owned てんとう虫",
    "",
    "#  Round  Time  Type             Player               Reason             Score",
    "1      1  0:01  Ace              fox                  5 kills in 22.0 s    110",
    "2      1  0:08  Headshot Streak  fox                  5 kills in 22.0 s     26",
    "3      1  0:09  Wallbang         ]0;owned てんとう虫  AWP [2Jthrough        14",
    "4      2  0:02  1v4 Clutch       foxtrot              5 kills in 22.0 s    120",
    "",
  ]);
  expect(
    lines("score")
      .slice(6, 10)
      .map((line) => line[0]),
  ).toEqual(["4", "1", "2", "3"]);
});

test("the best moments are different ones", () => {
  expect(ids(bestMoments(highlights, 3))).toEqual([4, 1, 3]);
  expect(ids(chosenForClip(demo, all))).toEqual([4, 1, 3]);
  expect(ids(chosenForClip(demo, { ...all, best: 1 }))).toEqual([4]);
});

test("players are found by Steam ID, by name before parts of names, and by a part that only one has", () => {
  const of = (player: string) => ids(wantedOf(demo, { ...all, players: [player] }));
  expect(of("76561199999900002")).toEqual([4]);
  expect(of("FOX")).toEqual([1, 2]);
  expect(of("trot")).toEqual([4]);
  expect(of("とう")).toEqual([3]);
  expect(() => of("fo")).toThrow("“fo” may be fox, foxtrot. Write more of the name, or a Steam ID.");
  expect(() => of("nobody")).toThrow(/Nobody in it is called “nobody”. Its players: fox, foxtrot/);
});

test("what a demo does not have is said", () => {
  const choose = (wanted: Partial<WantedHighlights>) => () => chosenForClip(demo, { ...all, ...wanted });
  expect(choose({ rounds: [7] })).toThrow("There is no round 7: the demo has 2.");
  expect(choose({ picks: [9] })).toThrow("There is no highlight 9: the demo has 4.");
  expect(choose({ types: ["knife_kill"] })).toThrow(CliError);
  expect(() => chosenForClip({ facts, highlights: [] }, all)).toThrow("No highlights were found in this demo.");
  expect(ids(choose({ picks: [3, 1, 3] })())).toEqual([3, 1]);
});
