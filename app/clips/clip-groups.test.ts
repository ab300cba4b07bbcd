import { expect, test } from "vitest";
import { appendGroups, type ClipGroupSummary, withoutClips } from "./clip-groups.ts";
import type { ClipSummary } from "./clip-summary.ts";

const group = (matchId: string, ...ids: number[]): ClipGroupSummary => ({
  match_id: matchId,
  map_name: "de_nuke",
  map_display_name: "Nuke",
  map_icon_url: "/map_icons/de_nuke.svg",
  game_mode: "Matchmaking",
  match_date: null,
  score_team1: 13,
  score_team2: 9,
  clips: ids.map((id) => ({ id }) as ClipSummary),
});

test("a deleted clip goes, and with its last clip the match group", () => {
  const left = withoutClips([group("a", 1, 2), group("b", 3)], new Set([1, 3]));
  expect(left.map(({ match_id, clips }) => [match_id, clips.map(({ id }) => id)])).toEqual([["a", [2]]]);
});

test("a group that moved to the next page meanwhile is not shown twice", () => {
  expect(appendGroups([group("a", 1)], [group("a", 1), group("b", 2)]).map(({ match_id }) => match_id)).toEqual([
    "a",
    "b",
  ]);
});
