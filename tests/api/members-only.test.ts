import { afterAll, beforeAll, expect, test } from "vitest";
import { createApi } from "../../backend/api/create-api.ts";
import { readConfig } from "../../backend/config.ts";
import { addressOf, type RouteDescription } from "../../contract/api-route.ts";
import { apiRoutes } from "../../contract/api-routes.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { callWithToken, tokenOf } from "../services/token-calls.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { finishClip, giveMatch, storeReel } from "./stored-reel.ts";

/** SIGN_IN_ALLOW and VIEWING=members, at the API. The pages are in tests/e2e/pages/members.test.ts. */

const [member, stranger] = ["76561199999980301", "76561199999980302"] as const;

let server: RunningApi;
let player: ApiVisitor;
let clipId: number;
let matchId: string;

beforeAll(async () => {
  server = await startApi({ VIEWING: "members", SIGN_IN_ALLOW: `${member}, 76561199999980303` });
  player = new ApiVisitor(server.url);
  await player.signIn(member, "member");
  matchId = await giveMatch(server.services, member, await storeReel(server.services, { hasTrack: true }));
  const { highlights } = await player.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  const clip = await player.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, {
    highlight_ids: [highlights[0]!.id],
  });
  await finishClip(server.services, clip.id, "a video");
  clipId = clip.id;
});
afterAll(() => server.close());

/** What an operator sees does not exist for others, members or not: operator.test.ts. */
const { operator: _, ...areas } = apiRoutes;
const routes = Object.entries(areas).flatMap(([area, ofArea]) =>
  Object.entries<RouteDescription>(ofArea).map(([name, route]) => ({ name: `${area}.${name}`, route })),
);
const pathOf = (route: RouteDescription) => {
  const id = route.path.startsWith("/api/matches/:id") ? matchId : clipId;
  const parameters = { id, steam_id: member, highlight_id: 1, version: "0", name: "floor-0.webp", number: "1" };
  return addressOf(route, parameters);
};

/** All that visitors need to sign in, and to know whose server it is. */
const forVisitors = [
  "auth.status",
  "auth.startSignIn",
  "auth.finishSignIn",
  "auth.logout",
  "site.details",
  "operation.health",
  "operation.readiness",
  "operation.metrics",
];

test("Where only members may look, every call but those of signing in answers visitors with 401", async () => {
  const wrong: string[] = [];
  for (const { name, route } of routes) {
    for (const method of route.method === "get" ? ["GET", "HEAD"] : [route.method.toUpperCase()]) {
      const { status, headers } = await callWithToken(server.url, null, method, pathOf(route));
      if ((status === 401) === forVisitors.includes(name)) wrong.push(`${method} ${name}: ${status}`);
      if (/public/.test(headers.get("cache-control") ?? "")) wrong.push(`${method} ${name} is for shared caches`);
    }
  }
  expect(wrong).toEqual([]);
});

test("Members are answered, and nothing that they get is for shared caches", async () => {
  const wrong: string[] = [];
  for (const { name, route } of routes.filter(({ route: { method } }) => method === "get")) {
    const { status, headers } = await player.request("GET", pathOf(route));
    if (status === 401 || status >= 500) wrong.push(`${name}: ${status}`);
    if (/public|s-maxage/.test(headers.get("cache-control") ?? "")) wrong.push(`${name} is for shared caches`);
  }
  expect(wrong).toEqual([]);
  const video = await player.request("GET", `/video/clips/${clipId}/`);
  expect([video.status, video.headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
});

test("A member's token looks with `read` and not without, also at what is public elsewhere", async () => {
  const [read, create] = [await tokenOf(player, ["read"]), await tokenOf(player, ["create"])];
  for (const path of ["/api/top-highlights/", `/api/matches/clips/${clipId}/`, `/video/clips/${clipId}/`]) {
    expect((await callWithToken(server.url, read.token, "GET", path)).status, path).toBe(200);
    const refused = await callWithToken(server.url, create.token, "GET", path);
    expect([refused.status, ((await refused.json()) as { error: string }).error], path).toEqual([
      403,
      "insufficient_scope",
    ]);
  }
});

test("Whoever is not on the list comes back from Steam with a sentence, and leaves no account", async () => {
  const visitor = new ApiVisitor(server.url);
  const { auth_url: address } = await visitor.call<{ auth_url: string }>("GET", "/api/auth/steam/login/");
  const fields = new URLSearchParams(new URL(address).search);
  fields.set("steam_id", stranger);
  fields.set("persona_name", "stranger");
  const returned = await visitor.request("POST", address, fields);
  const done = await visitor.request("GET", returned.headers.get("location") ?? "");
  expect([done.status, done.headers.get("location")]).toEqual([302, "/?login=failed&reason=not_allowed"]);
  expect(visitor.cookies.has("clutchcast_session")).toBe(false);
  const known = await server.services.database.selectFrom("users").select("steam_id").execute();
  expect(known.map(({ steam_id }) => steam_id)).toEqual([member]);
});

test("Who is taken off the list is signed out at once, tokens included, and is back when put on again", async () => {
  const { token } = await tokenOf(player, ["read"]);
  const withList = (allowed: string[]) =>
    createApi({ ...server.services, config: { ...server.services.config, SIGN_IN_ALLOW: allowed } });
  const statuses = async (allowed: string[]) => {
    const api = withList(allowed);
    const ask = async (headers: Record<string, string>) =>
      (await api.request(`${server.url}/api/auth/standing/`, { headers })).status;
    return [
      await ask({ Cookie: player.cookieHeader }),
      await ask({ Authorization: `Bearer ${player.cookies.get("clutchcast_session")}` }),
      await ask({ Authorization: `Bearer ${token}` }),
    ];
  };
  expect(await statuses([stranger])).toEqual([401, 401, 401]);
  expect(await statuses([member])).toEqual([200, 200, 200]);
  expect(await statuses([])).toEqual([200, 200, 200]);
});

test("A list that names nobody, or not by SteamID64, is refused at the start", () => {
  const allowed = (list: string) => readConfig({ SIGN_IN_ALLOW: list }).SIGN_IN_ALLOW;
  expect(readConfig({}).SIGN_IN_ALLOW).toEqual([]);
  expect(allowed("")).toEqual([]);
  expect(allowed(` ${member} ,${stranger},`)).toEqual([member, stranger]);
  expect(() => allowed(" , ")).toThrow(/SIGN_IN_ALLOW: names nobody/);
  expect(() => allowed("STEAM_0:1:99")).toThrow(/SIGN_IN_ALLOW: must be SteamID64s/);
  expect(() => readConfig({ VIEWING: "private" })).toThrow(/VIEWING/);
});
