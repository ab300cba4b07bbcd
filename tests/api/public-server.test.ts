import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type OpenIdProvider, startOpenIdProvider } from "./openid-provider.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { finishClip, giveMatch, storeReel } from "./stored-reel.ts";

let steam: OpenIdProvider;
let server: RunningApi;

beforeAll(async () => {
  steam = await startOpenIdProvider();
  server = await startApi({
    PUBLIC_URL: "https://clips.example.org",
    STEAM_OPENID_URL: steam.endpoint,
    TRUST_PROXY: "true",
    REQUESTS_PER_MINUTE: "20",
  });
});
afterAll(async () => {
  await server.close();
  await steam.close();
});

/** A request as the reverse proxy in front hands it on. */
function throughProxy(visitor: ApiVisitor, method: string, path: string, from = "198.51.100.1", headers = {}) {
  return visitor.request(method, path, undefined, { "X-Forwarded-For": from, ...headers });
}

test("With a public address the local provider cannot be reached", async () => {
  const visitor = new ApiVisitor(server.url);
  for (const path of ["/local-steam/openid/login", "/local-steam/profiles/76561199999900000/?xml=1"]) {
    expect((await throughProxy(visitor, "GET", path)).status).toBe(404);
  }
  expect((await throughProxy(visitor, "POST", "/local-steam/openid/login")).status).toBe(404);
});

test("Sign-in is for the public address, whatever host a request names", async () => {
  const visitor = new ApiVisitor(server.url);
  const headers = { "X-Forwarded-Host": "evil.example", Host: "evil.example" };
  const started = await throughProxy(visitor, "GET", "/api/auth/steam/login/", "198.51.100.2", headers);
  const { auth_url: address } = (await started.json()) as { auth_url: string };
  const { searchParams } = new URL(address);
  expect(searchParams.get("openid.realm")).toBe("https://clips.example.org/");
  const returnTo = searchParams.get("openid.return_to") ?? "";
  expect(returnTo).toMatch(/^https:\/\/clips\.example\.org\/api\/auth\/steam\/return\/\?state=/);

  const fields = steam.assertion("76561198000000123", returnTo);
  const path = `${returnTo.replace("https://clips.example.org", "")}&${fields}`;
  const done = await throughProxy(visitor, "GET", path, "198.51.100.2");
  expect(done.headers.get("location")).toBe("/?login=success");
  for (const cookie of [...started.headers.getSetCookie(), ...done.headers.getSetCookie()]) {
    expect(cookie).toMatch(/; Secure/);
  }
  expect(done.headers.getSetCookie().join("\n")).toMatch(/^__Host-clutchcast_session=.*Path=\/.*$/m);
  expect(done.headers.get("strict-transport-security")).toBe("max-age=31536000");

  const logOut = (origin: string) =>
    throughProxy(visitor, "POST", "/api/auth/logout/", "198.51.100.2", { Origin: origin });
  expect((await logOut("https://evil.example")).status).toBe(403);
  expect((await logOut("https://clips.example.org")).status).toBe(200);
});

test("More requests a minute than allowed are refused, for that network alone", async () => {
  const visitor = new ApiVisitor(server.url);
  // A window begins with the clock's minute: begin at the start of one, so that none ends in between.
  server.passTime(60_000 - (server.services.now().getTime() % 60_000));
  for (let count = 0; count < 20; count++) {
    expect((await throughProxy(visitor, "GET", "/api/site/", "198.51.100.3")).status).toBe(200);
  }
  const refused = await throughProxy(visitor, "GET", "/api/site/", "198.51.100.3");
  expect(refused.status).toBe(429);
  expect(await refused.json()).toEqual({ error: "rate_limited", detail: "Too many requests. Please wait a minute." });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await throughProxy(visitor, "GET", "/api/site/", "203.0.113.5")).status).toBe(200);
  expect((await throughProxy(visitor, "GET", "/healthz", "198.51.100.3")).status).toBe(200);
  server.passTime(60_000);
  expect((await throughProxy(visitor, "GET", "/api/site/", "198.51.100.3")).status).toBe(200);
});

test("Who comes back from Steam when too much is asked for from their network is shown a page, not an answer for programs", async () => {
  const visitor = new ApiVisitor(server.url);
  server.passTime(60_000 - (server.services.now().getTime() % 60_000));
  const back = () => throughProxy(visitor, "GET", "/api/auth/steam/return/?state=x", "198.51.100.12");
  for (let count = 0; count < 20; count++) {
    expect((await back()).headers.get("location")).toBe("/?login=failed&reason=rejected");
  }
  const refused = await back();
  expect([refused.status, refused.headers.get("location")]).toEqual([302, "/?login=failed&reason=busy"]);
});

test("What pages read in process is not counted, what they change is", async () => {
  const call = (method: string, path: string) =>
    server.api.fetch(
      new Request(`https://clips.example.org${path}`, {
        method,
        headers: { "X-Forwarded-For": "198.51.100.4, 10.0.0.1" },
      }),
    );
  const [read, change] = [() => call("GET", "/api/site/"), () => call("POST", "/api/matches/clips/1/view/")];
  server.passTime(60_000 - (server.services.now().getTime() % 60_000));
  for (let count = 0; count < 30; count++) expect((await read()).status).toBe(200);
  for (let count = 0; count < 20; count++) expect((await change()).status).toBe(404);
  expect((await change()).status).toBe(429);
});

test("Videos are held to a limit of their own", async () => {
  const visitor = new ApiVisitor(server.url);
  server.passTime(60_000 - (server.services.now().getTime() % 60_000));
  for (let count = 0; count < 80; count++) {
    expect((await throughProxy(visitor, "GET", "/video/clips/1/", "198.51.100.7")).status).toBe(404);
  }
  const refused = await throughProxy(visitor, "GET", "/video/clips/2/poster.jpg", "198.51.100.7");
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ error: "rate_limited" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await throughProxy(visitor, "GET", "/api/site/", "198.51.100.7")).status).toBe(200);
  expect((await throughProxy(visitor, "GET", "/video/clips/1/", "198.51.100.8")).status).toBe(404);
});

test("An IPv6 household is one network, for the calls of a minute and for views", async () => {
  const visitor = new ApiVisitor(server.url);
  const { services } = server;
  const { database } = services;
  const steamId = "76561198000000777";
  await database.insertInto("users").values({ steam_id: steamId, steam_name: "maker" }).execute();
  const matchId = await giveMatch(services, steamId, await storeReel(services));
  const { user_id, demo_sha256 } = await database
    .selectFrom("matches")
    .select(["user_id", "demo_sha256"])
    .where("id", "=", matchId)
    .executeTakeFirstOrThrow();
  const { id } = await database
    .insertInto("clips")
    .values({
      user_id,
      match_id: matchId,
      demo_sha256: demo_sha256 ?? "",
      name: "watched",
      spec: JSON.stringify({}),
      settings: JSON.stringify({}),
      queue_slot: 1,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await finishClip(services, id);
  server.passTime(60_000 - (services.now().getTime() % 60_000));
  const view = (from: string) =>
    throughProxy(visitor, "POST", `/api/matches/clips/${id}/view/`, from, {
      "User-Agent": "Mozilla/5.0 Firefox/140.0",
    });
  const views: unknown[] = [];
  for (let address = 1; address <= 20; address++) views.push(await (await view(`2001:db8::${address}`)).json());
  expect(views).toEqual(Array(20).fill({ views_count: 1 }));
  expect((await view("2001:db8::ffff")).status).toBe(429);
  expect(await (await view("2001:db8:0:1::1")).json()).toEqual({ views_count: 2 });
});

test("Figures stay inside", async () => {
  const visitor = new ApiVisitor(server.url);
  expect((await throughProxy(visitor, "GET", "/metrics", "198.51.100.1")).status).toBe(404);
  expect((await throughProxy(visitor, "GET", "/metrics", "10.0.0.9")).status).toBe(200);
});
