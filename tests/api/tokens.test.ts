import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runRetention } from "../../backend/retention/run-retention.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import type { AccessToken, NewAccessToken } from "../../contract/schemas/tokens.ts";
import { tokensPerUser } from "../../contract/token-scopes.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { callWithToken, tokenOf } from "../services/token-calls.ts";
import { uniqueSteamId } from "../services/unique.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { giveMatch, storeReel } from "./stored-reel.ts";

const elsewhere = "https://scripts.example";

let server: RunningApi;

beforeAll(async () => {
  server = await startApi({ TOKEN_REQUESTS_PER_MINUTE: "40" });
});
afterAll(() => server.close());

async function signedIn(): Promise<ApiVisitor & { steamId: string }> {
  const visitor = new ApiVisitor(server.url);
  const steamId = uniqueSteamId();
  await visitor.signIn(steamId, "scripter");
  return Object.assign(visitor, { steamId });
}

const call = (token: string | null, method: string, path: string, headers: Record<string, string> = {}) =>
  callWithToken(server.url, token, method, path, undefined, headers);
const listed = async (player: ApiVisitor) =>
  (await player.call<{ results: AccessToken[] }>("GET", "/api/account/tokens/")).results;

test("A token is told once, and only its hash and its first characters are stored", async () => {
  const player = await signedIn();
  const made = await tokenOf(player, ["create", "read", "read"], { name: "  my\nscript ", expires_in_days: 90 });
  expect(made.token).toMatch(/^clutchcast_pat_[\w-]{43}$/);
  expect(made).toMatchObject({ name: "my script", scopes: ["read", "create"], last_used_at: null });
  expect(made.first_characters).toBe(made.token.slice(0, 19));
  const days = (Date.parse(made.expires_at ?? "") - Date.parse(made.created_at)) / 86_400_000;
  expect(days).toBe(90);
  const rows = await server.services.database.selectFrom("access_tokens").selectAll().execute();
  expect(rows.map((row) => row.token_hash)).toContain(createHash("sha256").update(made.token).digest("hex"));
  expect(JSON.stringify(rows)).not.toContain(made.token.slice(20));
  const { token: _told, ...rest } = made;
  expect(await listed(player)).toEqual([rest]);
});

test("What is no token of ours is refused before anybody is asked, and never taken for a session", async () => {
  const player = await signedIn();
  const { token } = await tokenOf(player, ["read"]);
  const last = token.at(-1)!;
  const misspelt = [
    token.slice(0, -1),
    `${token}A`,
    token.slice(0, -1) + (last === "A" ? "B" : "A"),
    token.replace(/.$/, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ 1)),
    `clutchcast_pat_${"A".repeat(43)}`,
    "clutchcast_pat_",
    `${token.slice(0, 30)} ${token.slice(30)}`,
    `${token.slice(0, 30)}.${token.slice(31)}`,
    `clutchcast_pat_${"ü".repeat(20)}`.normalize("NFD").replace(/[^\x20-\x7e]/g, "%"),
  ];
  for (const text of misspelt) {
    const answer = await fetch(`${server.url}/api/auth/status/`, {
      headers: { Authorization: `Bearer ${text}`, Cookie: player.cookieHeader },
    });
    expect([answer.status, ((await answer.json()) as { error: string }).error], text).toEqual([401, "invalid_token"]);
    expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
  }
  expect((await call(token, "GET", "/api/auth/standing/")).status).toBe(200);
  // Schemes are written in any case.
  const shouted = await fetch(`${server.url}/api/auth/standing/`, { headers: { Authorization: `BEARER ${token}` } });
  expect(shouted.status).toBe(200);
});

test("When a token was used last is written at most every five minutes", async () => {
  const player = await signedIn();
  const { token } = await tokenOf(player, ["read"]);
  const lastUsed = async () => Date.parse((await listed(player))[0]?.last_used_at ?? "");
  await call(token, "GET", "/api/auth/standing/");
  const first = await lastUsed();
  expect(first).toBeGreaterThan(0);
  server.passTime(4 * 60_000);
  await call(token, "GET", "/api/auth/standing/");
  expect(await lastUsed()).toBe(first);
  server.passTime(2 * 60_000);
  await call(token, "GET", "/api/auth/standing/");
  expect(await lastUsed()).toBeGreaterThanOrEqual(first + 6 * 60_000);
});

test(`A player has ${tokensPerUser} tokens at most, also when asked for at once; one that has ended takes no place`, async () => {
  const player = await signedIn();
  const ask = (days: 30 | null = null) =>
    player.request("POST", "/api/account/tokens/", { name: "one of many", scopes: ["read"], expires_in_days: days });
  expect((await ask(30)).status).toBe(201);
  const answers = await Promise.all(Array.from({ length: tokensPerUser }, () => ask()));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(tokensPerUser - 1);
  const refused = await ask();
  expect([refused.status, await refused.json()]).toMatchObject([409, { error: "token_limit" }]);
  server.passTime(31 * 24 * 3600_000);
  await player.signIn(player.steamId, "scripter");
  expect(await listed(player)).toHaveLength(tokensPerUser - 1);
  expect((await ask()).status).toBe(201);
});

test("A token without a name, without a scope, or with one that there is not, is not made", async () => {
  const player = await signedIn();
  const ask = async (body: object) => {
    const answer = await player.request("POST", "/api/account/tokens/", { name: "a", scopes: ["read"], ...body });
    return [answer.status, Object.keys((await answer.json()) as object)];
  };
  expect(await ask({ name: " \u200b " })).toEqual([400, ["error", "detail", "name"]]);
  expect(await ask({ name: "x".repeat(65) })).toEqual([400, ["error", "detail", "name"]]);
  expect(await ask({ scopes: [] })).toEqual([400, ["error", "detail", "scopes"]]);
  expect(await ask({ scopes: ["read", "delete"] })).toEqual([400, expect.arrayContaining(["error", "detail"])]);
  expect(await ask({ expires_in_days: 31 })).toEqual([400, ["error", "detail", "expires_in_days"]]);
  expect(await listed(player)).toEqual([]);
});

test("A player revokes their own tokens and nobody else's; retention removes those that have ended", async () => {
  const [player, stranger] = [await signedIn(), await signedIn()];
  const { id, token } = await tokenOf(player, ["read"]);
  const path = `/api/account/tokens/${id}/`;
  expect((await stranger.request("DELETE", path)).status).toBe(404);
  expect(await listed(stranger)).toEqual([]);
  expect((await call(token, "GET", "/api/auth/standing/")).status).toBe(200);
  expect((await player.request("DELETE", path)).status).toBe(204);
  expect((await call(token, "GET", "/api/auth/standing/")).status).toBe(401);
  expect((await player.request("DELETE", path)).status).toBe(404);

  const { id: ending } = await tokenOf(player, ["read"], { expires_in_days: 30 });
  const isStored = async (tokenId: number) =>
    (await server.services.database.selectFrom("access_tokens").select("id").where("id", "=", tokenId).execute())
      .length;
  server.passTime(29 * 24 * 3600_000);
  await runRetention(server.services, new AbortController().signal);
  expect(await isStored(ending)).toBe(1);
  server.passTime(2 * 24 * 3600_000);
  await runRetention(server.services, new AbortController().signal);
  expect(await isStored(ending)).toBe(0);
});

test("A token that may not read is told nothing of what is its player's by public calls", async () => {
  const player = await signedIn();
  const matchId = await giveMatch(server.services, player.steamId, await storeReel(server.services));
  const { highlights } = await player.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  const clip = await player.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, {
    highlight_ids: [highlights[0]!.id],
  });
  const [read, create] = [await tokenOf(player, ["read"]), await tokenOf(player, ["create"])];
  for (const path of [`/api/matches/clips/${clip.id}/`, `/api/matches/clips/${clip.id}/status/`]) {
    expect((await call(read.token, "GET", path)).status).toBe(200);
    expect((await call(create.token, "GET", path)).status).toBe(404);
  }
  // Of a video that is not ready only its owner is told so.
  expect((await call(read.token, "GET", `/video/clips/${clip.id}/`)).status).toBe(409);
  expect((await call(create.token, "GET", `/video/clips/${clip.id}/`)).status).toBe(404);
  const whoIs = async (token: string) => (await call(token, "GET", "/api/auth/status/")).json();
  expect(await whoIs(read.token)).toMatchObject({ authenticated: true, user: { steam_id: player.steamId } });
  expect(await whoIs(create.token)).toEqual({ authenticated: false, user: null });
});

test("Scripts of other sites may call with a token, and read the answer", async () => {
  const player = await signedIn();
  const { token } = await tokenOf(player, ["read"]);
  const preflight = await call(null, "OPTIONS", "/api/matches/check-demo-processing/", {
    Origin: elsewhere,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type",
  });
  expect(preflight.status).toBe(204);
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    "access-control-allow-origin": "*",
    "access-control-allow-methods": expect.stringContaining("POST"),
    "access-control-allow-headers": expect.stringMatching(/Authorization, Content-Type/),
  });
  expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();

  const body = { demo_url: "https://demos.example/a.dem" };
  const asked = await callWithToken(server.url, token, "POST", "/api/matches/check-demo-processing/", body, {
    Origin: elsewhere,
    "Sec-Fetch-Site": "cross-site",
  });
  expect(asked.status).toBe(200);
  expect(asked.headers.get("access-control-allow-origin")).toBe("*");
  expect(asked.headers.get("access-control-expose-headers")).toMatch(/Retry-After, X-Request-Id/);
  // Errors are read, too.
  const refused = await call(token, "POST", "/api/auth/logout-everywhere/", { Origin: elsewhere });
  expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([403, "*"]);
  const video = await call(token, "GET", "/video/clips/1/", { Origin: elsewhere });
  expect(video.headers.get("access-control-allow-origin")).toBe("*");
});

test("A browser lets scripts of other sites ask for parts of a file, and whether it has changed", async () => {
  const names = "authorization,if-match,if-modified-since,if-none-match,if-range,if-unmodified-since,range";
  const preflight = await call(null, "OPTIONS", "/video/clips/1/", {
    Origin: elsewhere,
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": names,
  });
  expect(preflight.status).toBe(204);
  const allowed = (preflight.headers.get("access-control-allow-headers") ?? "").toLowerCase().split(", ");
  expect(allowed).toEqual(expect.arrayContaining(names.split(",")));
});

test("A session's cookie works from no other site, with whatever it is sent along", async () => {
  const player = await signedIn();
  const plain = { Cookie: player.cookieHeader, Origin: elsewhere, "Sec-Fetch-Site": "cross-site" };
  const readable = await call(null, "GET", "/api/matches/", plain);
  expect(readable.headers.get("access-control-allow-origin")).toBeNull();
  const unasked = await call(null, "OPTIONS", "/api/matches/", {
    Origin: elsewhere,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "content-type,x-xsrf-token",
  });
  expect(unasked.headers.get("access-control-allow-origin")).toBeNull();
  // With an invented bearer token a browser would let the other site read the answer: the cookie counts for nothing there.
  for (const token of ["invented", "A".repeat(43), "a.b"]) {
    expect((await call(token, "GET", "/api/matches/", plain)).status, token).toBe(401);
    const xsrf = decodeURIComponent(player.cookies.get("XSRF-TOKEN") ?? "");
    const forged = await call(token, "POST", "/api/auth/logout/", { ...plain, "X-XSRF-TOKEN": xsrf });
    expect([forged.status, ((await forged.json()) as { error: string }).error]).toEqual([403, "cross_origin"]);
  }
  expect(await player.call("GET", "/api/auth/status/")).toMatchObject({ authenticated: true });
  const { token } = await tokenOf(await signedIn(), ["create"]);
  expect((await call(token, "GET", "/api/matches/", plain)).status).toBe(403);
});

test("A token has a share of calls of its own: using it up leaves the player's pages and other tokens theirs", async () => {
  const player = await signedIn();
  const [busy, idle] = [await tokenOf(player, ["read"]), await tokenOf(player, ["read"])];
  const statusOf = async ({ token }: NewAccessToken) => (await call(token, "GET", "/api/auth/standing/")).status;
  const statuses = await Promise.all(Array.from({ length: 90 }, () => statusOf(busy)));
  // Forty a minute, and the minute may end meanwhile.
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(10);
  const refused = await call(busy.token, "GET", "/api/auth/standing/");
  if (refused.status === 429) expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await statusOf(idle)).toBe(200);
  expect(await player.call("GET", "/api/auth/status/")).toMatchObject({ authenticated: true });
});
