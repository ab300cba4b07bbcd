import { afterAll, beforeAll, expect, test } from "vitest";
import { createClipSchema } from "../../contract/schemas/create-clip.ts";
import { hostileName, hostileNameCleaned, unseenMark } from "../../contract/testing/hostile-name.ts";
import { type HistoryProviderServer, startHistoryProvider } from "../../tests/services/leetify-server.ts";
import { findSession, startSession } from "../accounts/sessions.ts";
import { clipFiles } from "../clips/clip-files.ts";
import { planClip } from "../clips/create/plan-clip.ts";
import { ownClips, publicClips } from "../clips/lists/clip-lists.ts";
import { clipDetail, presentClips } from "../clips/present-clip.ts";
import { detectHighlights } from "../highlights/index.ts";
import { MatchBuilder } from "../highlights/testing/round-builder.ts";
import type { User } from "../storage/schema.ts";
import { type FreshServices, freshServices } from "../storage/testing/fresh-services.ts";
import { summarizeAccount } from "./delete-user.ts";
import { listMatches } from "./list-matches.ts";
import { matchDetail } from "./match-detail.ts";

/* Rows as they were stored before their texts were cleaned as they are now. */

const steamId = "76561199999900001";
const sha256 = "e".repeat(64);
const matchId = "match0000001";
const record = new MatchBuilder()
  .round({ winner: "a" }, (round) => round.kill(20, "a1", "b1", { weapon: "knife" }))
  .build();
const [knifeKill] = detectHighlights(record);
const name = hostileName.replace(/[\ud800-\udbff](?![\udc00-\udfff])/, "");

let fresh: FreshServices;
let history: HistoryProviderServer;
let user: User;
let clipId: number;
let highlightId: number;
beforeAll(async () => {
  history = await startHistoryProvider({
    [steamId]: [
      {
        id: "hostile",
        map: hostileName,
        demoUrl: `https://demos.example/${hostileName}.dem`,
        finishedAt: "2026-11-01T18:00:00.000Z",
        score: [13, 4],
      },
    ],
  });
  fresh = await freshServices("embedded", { HISTORY_PROVIDER: "leetify", LEETIFY_API_URL: history.url });
  const { database } = fresh.services;
  user = await database
    .insertInto("users")
    .values({ steam_id: steamId, steam_name: name })
    .returningAll()
    .executeTakeFirstOrThrow();
  await database
    .insertInto("demos")
    .values({
      sha256,
      map: `de_${name}`,
      game_mode: name,
      server_name: name,
      players: JSON.stringify(
        record.players.map(({ steamId: id, team }, index) => ({ name, steam_id: index === 0 ? steamId : id, team })),
      ),
      teams: JSON.stringify(record.teams.map(({ score }) => ({ name, score }))),
      timing: JSON.stringify({ tickRate: 64, rounds: record.rounds }),
      track_key: "demos/e/track-1.bin",
      detector_version: 1,
    })
    .execute();
  const highlight = await database
    .insertInto("highlights")
    .values({
      demo_sha256: sha256,
      type: "knife_kill",
      round: 1,
      player: 0,
      kills_count: 1,
      score: 1,
      reason: name,
      start_tick: Math.floor(knifeKill!.startTick),
      end_tick: Math.ceil(knifeKill!.endTick),
      moments: JSON.stringify(knifeKill!.moments.map((moment) => ({ ...moment, weapon: name }))),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  highlightId = highlight.id;
  const ownMatch = { user_id: user.id, source: "url", status: "completed" } as const;
  await database
    .insertInto("matches")
    .values([
      { ...ownMatch, id: matchId, demo_sha256: sha256 },
      { ...ownMatch, id: "match0000002", provider_map: name, provider_game_mode: name },
    ])
    .execute();
  const { spec } = await planClip(
    fresh.services,
    user,
    matchId,
    createClipSchema.parse({ highlight_ids: [highlightId] }),
  );
  const clip = await database
    .insertInto("clips")
    .values({
      user_id: user.id,
      match_id: matchId,
      demo_sha256: sha256,
      name,
      spec: JSON.stringify(spec),
      settings: JSON.stringify({}),
      status: "completed",
      video_key: "clips/1/video-1.mp4",
      poster_key: "clips/1/poster-1.jpg",
      thumbnail_key: "clips/1/thumbnail-1.jpg",
      video_bytes: 1,
      duration_seconds: 1,
      completed_at: new Date(),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  clipId = clip.id;
  await database
    .insertInto("clip_highlights")
    .values({ clip_id: clipId, highlight_id: highlightId, position: 0 })
    .execute();
});
afterAll(async () => {
  await fresh.remove();
  await history.close();
});

function expectClean(shown: unknown): void {
  const texts = JSON.stringify(shown, (_, value) => value);
  expect(texts).toContain(hostileNameCleaned);
  expect(texts).not.toMatch(unseenMark);
  expect(texts).not.toMatch(/\\u/);
}

test("a match stored with hostile names is shown with clean ones", async () => {
  const detail = await matchDetail(fresh.services, user, matchId, { includePlayers: true });
  expectClean(detail);
  const { team1, team2 } = detail!.players_by_team!;
  for (const team of [team1, team2]) {
    expect(team.name).toBe(hostileNameCleaned);
    for (const player of team.players) expect(player.name).toBe(hostileNameCleaned);
  }
  expect(detail!.highlights[0]).toMatchObject({ player_name: hostileNameCleaned, reason: hostileNameCleaned });
  expect(detail!.highlights[0]!.victims_data[0]!.name).toBe(hostileNameCleaned);
  expectClean(await listMatches(fresh.services, user, { limit: 10, offset: 0 }));
});

test("a recent match is listed with a clean map, and with an address in which nothing hides", async () => {
  const { results } = await listMatches(fresh.services, user, { limit: 10, offset: 0 });
  const recent = results.filter((match) => match.match_type === "recent");
  expect(recent.map((match) => match.map_name)).toEqual([hostileNameCleaned]);
  expect(recent[0]!.demo_url).toMatch(/^https:\/\/demos\.example\/%E2%80%AENo[!-~]+\.dem$/);
  expectClean(recent);
});

test("a clip and its player stored with hostile names are shown with clean ones", async () => {
  const { services } = fresh;
  const [clip] = await presentClips(services, [clipId], null);
  expectClean(clipDetail(clip!));
  expect(clip).toMatchObject({ display_name: hostileNameCleaned, user: { username: hostileNameCleaned } });
  expectClean(await publicClips(services, steamId, null, { limit: 5, offset: 0, path: "/" }));
  expectClean(await ownClips(services, user.id, { limit: 5, offset: 0, path: "/" }));
  expect((await clipFiles(services, clipId))?.name).toBe(hostileNameCleaned);
});

test("a user stored with a hostile name is called by a clean one, by the operator too", async () => {
  const { services } = fresh;
  const { token } = await startSession(services, user.id);
  expect((await findSession(services, token))?.user.steam_name).toBe(hostileNameCleaned);
  expect((await summarizeAccount(services, steamId))?.name).toBe(hostileNameCleaned);
});

test("a clip's name is clean, whether it was typed or made of a stored name", async () => {
  const ask = (typed: string) =>
    planClip(fresh.services, user, matchId, createClipSchema.parse({ name: typed, highlight_ids: [highlightId] }));
  for (const typed of [hostileName, ""]) {
    const planned = await ask(typed);
    expect(planned.name).toContain(hostileNameCleaned);
    expect(JSON.stringify([planned.name, planned.spec])).not.toMatch(unseenMark);
  }
});
