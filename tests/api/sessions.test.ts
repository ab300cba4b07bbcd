import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";

const dayMs = 24 * 3600_000;
const steamId = "76561199999900000";

let server: RunningApi;

beforeAll(async () => {
  server = await startApi();
});
afterAll(() => server.close());

async function signedIn(): Promise<ApiVisitor> {
  const visitor = new ApiVisitor(server.url);
  await visitor.signIn(steamId, "quietOtter");
  return visitor;
}

function tokenOf(visitor: ApiVisitor): string {
  return visitor.cookies.get("clutchcast_session") ?? "";
}

async function isOpen(token: string): Promise<boolean> {
  const response = await fetch(`${server.url}/api/auth/status/`, {
    headers: { Cookie: `clutchcast_session=${token}` },
  });
  return ((await response.json()) as { authenticated: boolean }).authenticated;
}

test("The session cookie is hidden from scripts and bound to this site; the anti-forgery cookie is readable", async () => {
  const visitor = new ApiVisitor(server.url);
  const { auth_url: address } = await visitor.call<{ auth_url: string }>("GET", "/api/auth/steam/login/");
  const fields = new URLSearchParams(new URL(address).search);
  fields.set("steam_id", steamId);
  fields.set("persona_name", "quietOtter");
  const returned = await visitor.request("POST", address, fields);
  const done = await visitor.request("GET", returned.headers.get("location") ?? "");
  const cookies = done.headers.getSetCookie();
  const session = cookies.find((cookie) => cookie.startsWith("clutchcast_session="));
  expect(session).toMatch(/^clutchcast_session=[\w-]{43}; /);
  expect(session).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
  const xsrf = cookies.find((cookie) => cookie.startsWith("XSRF-TOKEN="));
  expect(xsrf).toMatch(/; SameSite=Lax$/);
  expect(xsrf).not.toContain("HttpOnly");
  expect(cookies.find((cookie) => cookie.startsWith("clutchcast_sign_in="))).toContain("Max-Age=0");
});

test("The database holds the hash of a session's id and nothing that opens it", async () => {
  const token = tokenOf(await signedIn());
  const rows = await server.services.database.selectFrom("sessions").selectAll().execute();
  expect(rows.map((row) => row.id_hash)).toContain(createHash("sha256").update(token).digest("hex"));
  expect(JSON.stringify(rows)).not.toContain(token);
});

test("Signing in again gives a new session and ends the old one", async () => {
  const visitor = await signedIn();
  const before = tokenOf(visitor);
  await visitor.signIn(steamId, "quietOtter");
  expect(tokenOf(visitor)).not.toBe(before);
  expect(await isOpen(tokenOf(visitor))).toBe(true);
  expect(await isOpen(before)).toBe(false);
});

test("A planted session id is not taken over at sign-in", async () => {
  const planted = "A".repeat(43);
  const visitor = new ApiVisitor(server.url);
  (visitor.cookies as Map<string, string>).set("clutchcast_session", planted);
  await visitor.signIn(steamId, "quietOtter");
  expect(tokenOf(visitor)).not.toBe(planted);
  expect(await isOpen(planted)).toBe(false);
});

test("After signing out the old cookie opens nothing, and other browsers stay signed in", async () => {
  const [visitor, other] = [await signedIn(), await signedIn()];
  const token = tokenOf(visitor);
  await visitor.call("POST", "/api/auth/logout/");
  expect(visitor.cookies.size).toBe(0);
  expect(await isOpen(token)).toBe(false);
  expect(await isOpen(tokenOf(other))).toBe(true);
});

test("Signing out everywhere ends the sessions of all devices, and those of nobody else", async () => {
  const [visitor, phone] = [await signedIn(), await signedIn()];
  const somebody = new ApiVisitor(server.url);
  await somebody.signIn("76561199999900001", "calmHeron");
  const tokens = [tokenOf(visitor), tokenOf(phone)];
  const call = (headers: Record<string, string>) =>
    visitor.request("POST", "/api/auth/logout-everywhere/", undefined, headers);
  expect((await call({ "X-XSRF-TOKEN": "wrong" })).status).toBe(403);
  expect((await call({ Origin: "https://evil.example" })).status).toBe(403);
  expect(await isOpen(tokens[1]!)).toBe(true);

  const answer = await visitor.call("POST", "/api/auth/logout-everywhere/");
  expect(answer).toEqual({ authenticated: false, user: null });
  expect(visitor.cookies.size).toBe(0);
  expect(await Promise.all(tokens.map(isOpen))).toEqual([false, false]);
  expect(await isOpen(tokenOf(somebody))).toBe(true);
  expect((await visitor.request("POST", "/api/auth/logout-everywhere/")).status).toBe(401);
});

test("A session ends after 14 days without use", async () => {
  const [used, unused] = [tokenOf(await signedIn()), tokenOf(await signedIn())];
  server.passTime(13 * dayMs);
  expect(await isOpen(used)).toBe(true);
  server.passTime(dayMs + 1000);
  expect(await isOpen(used)).toBe(true);
  expect(await isOpen(unused)).toBe(false);
});

test("A session ends after 90 days however much it is used", async () => {
  const token = tokenOf(await signedIn());
  for (let day = 0; day < 89; day += 10) {
    expect(await isOpen(token)).toBe(true);
    server.passTime(10 * dayMs - 1000);
  }
  expect(await isOpen(token)).toBe(true);
  server.passTime(10_000);
  expect(await isOpen(token)).toBe(false);
});

test("When a session was last used is written at most every five minutes", async () => {
  const token = tokenOf(await signedIn());
  const lastSeen = async () => {
    const idHash = createHash("sha256").update(token).digest("hex");
    const row = await server.services.database
      .selectFrom("sessions")
      .select("last_seen_at")
      .where("id_hash", "=", idHash)
      .executeTakeFirstOrThrow();
    return row.last_seen_at.getTime();
  };
  const first = await lastSeen();
  server.passTime(4 * 60_000);
  await isOpen(token);
  expect(await lastSeen()).toBe(first);
  server.passTime(2 * 60_000);
  await isOpen(token);
  expect(await lastSeen()).toBeGreaterThanOrEqual(first + 6 * 60_000);
});

test("A script can send the session's token as bearer token, without the anti-forgery header", async () => {
  const token = tokenOf(await signedIn());
  const check = (headers: Record<string, string>) =>
    fetch(`${server.url}/api/matches/check-demo-processing/`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify({ demo_url: "https://demos.example/a.dem" }),
    });
  expect((await check({ Authorization: `Bearer ${token}` })).status).toBe(200);
  const refused = await check({ Authorization: "Bearer null" });
  expect(refused.status).toBe(401);
  expect(await refused.json()).toEqual({ error: "authentication_required", detail: "Authentication required" });
});

test("Unsafe calls with the session cookie need the anti-forgery token of that very session", async () => {
  const [visitor, other] = [await signedIn(), await signedIn()];
  const cookie = `clutchcast_session=${tokenOf(visitor)}`;
  const xsrf = visitor.cookies.get("XSRF-TOKEN") ?? "";
  const foreign = other.cookies.get("XSRF-TOKEN") ?? "";
  const logOut = async (headers: Record<string, string>) => {
    const response = await fetch(`${server.url}/api/auth/logout/`, { method: "POST", headers });
    return [response.status, ((await response.json()) as { error?: string }).error];
  };
  expect(await logOut({ Cookie: cookie })).toEqual([403, "xsrf"]);
  expect(await logOut({ Cookie: `${cookie}; XSRF-TOKEN=${xsrf}` })).toEqual([403, "xsrf"]);
  expect(await logOut({ Cookie: `${cookie}; XSRF-TOKEN=${xsrf}`, "X-XSRF-TOKEN": "" })).toEqual([403, "xsrf"]);
  // A subdomain can plant a cookie of this name, so being equal to the cookie is not enough.
  expect(await logOut({ Cookie: `${cookie}; XSRF-TOKEN=planted`, "X-XSRF-TOKEN": "planted" })).toEqual([403, "xsrf"]);
  expect(await logOut({ Cookie: `${cookie}; XSRF-TOKEN=${foreign}`, "X-XSRF-TOKEN": foreign })).toEqual([403, "xsrf"]);
  const evil = { Cookie: cookie, "X-XSRF-TOKEN": xsrf, Origin: "https://evil.example" };
  expect(await logOut(evil)).toEqual([403, "cross_origin"]);
  expect(await logOut({ ...evil, Origin: "null" })).toEqual([403, "cross_origin"]);
  expect(await isOpen(tokenOf(visitor))).toBe(true);
  expect(await logOut({ Cookie: cookie, "X-XSRF-TOKEN": xsrf, Origin: server.url })).toEqual([200, undefined]);
});

test("Other sites cannot make signed-out calls in a visitor's name either", async () => {
  const view = (headers: Record<string, string>) =>
    fetch(`${server.url}/api/matches/clips/1/view/`, { method: "POST", headers });
  expect((await view({ Origin: "https://evil.example" })).status).toBe(403);
  expect((await view({ "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  expect((await view({ Origin: server.url })).status).toBe(404);
});

test("The status call gives a signed-in browser the anti-forgery cookie it lost, and only then", async () => {
  const visitor = await signedIn();
  const cookie = `clutchcast_session=${tokenOf(visitor)}`;
  const status = (headers: Record<string, string>) => fetch(`${server.url}/api/auth/status/`, { headers });
  const xsrf = visitor.cookies.get("XSRF-TOKEN");
  expect((await status({ Cookie: cookie })).headers.getSetCookie().join()).toContain(`XSRF-TOKEN=${xsrf}`);
  expect((await status({ Cookie: `${cookie}; XSRF-TOKEN=${xsrf}` })).headers.getSetCookie()).toEqual([]);
  expect((await status({})).headers.getSetCookie()).toEqual([]);
});
