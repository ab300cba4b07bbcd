import { expect, test } from "vitest";
import { detectHighlights } from "../highlights/index.ts";
import { MatchBuilder } from "../highlights/testing/round-builder.ts";
import { highlightColumns } from "../matches/highlight-columns.ts";
import { wantedHighlights } from "./make-clips.ts";

test("Of one player in one round what overlaps is one moment, and what does not is several", () => {
  const record = new MatchBuilder()
    .round({ winner: "a" }, (round) => {
      round.kill(10, "a1", "b1", { weapon: "knife" });
      // One moment of two kinds. (A third kill would make all of them one triple kill.)
      round.kill(40, "a1", "b2", { weapon: "awp", noScope: true, penetrated: 1 });
    })
    .build();
  const found = detectHighlights(record)
    .map(highlightColumns)
    .sort((a, b) => b.score - a.score);
  expect(found.map(({ type }) => type).sort()).toEqual(["knife_kill", "no_scope", "wallbang"]);
  const players = record.players.map(({ name, steamId, team }) => ({ name, team, steam_id: steamId }));
  const wanted = (choice: "best" | "above", clips_per_day: number) =>
    wantedHighlights(
      found,
      players,
      { choice, min_score: 0, players: "me", clips_per_day },
      record.players[0]?.steamId ?? "",
    ).map(({ start_tick }) => start_tick);
  const [knife, shot] = record.kills.map(({ tick }) => tick);
  expect(wanted("above", 20).sort((a, b) => a - b)).toEqual([knife, shot]);
  expect(wanted("above", 1)).toHaveLength(1);
  expect(wanted("best", 20)).toEqual([found[0]?.start_tick]);
});
