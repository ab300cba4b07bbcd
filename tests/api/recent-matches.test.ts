import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Match, type MatchList, matchListSchema } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";

const knownPlayer = "76561199999970000";
const refusedPlayer = "76561199999970001";

/** Speaks Leetify's protocol: two matches with a demo and one without for one player, a refusal for another. */
const leetify: Server = createServer((request, response) => {
  const steamId = new URL(request.url ?? "/", "http://x").searchParams.get("steam64_id");
  const match = (id: string, finishedAt: string, replayUrl: string | null, own: number, other: number) => ({
    id,
    finished_at: finishedAt,
    data_source: "matchmaking",
    map_name: "de_nuke",
    replay_url: replayUrl,
    team_scores: [
      { team_number: 2, score: other },
      { team_number: 3, score: own },
    ],
    stats: [{ steam64_id: knownPlayer, initial_team_number: 3 }],
  });
  response.statusCode = steamId === refusedPlayer ? 429 : steamId === knownPlayer ? 200 : 404;
  response.setHeader("Content-Type", "application/json");
  response.end(
    JSON.stringify(
      steamId === knownPlayer
        ? [
            match("match-older", "2026-11-01T18:00:00.000Z", "http://127.0.0.1:1/older.dem.bz2", 9, 13),
            match("match-newer", "2026-11-02T18:00:00.000Z", "http://127.0.0.1:1/newer.dem.bz2", 13, 4),
            match("match-expired", "2026-09-02T18:00:00.000Z", null, 13, 4),
          ]
        : { error: "Calm down son" },
    ),
  );
});

let server: RunningApi;

beforeAll(async () => {
  await new Promise<void>((resolve) => leetify.listen(0, "127.0.0.1", resolve));
  server = await startApi({
    HISTORY_PROVIDER: "leetify",
    LEETIFY_API_URL: `http://127.0.0.1:${(leetify.address() as AddressInfo).port}`,
  });
});
afterAll(async () => {
  await server.close();
  leetify.closeAllConnections();
  leetify.close();
});

async function listOf(player: ApiVisitor, query = ""): Promise<MatchList> {
  return matchListSchema.parse(await player.call("GET", `/api/matches/${query}`));
}

test("Recent matches with a demo stand after the imported ones until they are imported themselves", async () => {
  const player = new ApiVisitor(server.url);
  await player.signIn(knownPlayer, "known");
  const before = await listOf(player);
  expect(before.provider).toEqual({ name: "Leetify", url: "https://leetify.com/", problem: null });
  expect(before.results.map((match) => [match.id, match.match_type])).toEqual([
    ["recent_match-newer_de_nuke", "recent"],
    ["recent_match-older_de_nuke", "recent"],
  ]);
  expect(before.count).toBe(2);
  const [newer] = before.results;
  expect(newer).toMatchObject({
    recent_match_id: "match-newer",
    leetify_match_id: "match-newer",
    provider_match_url: "https://leetify.com/app/match-details/match-newer",
    score_team1: 13,
    score_team2: 4,
    user_outcome: { color_class: "win", formatted_score: "13 - 4" },
    processing: { is_processing: false, is_completed: false },
  });
  expect(await player.call("GET", `/api/matches/${newer?.id}/status/`)).toMatchObject({ is_processing: false });

  const imported = await player.call<Match>("POST", "/api/matches/import-recent-match/", {
    demo_url: newer?.demo_url,
    recent_match_id: newer?.recent_match_id,
    // What a page sends back may be anything; what the provider says wins.
    map_name: "de_forged",
    score_team1: 99,
    skip_validation: true,
  });
  expect(imported).toMatchObject({ match_type: "imported", map_display_name: "Nuke", score_team1: 13 });
  const after = await listOf(player);
  expect(after.results.map((match) => match.id)).toEqual([imported.id, "recent_match-older_de_nuke"]);
  const second = await listOf(player, "?limit=1&offset=1");
  expect(second.results.map((match) => match.id)).toEqual(["recent_match-older_de_nuke"]);
  expect(second.next).toBeNull();
});

test("A provider that refuses leaves the list usable and says so", async () => {
  const player = new ApiVisitor(server.url);
  await player.signIn(refusedPlayer, "refused");
  const list = await listOf(player);
  expect(list.results).toEqual([]);
  expect(list.provider?.problem).toMatch(/asked too often/);
  expect(list.sample_available).toBe(true);
});

test("A player whom the provider does not know has an empty list", async () => {
  const player = new ApiVisitor(server.url);
  await player.signIn("76561199999970002", "unknown");
  expect(await listOf(player)).toMatchObject({ results: [], count: 0, provider: { problem: null } });
});
