import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorkers } from "../../backend/start-workers.ts";
import { highlightDefinitions } from "../../contract/highlight-definitions.ts";
import { highlightTypes } from "../../contract/highlight-types.ts";
import type { Match, MatchDetail, MatchList, ProcessingState } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type HistoryProviderServer, startHistoryProvider } from "../services/leetify-server.ts";
import { type OpenIdProvider, startOpenIdProvider } from "./openid-provider.ts";
import { type RunningApi, startApi } from "./start-server.ts";

const fixtures = new URL("../fixtures/demos/", import.meta.url);
const withHistory = "76561199999981000";
const providerDate = "2026-11-01T18:00:00.000Z";

/** Serves the demos of tests/fixtures/demos, dated as `?modified=` says. */
const demos: Server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://x");
  const modified = searchParams.get("modified");
  response.writeHead(200, modified ? { "Last-Modified": modified } : {});
  response.end(readFileSync(new URL(`.${pathname}`, fixtures)));
});
let demoAddress: string;
let history: HistoryProviderServer;
let server: RunningApi;

const listen = async (host: Server) => {
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(host.address() as AddressInfo).port}`;
};
const close = (host: Server) => {
  host.closeAllConnections();
  host.close();
};
const demoUrl = (name: string, modified = "") =>
  `http://${demoAddress}/${name}${modified && `?modified=${encodeURIComponent(modified)}`}`;

beforeAll(async () => {
  demoAddress = await listen(demos);
  const listed = {
    id: "dated",
    map: "de_dust2",
    demoUrl: demoUrl("cases/late-join.dem.gz", "Sun, 08 Nov 2026 20:00:00 GMT"),
    finishedAt: providerDate,
    score: [13, 9] as [number, number],
  };
  history = await startHistoryProvider({ [withHistory]: [listed] });
  server = await startApi({
    IMPORT_ALLOW_HOSTS: demoAddress,
    IMPORT_WORKERS: "2",
    RENDER_WORKERS: "0",
    HISTORY_PROVIDER: "leetify",
    LEETIFY_API_URL: history.url,
  });
  await startWorkers(server.services);
});
afterAll(async () => {
  await server.close();
  await history.close();
  close(demos);
});

let nextSteamId = 76561199999981100n;

async function newPlayer(steamId = String(nextSteamId++)): Promise<ApiVisitor> {
  const visitor = new ApiVisitor(server.url);
  await visitor.signIn(steamId, "player");
  return visitor;
}

async function completed(player: ApiVisitor, { id }: Match): Promise<MatchDetail> {
  const state = await player.poll<ProcessingState>(`/api/matches/${id}/status/`, (one) => !one.is_processing);
  expect(state).toMatchObject({ status: "completed", error: null });
  return player.call<MatchDetail>("GET", `/api/matches/${id}/?include_players=true`);
}

async function imported(player: ApiVisitor, url: string): Promise<MatchDetail> {
  return completed(player, await player.call<Match>("POST", "/api/matches/upload-demo/", { demo_url: url }));
}

async function uploaded(player: ApiVisitor, demo: Buffer<ArrayBuffer>): Promise<MatchDetail> {
  const form = new FormData();
  form.set("demo_file", new Blob([demo]), "match.dem");
  const response = await fetch(`${server.url}/api/matches/upload-file/`, {
    method: "POST",
    body: form,
    headers: {
      Cookie: [...player.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      "X-XSRF-TOKEN": decodeURIComponent(player.cookies.get("XSRF-TOKEN") ?? ""),
    },
  });
  return completed(player, (await response.json()) as Match);
}

test("The provider's date wins over the one of the file's host", async () => {
  const player = await newPlayer(withHistory);
  const list = await player.call<MatchList>("GET", "/api/matches/");
  const [recent] = list.results;
  const { id } = await player.call<Match>("POST", "/api/matches/import-recent-match/", {
    demo_url: recent?.demo_url,
    recent_match_id: recent?.recent_match_id,
    skip_validation: true,
  });
  await player.poll<ProcessingState>(`/api/matches/${id}/status/`, (one) => one.is_completed);
  expect(await player.call("GET", `/api/matches/${id}/`)).toMatchObject({ match_date: providerDate });
});

test("The provider's date wins over an estimate stored with the demo before", async () => {
  const other = await newPlayer();
  const first = await imported(other, demoUrl("cases/hostages.dem.gz", "Sun, 08 Nov 2026 20:00:00 GMT"));
  expect(first.match_date).toBe("2026-11-08T20:00:00.000Z");
  const player = await newPlayer();
  const second = await player.call<Match>("POST", "/api/matches/import-recent-match/", {
    demo_url: demoUrl("cases/hostages.dem.gz"),
    recent_match_id: "not-listed-any-more",
    match_date: providerDate,
    skip_validation: true,
  });
  expect((await completed(player, second)).match_date).toBe(providerDate);
  expect(await other.call("GET", `/api/matches/${first.id}/`)).toMatchObject({ match_date: first.match_date });
});

test("Without a provider the match is dated by when the host says the file was made", async () => {
  const match = await imported(await newPlayer(), demoUrl("cases/bots.dem.gz", "Fri, 20 Nov 2026 21:15:07 GMT"));
  expect(match.match_date).toBe("2026-11-20T21:15:07.000Z");
});

test.each([
  ["that lies ahead", "wingman", "Fri, 01 Jan 2100 00:00:00 GMT"],
  ["before CS2 was released", "restart", "Tue, 26 Sep 2023 23:59:59 GMT"],
  ["that is none", "restored", "yesterday"],
])("A date of the file %s is no date of the match", async (_, name, modified) => {
  const match = await imported(await newPlayer(), demoUrl(`cases/${name}.dem.gz`, modified));
  expect(match.match_date).toBeNull();
});

test("An uploaded demo has no date until somebody imports it from a host that has one", async () => {
  const player = await newPlayer();
  const upload = await uploaded(player, readFileSync(new URL("cases/one-bullet.dem.gz", fixtures)));
  expect(upload.match_date).toBeNull();
  await imported(await newPlayer(), demoUrl("cases/one-bullet.dem.gz", "Wed, 27 Sep 2023 00:00:00 GMT"));
  expect(await player.call("GET", `/api/matches/${upload.id}/`)).toMatchObject({
    match_date: "2023-09-27T00:00:00.000Z",
  });
});

/** A small demo with another map in its head. Format: a frame of three varints, then the file header, map name as field 5. */
function demoOnMap(map: string): Buffer<ArrayBuffer> {
  const original = gunzipSync(readFileSync(new URL("cases/late-assists.dem.gz", fixtures)));
  const oldField = Buffer.from("\x2a\x08de_dust2", "latin1");
  const at = original.indexOf(oldField);
  const newField = Buffer.concat([Buffer.from([0x2a, map.length]), Buffer.from(map)]);
  const headAt = original.indexOf(Buffer.from([1, 0xff, 0xff, 0xff, 0xff, 0x0f]), 16);
  const sizeAt = headAt + 6;
  const size = (original[sizeAt]! & 0x7f) + (original[sizeAt + 1]! << 7) + newField.length - oldField.length;
  const demo = Buffer.concat([original.subarray(0, at), newField, original.subarray(at + oldField.length)]);
  demo[sizeAt] = (size & 0x7f) | 0x80;
  demo[sizeAt + 1] = size >> 7;
  // Where the summary at the end begins; 0 while a demo is still being written.
  demo.fill(0, 8, 16);
  return demo;
}

test.each([
  ["of a workshop", "workshop/3070284539/de_mirage", "de_mirage", "Mirage", "de_mirage.svg"],
  ["of a menu scene", "de_dust2_vanity", "de_dust2_vanity", "Valve", "unknown.svg"],
  ["that nobody knows", "workshop/12/de_my_place", "de_my_place", "My Place", "unknown.svg"],
])("A map %s has its name and icon", async (_, raw, name, shown, icon) => {
  const match = await uploaded(await newPlayer(), demoOnMap(raw));
  expect(match).toMatchObject({ map_name: name, map_display_name: shown });
  expect(match.map_icon_url?.split("/").at(-1)).toBe(icon);
});

test("A match is told from the player's own team, which began on either side and swapped, or from neither", async () => {
  const url = demoUrl("overtime-reconnect.dem.gz");
  const watcher = await newPlayer();
  const seen = await imported(watcher, url);
  const score = [seen.score_team1, seen.score_team2] as const;
  expect(seen.user_outcome).toEqual({ color_class: "other", formatted_score: score.join(" - ") });
  expect(score[0]).not.toBe(score[1]);
  const teams = [seen.players_by_team!.team1.players, seen.players_by_team!.team2.players];
  for (const own of [0, 1] as const) {
    const steamId = teams[own]!.find((one) => one.steam_id)!.steam_id!;
    const match = await imported(await newPlayer(steamId), url);
    const ownScore = [score[own], score[1 - own]];
    expect(match.user_outcome).toEqual({
      color_class: ownScore[0]! > ownScore[1]! ? "win" : "loss",
      formatted_score: ownScore.join(" - "),
    });
    expect([match.score_team1, match.score_team2]).toEqual(ownScore);
    expect(match.players_by_team!.team1.players.map((one) => one.steam_id)).toContain(steamId);
  }
});

test("Every highlight says why it is one, what one is, and what it is worth", async () => {
  const { highlights } = await imported(await newPlayer(), demoUrl("highlights-reel.dem.gz"));
  expect(new Set(highlights.map((one) => one.highlight_type))).toEqual(new Set(highlightTypes));
  for (const { highlight_type: type, reason, definition, score, kills } of highlights) {
    expect(definition).toBe(highlightDefinitions[type as keyof typeof highlightDefinitions].rule);
    expect(reason, type).toMatch(/^\S.*\S$/);
    expect(reason).not.toBe(definition);
    expect(score).toBeGreaterThan(0);
    expect(kills.length).toBeGreaterThan(0);
  }
});

/** A server whose Steam is here: sign-in, profile pages and Web API. */
async function withSteam(
  webApi: (path: string) => { status: number; body: string } | null,
  work: (visitor: ApiVisitor, asked: string[]) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const steamApi = createServer((request, response) => {
    asked.push(request.url ?? "");
    const answer = webApi(request.url ?? "");
    if (answer) response.writeHead(answer.status).end(answer.body);
    else response.destroy();
  });
  const steam: OpenIdProvider = await startOpenIdProvider();
  const own = await startApi({
    IMPORT_ALLOW_HOSTS: demoAddress,
    IMPORT_WORKERS: "1",
    RENDER_WORKERS: "0",
    STEAM_OPENID_URL: steam.endpoint,
    STEAM_API_KEY: "0123456789ABCDEF0123456789ABCDEF",
    STEAM_API_URL: `http://${await listen(steamApi)}`,
  });
  try {
    await startWorkers(own.services);
    const visitor = new ApiVisitor(own.url);
    const { auth_url: address } = await visitor.call<{ auth_url: string }>("GET", "/api/auth/steam/login/");
    const returnTo = new URL(address).searchParams.get("openid.return_to") ?? "";
    await visitor.request("GET", `${returnTo}&${steam.assertion("76561199999900001", returnTo)}`);
    asked.length = 0;
    await work(visitor, asked);
  } finally {
    await own.close();
    await steam.close();
    close(steamApi);
  }
}

test("The players' pictures come from Steam's Web API, in one call", async () => {
  const summaries = (path: string) => {
    const steamIds = new URL(path, "http://x").searchParams.get("steamids")?.split(",") ?? [];
    const players = steamIds.map((steamid) => ({
      steamid,
      personaname: `name of ${steamid}`,
      avatarfull: `https://avatars.steamstatic.com/${steamid}_full.jpg`,
    }));
    return { status: 200, body: JSON.stringify({ response: { players } }) };
  };
  await withSteam(summaries, async (visitor, asked) => {
    const match = await imported(visitor, demoUrl("highlights-reel.dem.gz"));
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/^\/ISteamUser\/GetPlayerSummaries\/v2\/\?key=0123456789ABCDEF0123456789ABCDEF&steamids=/);
    for (const { player_steam_id: steamId, player_avatar_url: avatar, victims_data: victims } of match.highlights) {
      for (const shown of [{ steam_id: steamId, avatar_url: avatar }, ...victims]) {
        // Bots have neither.
        const picture = shown.steam_id && `https://avatars.steamstatic.com/${shown.steam_id}_full.jpg`;
        expect(shown.avatar_url).toBe(picture);
      }
    }
    expect(match.highlights.length).toBeGreaterThan(0);
  });
});

test.each([
  ["refuses the key", { status: 403, body: "Forbidden" }],
  ["answers nonsense", { status: 200, body: "<html>" }],
  ["hangs up", null],
])("A Web API that %s costs the import nothing but the pictures", async (_, answer) => {
  await withSteam(
    () => answer,
    async (visitor, asked) => {
      const match = await imported(visitor, demoUrl("cases/late-assists.dem.gz"));
      expect(asked.length).toBeGreaterThan(0);
      expect(match.highlights.length).toBeGreaterThan(0);
    },
  );
});
