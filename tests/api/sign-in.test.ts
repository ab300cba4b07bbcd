import { afterAll, beforeAll, expect, test } from "vitest";
import { hostileName, hostileNameCleaned } from "../../contract/testing/hostile-name.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";

let server: RunningApi;

beforeAll(async () => {
  server = await startApi();
});
afterAll(() => server.close());

test("A player signs in through the local provider and out again", async () => {
  const player = new ApiVisitor(server.url);
  expect(await player.call("GET", "/api/auth/status/")).toEqual({ authenticated: false, user: null });
  await player.signIn("76561199999900000", "outsider <b>one</b>");
  expect(await player.call("GET", "/api/auth/status/")).toEqual({
    authenticated: true,
    user: {
      steam_id: "76561199999900000",
      steam_name: "outsider <b>one</b>",
      avatar_url: "/local-steam/avatars/76561199999900000.svg",
    },
  });
  expect((await player.request("GET", "/local-steam/avatars/76561199999900000.svg")).headers.get("content-type")).toBe(
    "image/svg+xml",
  );
  await player.call("POST", "/api/auth/logout/");
  expect(await player.call("GET", "/api/auth/status/")).toEqual({ authenticated: false, user: null });
  expect([...player.cookies.keys()]).toEqual([]);
});

test("A player who signs in with a hostile name is called by what is left of it", async () => {
  const player = new ApiVisitor(server.url);
  await player.signIn("76561199999900001", hostileName);
  // Half a character cannot be sent: what arrives is a sign in its place.
  const { user } = await player.call<{ user: { steam_name: string } }>("GET", "/api/auth/status/");
  expect(user.steam_name.replace("\ufffd", "")).toBe(hostileNameCleaned);
});

async function signInPage(visitor: ApiVisitor): Promise<{ address: string; page: string; response: Response }> {
  const { auth_url: address } = await visitor.call<{ auth_url: string }>("GET", "/api/auth/steam/login/");
  const response = await visitor.request("GET", address);
  return { address, response, page: await response.text() };
}

test("The page has one form with the request in hidden fields, is filled in, and needs nothing from elsewhere", async () => {
  const { page, response } = await signInPage(new ApiVisitor(server.url));
  expect(page.match(/<form/g)).toHaveLength(1);
  expect(page.match(/<input type="hidden" name="openid\.[a-z_]+"/g)).toHaveLength(6);
  expect(page).toMatch(/name="steam_id" value="\d{17}"/);
  expect(page).toMatch(/name="persona_name" value="[^"]+"/);
  expect(page).not.toMatch(/<script|<link rel="stylesheet"|src="/);
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(response.headers.get("content-security-policy")).toContain("form-action 'self'");
  expect(response.headers.get("referrer-policy")).toBe("same-origin");
});

test.each([
  ["123", "name", "A SteamID64 has exactly 17 digits."],
  ["7656119999990000x", "name", "A SteamID64 has exactly 17 digits."],
  ["76561199999900000", " \u0007 ", "Please enter a name."],
])(
  "With SteamID %j and name %j the page says what is wrong and keeps what was typed",
  async (steamId, name, problem) => {
    const visitor = new ApiVisitor(server.url);
    const { address } = await signInPage(visitor);
    const fields = new URLSearchParams(new URL(address).search);
    fields.set("steam_id", steamId);
    fields.set("persona_name", name);
    const response = await visitor.request("POST", address, fields);
    const page = await response.text();
    expect(response.status).toBe(400);
    expect(page).toContain(problem);
    expect(page).toContain(`name="steam_id" value="${steamId}"`);
  },
);

test("What is typed or sent stands in the page as text", async () => {
  const visitor = new ApiVisitor(server.url);
  const { address } = await signInPage(visitor);
  const fields = new URLSearchParams(new URL(address).search);
  fields.set("steam_id", '"><script>alert(1)</script>');
  fields.set("persona_name", "<img src=x onerror=alert(1)>");
  fields.set("openid.claimed_id", '"><b>x</b>');
  const page = await (await visitor.request("POST", address, fields)).text();
  expect(page).not.toMatch(/<script|<img|<b>/);
  expect(page).toContain("&lt;script&gt;");
});

test("The provider serves this server's own sign-in and redirects nowhere else", async () => {
  const visitor = new ApiVisitor(server.url);
  const { address } = await signInPage(visitor);
  for (const [field, value] of [
    ["openid.return_to", "https://evil.example/api/auth/steam/return/?state=x"],
    ["openid.return_to", `${server.url}.evil.example/api/auth/steam/return/?state=x`],
    ["openid.return_to", `${server.url}/clips/1?x=1`],
    ["openid.realm", "https://evil.example/"],
    ["openid.mode", "checkid_immediate"],
  ] as const) {
    const fields = new URLSearchParams(new URL(address).search);
    fields.set(field, value);
    expect((await visitor.request("GET", `/local-steam/openid/login?${fields}`)).status).toBe(400);
    fields.set("steam_id", "76561199999900000");
    fields.set("persona_name", "x");
    const posted = await visitor.request("POST", "/local-steam/openid/login", fields);
    expect([posted.status, posted.headers.get("location")]).toEqual([400, null]);
  }
});

test("Another site cannot fill in the provider's form", async () => {
  const visitor = new ApiVisitor(server.url);
  const { address } = await signInPage(visitor);
  const fields = new URLSearchParams(new URL(address).search);
  fields.set("steam_id", "76561199999900000");
  fields.set("persona_name", "x");
  const response = await visitor.request("POST", address, fields, { Origin: "https://evil.example" });
  expect(response.status).toBe(403);
});

test("The provider confirms what it said, unchanged, once", async () => {
  const visitor = new ApiVisitor(server.url);
  const { address } = await signInPage(visitor);
  const fields = new URLSearchParams(new URL(address).search);
  fields.set("steam_id", "76561199999900000");
  fields.set("persona_name", "x");
  const response = await visitor.request("POST", address, fields);
  expect(response.status).toBe(303);
  const assertion = new URL(response.headers.get("location") ?? "").searchParams;
  const check = async (changes: Record<string, string>) => {
    const body = new URLSearchParams([...assertion, ...Object.entries(changes)]);
    for (const [name, value] of Object.entries(changes)) body.set(name, value);
    body.set("openid.mode", "check_authentication");
    return (await visitor.request("POST", "/local-steam/openid/login", body)).text();
  };
  expect(await check({ "openid.claimed_id": `${server.url}/local-steam/openid/id/76561199999900001` })).toContain(
    "is_valid:false",
  );
  expect(await check({ "openid.signed": "mode", "openid.sig": "" })).toContain("is_valid:false");
  expect(await check({})).toBe("ns:http://specs.openid.net/auth/2.0\nis_valid:true\n");
  expect(await check({})).toContain("is_valid:false");
});

test("Cancel leads home with the reason", async () => {
  const visitor = new ApiVisitor(server.url);
  const { page } = await signInPage(visitor);
  const [, cancel = ""] = /<a class="cancel" href="([^"]*)"/.exec(page) ?? [];
  const response = await visitor.request("GET", cancel.replaceAll("&amp;", "&"));
  expect(response.headers.get("location")).toBe("/?login=failed&reason=cancelled");
});
