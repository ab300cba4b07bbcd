import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Highlight } from "../../backend/highlights/index.ts";
import { MatchBuilder } from "../../backend/highlights/testing/round-builder.ts";
import { storeDemo } from "../../backend/matches/store-demo.ts";
import { demoLimits } from "../../contract/limits.ts";
import type { TopHighlights } from "../../contract/schemas/clip-lists.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import { textLimits } from "../../contract/text-limits.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { finishClip, giveMatch } from "./stored-reel.ts";

/* The most of everything that an import lets through, with the longest names. */

const longestName = "🦊".repeat(textLimits.playerName);

let server: RunningApi;
let player: ApiVisitor;
let matchId: string;

beforeAll(async () => {
  server = await startApi();
  player = new ApiVisitor(server.url);
  await player.signIn("76561199999953001", "owner");
  const sha256 = await storeLargestDemo();
  matchId = await giveMatch(server.services, "76561199999953001", sha256);
});
afterAll(() => server.close());

async function storeLargestDemo(): Promise<string> {
  const match = new MatchBuilder(demoLimits.players / 2);
  for (let number = 1; number <= demoLimits.rounds; number++) match.round({ winner: "a", seconds: 600 });
  const record = match.build();
  const flags = ["headshot", "wallbang", "no_scope", "through_smoke", "midair", "blind", "collateral"] as const;
  const highlight = (index: number, kills: number): Highlight => {
    const round = record.rounds[index % record.rounds.length]!;
    const moments = Array.from({ length: kills }, (_, at) => ({
      tick: round.freezeEndTick + 64 * (at + 1),
      kind: "kill" as const,
      weapon: "knife_gypsy_jackknife",
      flags: [...flags],
      victim: at,
    }));
    return {
      type: "headshot_streak",
      round: round.number,
      player: 200,
      moments,
      startTick: moments[0]!.tick,
      endTick: moments.at(-1)!.tick,
      score: kills,
      reason: "🦊".repeat(textLimits.reason),
      victims: moments.map(({ victim }) => victim),
    };
  };
  const large = Math.floor((demoLimits.moments - demoLimits.highlights) / (demoLimits.momentsOfHighlight - 1));
  const highlights = Array.from({ length: demoLimits.highlights }, (_, index) =>
    highlight(index, index < large ? demoLimits.momentsOfHighlight : 1),
  );
  const trackPath = join(mkdtempSync(join(server.services.scratchDirectory, "largest-")), "track");
  writeFileSync(trackPath, "not drawn in this test");
  const sha256 = "e".repeat(64);
  await storeDemo(server.services, {
    sha256,
    record: {
      ...record,
      map: "🦊".repeat(textLimits.mapName),
      serverName: "🦊".repeat(textLimits.serverName),
      players: record.players.map((one) => ({ ...one, name: longestName })),
    },
    highlights,
    trackPath,
    playedAt: null,
    raw: null,
  });
  return sha256;
}

async function sizeOf<Body>(path: string, visitor: ApiVisitor): Promise<{ bytes: number; body: Body }> {
  const response = await visitor.request("GET", path);
  expect(response.status).toBe(200);
  const bytes = await response.arrayBuffer();
  return { bytes: bytes.byteLength, body: JSON.parse(new TextDecoder().decode(bytes)) as Body };
}

test("the page of a match with the most of everything is some megabytes", async () => {
  const { bytes, body } = await sizeOf<MatchDetail>(`/api/matches/${matchId}/?include_players=true`, player);
  expect(body.highlights).toHaveLength(demoLimits.highlights);
  expect(body.players_by_team?.team1.players).toHaveLength(demoLimits.players / 2);
  expect(bytes).toBeLessThan(6_000_000);
  const list = await sizeOf("/api/matches/", player);
  expect(list.bytes).toBeLessThan(20_000);
});

test("a clip of the largest highlights is under 200 KB for everybody, and home with many of them is small", async () => {
  const { body } = await sizeOf<MatchDetail>(`/api/matches/${matchId}/`, player);
  const chosen = body.highlights.filter(({ kills }) => kills.length === demoLimits.momentsOfHighlight).slice(0, 5);
  const visitor = new ApiVisitor(server.url);
  for (let count = 0; count < 12; count++) {
    const clip = await player.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, {
      name: "🦊".repeat(100),
      highlight_ids: chosen.map(({ id }) => id),
    });
    await finishClip(server.services, clip.id);
    if (count > 0) continue;
    const alone = await sizeOf<Clip>(`/api/matches/clips/${clip.id}/`, visitor);
    expect(alone.body.highlights.flatMap(({ kills }) => kills)).toHaveLength(5 * demoLimits.momentsOfHighlight);
    expect(alone.bytes).toBeLessThan(200_000);
  }
  const home = await sizeOf<TopHighlights>("/api/top-highlights/", visitor);
  expect(home.body.newest).toHaveLength(10);
  expect(home.bytes / 30).toBeLessThan(20_000);
});
