import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { hostileName, hostileNameCleaned, unseenMark } from "../../../contract/testing/hostile-name.ts";
import { readConfig } from "../../config.ts";
import { faceitProvider } from "./faceit.ts";
import { AskedTooOftenError, HistoryProviderError } from "./history-provider.ts";
import { leetifyProvider } from "./leetify.ts";
import { providerFor } from "./provider-for.ts";

/* A local server answers with the shapes that both services' public APIs were recorded with. */

const me = "76561198973228659";

let server: Server;
let url: string;
let asked: { path: string; headers: IncomingMessage["headers"]; body: string }[];
let answers: Record<string, { status?: number; headers?: Record<string, string>; body: unknown }>;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    asked.push({ path: request.url ?? "", headers: request.headers, body });
    const known = answers[request.url ?? ""] ?? { status: 404, body: { error: "Not found" } };
    const { status = 200, headers, body: answer } = known;
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  asked = [];
  answers = {};
});

const leetifyPath = `/v3/profile/matches?steam64_id=${me}`;

function leetifyMatch(changes: object = {}): object {
  return {
    id: "5b0e4c1e-8f3a-4a75-9a52-0d6f1e2c3b4a",
    finished_at: "2026-11-20T18:40:00.000Z",
    data_source: "matchmaking",
    outcome_match_time: null,
    data_source_match_id: "CSGO-AAAAA-BBBBB-CCCCC-DDDDD-EEEEE",
    map_name: "de_mirage",
    has_banned_player: false,
    replay_url: "http://replay404.valve.net/730/003700000000000000000_0000000000.dem.bz2",
    team_scores: [
      { team_number: 2, score: 13 },
      { team_number: 3, score: 9 },
    ],
    stats: [
      { steam64_id: "76561198000000001", name: "other", initial_team_number: 2, total_kills: 21, leetify_rating: 0.05 },
      { steam64_id: me, name: "me", initial_team_number: 3, total_kills: 16, leetify_rating: -0.01 },
    ],
    ...changes,
  };
}

test("Leetify's matches come with the player's own score first, and the mode as players know it", async () => {
  answers[leetifyPath] = { body: [leetifyMatch()] };
  const provider = leetifyProvider({ apiUrl: url });
  expect(await provider.recentMatches(me)).toEqual([
    {
      id: "5b0e4c1e-8f3a-4a75-9a52-0d6f1e2c3b4a",
      demoUrl: "http://replay404.valve.net/730/003700000000000000000_0000000000.dem.bz2",
      map: "de_mirage",
      gameMode: "Matchmaking",
      ownScore: 9,
      opponentScore: 13,
      playedAt: new Date("2026-11-20T18:40:00.000Z"),
    },
  ]);
  expect(provider.matchUrl("5b0e4c1e")).toBe("https://leetify.com/app/match-details/5b0e4c1e");
  expect(asked[0]?.headers).not.toHaveProperty("_leetify_key");
});

test("Leetify is sent the key when there is one", async () => {
  answers[leetifyPath] = { body: [] };
  await leetifyProvider({ apiUrl: url, apiKey: "secret" }).recentMatches(me);
  expect(asked[0]?.headers._leetify_key).toBe("secret");
});

test("Leetify's matches without demo, scores or date are still listed; what is no match is left out", async () => {
  answers[leetifyPath] = {
    body: [
      leetifyMatch({ id: "older", finished_at: "2026-11-01T00:00:00.000Z", data_source: "matchmaking_competitive" }),
      leetifyMatch({ id: "newer", replay_url: null, data_source: "esportal" }),
      leetifyMatch({ id: "odd", finished_at: "soon", team_scores: null, stats: [], replay_url: "javascript:alert(1)" }),
      { id: 7 },
      null,
    ],
  };
  const matches = await leetifyProvider({ apiUrl: url }).recentMatches(me);
  expect(
    matches.map(({ id, demoUrl, gameMode, playedAt }) => [id, demoUrl !== null, gameMode, playedAt !== null]),
  ).toEqual([
    ["newer", false, "esportal", true],
    ["older", true, "Matchmaking_Competitive", true],
    ["odd", false, "Matchmaking", false],
  ]);
  expect(matches[2]).toMatchObject({ ownScore: null, opponentScore: null });
});

test("A player whom Leetify does not know has no recent matches", async () => {
  expect(await leetifyProvider({ apiUrl: url }).recentMatches(me)).toEqual([]);
});

test.each([
  [429, { error: "Calm down son" }, /Leetify is asked too often/],
  [403, {}, /does not accept this server's key/],
  [511, {}, /cannot be asked right now/],
  [200, "<html>maintenance</html>", /cannot be asked right now/],
  [200, { error: "none" }, /cannot be asked right now/],
])("When Leetify answers %i %j the player gets a sentence", async (status, body, sentence) => {
  answers[leetifyPath] = { status, body };
  const asking = leetifyProvider({ apiUrl: url }).recentMatches(me);
  await expect(asking).rejects.toThrow(HistoryProviderError);
  await expect(asking).rejects.toThrow(sentence);
});

test("When nothing listens, the player gets a sentence", async () => {
  const asking = leetifyProvider({ apiUrl: "http://127.0.0.1:9" }).recentMatches(me);
  await expect(asking).rejects.toThrow(/^Leetify cannot be asked right now, so recent matches are missing\.$/);
});

const player = "c0ffee00-0000-4000-8000-000000000001";
const faceitMatch = {
  match_id: "1-11111111-2222-4333-8444-555555555555",
  game: "cs2",
  finished_at: 1795200000,
  teams: {
    faction1: {
      faction_id: "a",
      roster: [{ player_id: "someone", nickname: "x", game_player_id: "76561198000000001" }],
    },
    faction2: { faction_id: "b", roster: [{ player_id: player, nickname: "me", game_player_id: me }] },
  },
  voting: { map: { entities: [], pick: ["de_nuke", "de_mirage"] }, voted_entity_types: ["map"] },
  demo_url: ["https://demos-europe-central.backblaze.faceit-cdn.net/cs2/1-11111111-1-1.dem.zst"],
  results: { winner: "faction2", score: { faction1: 0, faction2: 1 } },
  detailed_results: [
    { asc_score: false, winner: "faction2", factions: { faction1: { score: 9 }, faction2: { score: 13 } } },
  ],
  status: "FINISHED",
};

function answerAsFaceit(match: object): void {
  answers[`/data/v4/players?game=cs2&game_player_id=${me}`] = { body: { player_id: player, nickname: "me" } };
  answers[`/data/v4/players/${player}/history?game=cs2&limit=10`] = {
    body: { items: [{ match_id: faceitMatch.match_id, game_mode: "5v5" }], start: 0, end: 1 },
  };
  answers[`/data/v4/matches/${faceitMatch.match_id}`] = { body: match };
}

test("FACEIT's matches come with the rounds of their map, the player's own first", async () => {
  answerAsFaceit(faceitMatch);
  const provider = faceitProvider({ apiUrl: url, apiKey: "secret" });
  expect(await provider.recentMatches(me)).toEqual([
    {
      id: faceitMatch.match_id,
      demoUrl: faceitMatch.demo_url[0],
      map: "de_nuke",
      gameMode: "FACEIT",
      ownScore: 13,
      opponentScore: 9,
      playedAt: new Date(1795200000 * 1000),
    },
  ]);
  expect(asked.every(({ headers }) => headers.authorization === "Bearer secret")).toBe(true);
  expect(provider.matchUrl(faceitMatch.match_id)).toBe(`https://www.faceit.com/en/cs2/room/${faceitMatch.match_id}`);
});

test("A FACEIT match of two maps is two matches, each with its score", async () => {
  const second = { winner: "faction1", factions: { faction1: { score: 16 }, faction2: { score: 14 } } };
  answerAsFaceit({ ...faceitMatch, detailed_results: [...faceitMatch.detailed_results, second] });
  const provider = faceitProvider({ apiUrl: url, apiKey: "secret" });
  const matches = await provider.recentMatches(me);
  expect(matches.map(({ id, map, ownScore, demoUrl }) => [id.slice(-2), map, ownScore, demoUrl !== null])).toEqual([
    [":2", "de_mirage", 14, false],
    ["55", "de_nuke", 13, true],
  ]);
  expect(provider.matchUrl(matches[0]?.id ?? "")).toBe(`https://www.faceit.com/en/cs2/room/${faceitMatch.match_id}`);
});

test("A player whom FACEIT does not know has no recent matches, and a wrong key is a sentence", async () => {
  const provider = faceitProvider({ apiUrl: url, apiKey: "secret" });
  expect(await provider.recentMatches(me)).toEqual([]);
  answers[`/data/v4/players?game=cs2&game_player_id=${me}`] = { status: 401, body: { errors: [] } };
  await expect(provider.recentMatches(me)).rejects.toThrow(/FACEIT does not accept this server's key/);
});

test("FACEIT is asked for five matches at once, and for no more when it refuses", async () => {
  answerAsFaceit(faceitMatch);
  const ids = Array.from({ length: 10 }, (_, index) => `match-${index}`);
  answers[`/data/v4/players/${player}/history?game=cs2&limit=10`] = {
    body: { items: ids.map((match_id) => ({ match_id })) },
  };
  for (const id of ids) answers[`/data/v4/matches/${id}`] = { body: { ...faceitMatch, match_id: id } };
  const provider = faceitProvider({ apiUrl: url, apiKey: "secret" });
  expect((await provider.recentMatches(me)).map(({ id }) => id)).toEqual(ids);
  const asksOfMatches = () => asked.filter(({ path }) => path.includes("/matches/match-")).length;
  expect(asksOfMatches()).toBe(10);
  // They have ended and have their demos: nothing of them changes.
  expect((await provider.recentMatches(me)).map(({ id }) => id)).toEqual(ids);
  expect(asksOfMatches()).toBe(10);

  asked = [];
  for (const id of ids) answers[`/data/v4/matches/${id}`] = { status: 429, body: {} };
  await expect(faceitProvider({ apiUrl: url, apiKey: "secret" }).recentMatches(me)).rejects.toThrow(
    HistoryProviderError,
  );
  expect(asksOfMatches()).toBe(5);
});

test("A FACEIT match that is played still, or has no demo yet, is asked for again", async () => {
  const provider = faceitProvider({ apiUrl: url, apiKey: "secret" });
  for (const unfinished of [{ finished_at: null }, { demo_url: [] }, { demo_url: null }]) {
    answerAsFaceit({ ...faceitMatch, ...unfinished });
    await provider.recentMatches(me);
  }
  answerAsFaceit(faceitMatch);
  expect(await provider.recentMatches(me)).toMatchObject([{ demoUrl: faceitMatch.demo_url[0] }]);
  expect(asked.filter(({ path }) => path.includes("/matches/1-"))).toHaveLength(4);
});

test("FACEIT's demos are signed right before the download, if the key may", async () => {
  const provider = faceitProvider({ apiUrl: url, apiKey: "secret" });
  const path = "/download/v2/demos/download";
  answers[path] = { body: { payload: { download_url: "https://signed.example/demo.dem.zst?sig=1" } } };
  expect(await provider.downloadUrl("https://demos.example/a.dem.zst")).toBe(
    "https://signed.example/demo.dem.zst?sig=1",
  );
  expect(JSON.parse(asked[0]?.body ?? "")).toEqual({ resource_url: "https://demos.example/a.dem.zst" });
  answers[path] = { status: 403, body: { errors: [{ code: "err_f0" }] } };
  await expect(provider.downloadUrl("https://demos.example/a.dem.zst")).rejects.toThrow(HistoryProviderError);
});

test("Texts and lists of a provider are bounded, whatever it answers, and no date of its makes an error", async () => {
  const long = hostileName.repeat(12);
  const longUrl = `https://x.example/${"x".repeat(2100)}`;
  const entries = Array.from({ length: 300 }, (_, index) =>
    leetifyMatch({ id: `match-${index}`, map_name: long, data_source: long, replay_url: longUrl }),
  );
  answers[leetifyPath] = { body: [...entries, leetifyMatch({ id: "odd", data_source: "constructor" })].reverse() };
  const leetify = await leetifyProvider({ apiUrl: url }).recentMatches(me);
  expect(leetify).toHaveLength(30);
  for (const { map, gameMode, demoUrl } of leetify.slice(1)) {
    expect(demoUrl).toBeNull();
    for (const text of [map, gameMode]) {
      expect(Array.from(text).length).toBeLessThanOrEqual(64);
      expect(text).toContain(hostileNameCleaned);
      expect(text).not.toMatch(unseenMark);
    }
  }
  expect(leetify[0]).toMatchObject({ id: "odd", gameMode: "constructor" });

  answerAsFaceit({
    ...faceitMatch,
    finished_at: 1e300,
    voting: { map: { pick: [long] } },
    demo_url: [longUrl],
  });
  const [match] = await faceitProvider({ apiUrl: url, apiKey: "secret" }).recentMatches(me);
  expect(match).toMatchObject({ playedAt: null, demoUrl: null });
  expect(match?.map).toBe(leetify[1]?.map);
});

test("The same question is asked once a minute, a refused one too", async () => {
  const begun = performance.now();
  const clock = vi.spyOn(performance, "now").mockReturnValue(begun);
  onTestFinished(() => clock.mockRestore());
  answers[leetifyPath] = { status: 429, body: {} };
  const config = readConfig({ PUBLIC_URL: "https://clips.example.org", LEETIFY_API_URL: url });
  for (let count = 0; count < 3; count++) {
    await expect(providerFor(config)?.recentMatches(me)).rejects.toThrow(/too often/);
  }
  await expect(providerFor(config)?.recentMatches("76561198000000001")).resolves.toEqual([]);
  expect(asked).toHaveLength(2);

  answers[leetifyPath] = { body: [leetifyMatch({ id: "match-1" })] };
  clock.mockReturnValue(begun + 59_999);
  await expect(providerFor(config)?.recentMatches(me)).rejects.toThrow(/too often/);
  clock.mockReturnValue(begun + 60_001);
  const both = await Promise.all([1, 2].map(() => providerFor(config)?.recentMatches(me)));
  expect(both.map((matches) => matches?.length)).toEqual([1, 1]);
  expect(asked).toHaveLength(3);
});

test.each([
  ["60", 60_000],
  ["7200", 60 * 60_000],
  ["0", null],
  ["soon", null],
  [null, null],
] as const)("A refusal tells for how long, an hour at most (Retry-After: %s)", async (header, retryAfterMs) => {
  answers[leetifyPath] = { status: 429, body: {}, ...(header !== null && { headers: { "Retry-After": header } }) };
  const asking = leetifyProvider({ apiUrl: url }).recentMatches(me);
  await expect(asking).rejects.toBeInstanceOf(AskedTooOftenError);
  await expect(asking).rejects.toMatchObject({ retryAfterMs });
});

test("A refusal may name the time to come again", async () => {
  const headers = { "Retry-After": new Date(Date.now() + 600_000).toUTCString() };
  answers[leetifyPath] = { status: 429, body: {}, headers };
  const error = await leetifyProvider({ apiUrl: url })
    .recentMatches(me)
    .catch((refusal: unknown) => refusal);
  const { retryAfterMs } = error as AskedTooOftenError;
  expect(retryAfterMs).toBeGreaterThan(500_000);
  expect(retryAfterMs).toBeLessThanOrEqual(600_000);
});

test("There is no provider without configuration for it, nor in local use, which asks nothing of the internet", () => {
  const online = { PUBLIC_URL: "https://clips.example.org" };
  expect(providerFor(readConfig(online))?.name).toBe("Leetify");
  expect(providerFor(readConfig({ ...online, HISTORY_PROVIDER: "faceit", FACEIT_API_KEY: "k" }))?.name).toBe("FACEIT");
  expect(providerFor(readConfig({ ...online, HISTORY_PROVIDER: "faceit" }))).toBeNull();
  expect(providerFor(readConfig({ ...online, HISTORY_PROVIDER: "none" }))).toBeNull();
  expect(providerFor(readConfig({}))).toBeNull();
  expect(providerFor(readConfig({ LEETIFY_API_URL: url }))?.name).toBe("Leetify");
});
