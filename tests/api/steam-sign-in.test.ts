import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { ApiVisitor } from "../services/api-visitor.ts";
import { startPostgres } from "../services/postgres.ts";
import { type OpenIdProvider, startOpenIdProvider } from "./openid-provider.ts";
import { type RunningApi, startApi } from "./start-server.ts";

const steamId = "76561198000000123";
const returnPath = "/api/auth/steam/return/";

let steam: OpenIdProvider;
let server: RunningApi;
let honest: Pick<OpenIdProvider, "answer" | "profileXml">;

beforeAll(async () => {
  steam = await startOpenIdProvider();
  honest = { answer: steam.answer, profileXml: steam.profileXml };
  server = await startApi({ STEAM_OPENID_URL: steam.endpoint, REQUESTS_PER_MINUTE: "100000" });
  // Starts are counted by network, and all of this file comes from one.
  await server.services.database.deleteFrom("rate_counters").execute();
});
afterAll(async () => {
  await server.close();
  await steam.close();
});
beforeEach(async () => {
  Object.assign(steam, honest);
  steam.checks.length = 0;
  await server.services.database.deleteFrom("rate_counters").execute();
});

/** Starts a sign-in. @returns the address the provider is to send the browser back to */
async function start(visitor: ApiVisitor, next?: string): Promise<string> {
  const path = `/api/auth/steam/login/${next === undefined ? "" : `?${new URLSearchParams({ next })}`}`;
  const { auth_url: address } = await visitor.call<{ auth_url: string }>("GET", path);
  return new URL(address).searchParams.get("openid.return_to") ?? "";
}

async function bringBack(visitor: ApiVisitor, returnTo: string, fields: URLSearchParams | string): Promise<string> {
  const response = await visitor.request("GET", `${returnTo}&${fields}`);
  expect(response.status).toBe(302);
  return response.headers.get("location") ?? "";
}

async function isSignedIn(visitor: ApiVisitor): Promise<boolean> {
  return (await visitor.call<{ authenticated: boolean }>("GET", "/api/auth/status/")).authenticated;
}

test("The start names this server as realm and return address, and Steam as the only provider", async () => {
  const { auth_url: address } = await new ApiVisitor(server.url).call<{ auth_url: string }>(
    "GET",
    "/api/auth/steam/login/",
  );
  const { origin, pathname, searchParams } = new URL(address);
  expect(origin + pathname).toBe(steam.endpoint);
  expect(searchParams.get("openid.mode")).toBe("checkid_setup");
  expect(searchParams.get("openid.realm")).toBe(`${server.url}/`);
  expect(searchParams.get("openid.claimed_id")).toBe("http://specs.openid.net/auth/2.0/identifier_select");
  expect(searchParams.get("openid.identity")).toBe("http://specs.openid.net/auth/2.0/identifier_select");
  expect(searchParams.get("openid.return_to")).toMatch(`${server.url}${returnPath}?state=`);
});

test("What Steam confirms signs the player in, with the name and picture of his profile page", async () => {
  const visitor = new ApiVisitor(server.url);
  const returnTo = await start(visitor);
  expect(await bringBack(visitor, returnTo, steam.assertion(steamId, returnTo))).toBe("/?login=success");
  expect(await visitor.call("GET", "/api/auth/status/")).toEqual({
    authenticated: true,
    user: {
      steam_id: steamId,
      steam_name: "Player 123",
      avatar_url: `https://avatars.steamstatic.com/${steamId}_full.jpg`,
    },
  });
});

test("Steam is asked about the signed fields and nothing else that the browser brought", async () => {
  const visitor = new ApiVisitor(server.url);
  const returnTo = await start(visitor);
  await bringBack(visitor, returnTo, steam.assertion(steamId, returnTo));
  expect([...(steam.checks.at(-1)?.keys() ?? [])].sort()).toEqual(
    [
      "assoc_handle",
      "claimed_id",
      "identity",
      "mode",
      "ns",
      "op_endpoint",
      "response_nonce",
      "return_to",
      "sig",
      "signed",
    ]
      .map((name) => `openid.${name}`)
      .sort(),
  );
  expect(steam.checks.at(-1)?.get("openid.mode")).toBe("check_authentication");
  const { origin } = new URL(steam.endpoint);
  expect(steam.checkHeaders).toMatchObject({
    origin,
    referer: `${origin}/`,
    "user-agent": expect.stringMatching(/^Clutchcast /),
  });
  expect(steam.checkHeaders.cookie).toBeUndefined();
});

type Change = (fields: URLSearchParams, returnTo: string) => URLSearchParams | string;
const set =
  (name: string, value: string): Change =>
  (fields) => {
    fields.set(`openid.${name}`, value);
    return fields;
  };
const unsigned = (name: string): [string, Change] => [
  `${name} is not signed`,
  (fields) => {
    const signed = (fields.get("openid.signed") ?? "").split(",").filter((field) => field !== name);
    fields.set("openid.signed", signed.join(","));
    return fields;
  },
];
const foreignId = "https://steamcommunity.com.evil.example/openid/id/76561198000000123";
const ownId = (fields: URLSearchParams) => fields.get("openid.claimed_id") ?? "";

const attacks: [string, Change][] = [
  ["another provider's endpoint", set("op_endpoint", "https://evil.example/openid/login")],
  [
    "another provider's identity",
    (fields) => set("identity", foreignId)(set("claimed_id", foreignId)(fields, "") as never, ""),
  ],
  ["an identity that differs from the claimed one", set("identity", foreignId)],
  [
    "a SteamID with something behind it",
    (fields) => {
      const claimed = `${ownId(fields)}/`;
      fields.set("openid.claimed_id", claimed);
      fields.set("openid.identity", claimed);
      return fields;
    },
  ],
  [
    "a SteamID that is too long",
    (fields) => {
      const claimed = `${ownId(fields)}4`;
      fields.set("openid.claimed_id", claimed);
      fields.set("openid.identity", claimed);
      return fields;
    },
  ],
  ["a return address of another site", set("return_to", "https://evil.example/api/auth/steam/return/?state=x")],
  ["a return address with another state", (fields, returnTo) => set("return_to", `${returnTo}x`)(fields, returnTo)],
  ["another version of OpenID", set("ns", "http://openid.net/signon/1.1")],
  ["another mode", set("mode", "check_authentication")],
  ...["op_endpoint", "claimed_id", "identity", "return_to", "response_nonce", "assoc_handle"].map(unsigned),
  ["a field signed twice", (fields) => set("signed", `${fields.get("openid.signed")},claimed_id`)(fields, "")],
  [
    "a signed field that is none of ours",
    (fields) => set("signed", `${fields.get("openid.signed")},sreg.email`)(fields, ""),
  ],
  ["a doubled parameter", (fields) => `${fields}&openid.claimed_id=${encodeURIComponent(ownId(fields))}`],
  ["a parameter with a zero byte in its name", (fields) => `${fields}&openid.claimed_id%00=x`],
  ["a parameter that is not known", (fields) => `${fields}&openid.ext1.mode=fetch_response`],
  ["a parameter in another spelling", (fields) => `${fields}&openid_claimed_id=x`],
  ["a parameter in brackets", (fields) => `${fields}&openid[claimed_id]=x`],
  ["a missing parameter", (fields) => `${fields}`.replace(/&openid\.assoc_handle=[^&]*/, "")],
  ["a line break in a value", set("assoc_handle", "1234567890\nis_valid:true")],
  ["a zero byte in a value", set("assoc_handle", "1234567890\u0000")],
  ["a changed signature", set("sig", "AAAAAAAAAAAAAAAAAAAAAAAAAAA=")],
  ["an enormous query", (fields) => set("assoc_handle", "x".repeat(10_000))(fields, "")],
];

test.each(attacks)("Nobody is signed in by %s", async (_name, change) => {
  const visitor = new ApiVisitor(server.url);
  const returnTo = await start(visitor);
  const fields = steam.assertion(steamId, returnTo);
  expect(await bringBack(visitor, returnTo, change(fields, returnTo))).toBe("/?login=failed&reason=rejected");
  expect(await isSignedIn(visitor)).toBe(false);
  const said = steam.checks.length;
  expect(said === 0 || _name === "a changed signature").toBe(true);
});

test.each<[string, string]>([
  ["is_valid:false", "ns:http://specs.openid.net/auth/2.0\nis_valid:false\n"],
  ["the words inside another line", "ns:http://specs.openid.net/auth/2.0\nnote:is_valid:true\n"],
  ["the words with more behind them", "ns:http://specs.openid.net/auth/2.0\nis_valid:true or not\n"],
  ["both verdicts", "ns:http://specs.openid.net/auth/2.0\nis_valid:true\nis_valid:false\n"],
  ["a page", "<html>is_valid:true</html>"],
  ["no version", "is_valid:true\n"],
])("An answer of Steam with %s signs nobody in", async (_name, text) => {
  steam.answer = (response) => response.end(text);
  const visitor = new ApiVisitor(server.url);
  const returnTo = await start(visitor);
  expect(await bringBack(visitor, returnTo, steam.assertion(steamId, returnTo))).toBe("/?login=failed&reason=rejected");
  expect(await isSignedIn(visitor)).toBe(false);
});

test.each<[string, OpenIdProvider["answer"]]>([
  ["breaks off", (response) => response.destroy()],
  ["answers 503", (response) => response.writeHead(503).end()],
  ["redirects", (response) => response.writeHead(302, { Location: "http://127.0.0.1:9/" }).end()],
  ["answers without end", (response) => response.end("x".repeat(100_000))],
])("When Steam %s, the visitor is told that it is not there", async (_name, answer) => {
  steam.answer = answer;
  const visitor = new ApiVisitor(server.url);
  const returnTo = await start(visitor);
  expect(await bringBack(visitor, returnTo, steam.assertion(steamId, returnTo))).toBe(
    "/?login=failed&reason=unavailable",
  );
});

test("Who comes back while the database is away is sent to a page that says so, signed in before or not", async () => {
  const postgres = await startPostgres();
  const away = await startApi({ STEAM_OPENID_URL: steam.endpoint }, postgres);
  onTestFinished(async () => {
    await away.close();
    await postgres.stop();
  });
  const [stranger, player] = [new ApiVisitor(away.url), new ApiVisitor(away.url)];
  const before = await start(player);
  expect(await bringBack(player, before, steam.assertion(steamId, before))).toBe("/?login=success");
  const returns = [
    [stranger, await start(stranger)],
    [player, await start(player)],
  ] as const;
  await postgres.halt();
  for (const [visitor, returnTo] of returns) {
    expect(await bringBack(visitor, returnTo, steam.assertion(steamId, returnTo))).toBe(
      "/?login=failed&reason=unavailable",
    );
  }
  await postgres.resume();
});

test("A finished sign-in cannot be finished again, even while Steam would confirm it", async () => {
  const visitor = new ApiVisitor(server.url);
  const returnTo = await start(visitor);
  const fields = steam.assertion(steamId, returnTo);
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  expect(await bringBack(visitor, returnTo, fields)).toBe("/?login=success");
  steam.answer = (response) => response.end("ns:http://specs.openid.net/auth/2.0\nis_valid:true\n");
  const again = await fetch(`${returnTo}&${fields}`, { redirect: "manual", headers: { Cookie: cookie } });
  expect(again.headers.get("location")).toBe("/?login=failed&reason=replayed");
  expect(again.headers.getSetCookie().join()).not.toContain("clutchcast_session");
  const fresh = steam.assertion(steamId, returnTo);
  const anew = await fetch(`${returnTo}&${fresh}`, { redirect: "manual", headers: { Cookie: cookie } });
  expect(anew.headers.get("location")).toBe("/?login=failed&reason=replayed");
});

test("An assertion is good for the attempt it was made for, and its nonce once in all attempts", async () => {
  const visitor = new ApiVisitor(server.url);
  const first = await start(visitor);
  const second = await start(visitor);
  expect(await bringBack(visitor, second, steam.assertion(steamId, first))).toBe("/?login=failed&reason=rejected");

  steam.answer = (response) => response.end("ns:http://specs.openid.net/auth/2.0\nis_valid:true\n");
  const fields = steam.assertion(steamId, first);
  const other = steam.assertion(steamId, second);
  other.set("openid.response_nonce", fields.get("openid.response_nonce") ?? "");
  expect(await bringBack(visitor, first, fields)).toBe("/?login=success");
  // The success cleared the browser's secret: the old nonce comes back with an attempt of its own.
  const third = await start(visitor);
  other.set("openid.return_to", third);
  expect(await bringBack(visitor, third, other)).toBe("/?login=failed&reason=replayed");
});

test.each([-6, 6])("A nonce %i minutes away from now is refused", async (minutes) => {
  const visitor = new ApiVisitor(server.url);
  const returnTo = await start(visitor);
  const fields = steam.assertion(steamId, returnTo, new Date(Date.now() + minutes * 60_000));
  expect(await bringBack(visitor, returnTo, fields)).toBe("/?login=failed&reason=rejected");
});

test("A link to somebody else's sign-in signs nobody in: the state belongs to one browser", async () => {
  const attacker = new ApiVisitor(server.url);
  const returnTo = await start(attacker);
  const link = steam.assertion(steamId, returnTo);
  const fresh = new ApiVisitor(server.url);
  expect(await bringBack(fresh, returnTo, link)).toBe("/?login=failed&reason=expired");
  const busy = new ApiVisitor(server.url);
  await start(busy);
  expect(await bringBack(busy, returnTo, link)).toBe("/?login=failed&reason=rejected");
  expect(await isSignedIn(busy)).toBe(false);
});

test("Two tabs can sign in at once", async () => {
  const visitor = new ApiVisitor(server.url);
  const first = await start(visitor);
  await start(visitor);
  expect(await bringBack(visitor, first, steam.assertion(steamId, first))).toBe("/?login=success");
});

test("A sign-in left for too long has to be started again", async () => {
  const visitor = new ApiVisitor(server.url);
  const returnTo = await start(visitor);
  server.passTime(16 * 60_000);
  const fields = steam.assertion(steamId, returnTo, server.services.now());
  expect(await bringBack(visitor, returnTo, fields)).toBe("/?login=failed&reason=expired");
});

test("Cancelling at Steam leads home with the reason", async () => {
  const visitor = new ApiVisitor(server.url);
  const returnTo = await start(visitor);
  const cancel = "openid.ns=http%3A%2F%2Fspecs.openid.net%2Fauth%2F2.0&openid.mode=cancel";
  expect(await bringBack(visitor, returnTo, cancel)).toBe("/?login=failed&reason=cancelled");
});

test.each([
  ["/matches/abc?tab=clips", "/matches/abc?tab=clips&login=success"],
  ["https://evil.example/", "/?login=success"],
  ["//evil.example/", "/?login=success"],
  ["/\\evil.example", "/?login=success"],
  ["/.//evil.example", "/?login=success"],
  ["/\tx", "/?login=success"],
  ["javascript:alert(1)", "/?login=success"],
  ["/api/auth/logout/", "/?login=success"],
])("After sign-in, next=%s leads to %s", async (next, location) => {
  const visitor = new ApiVisitor(server.url);
  const returnTo = await start(visitor, next);
  expect(await bringBack(visitor, returnTo, steam.assertion(steamId, returnTo, server.services.now()))).toBe(location);
});

test("Without a profile the player is signed in under his SteamID, and a known name stays", async () => {
  const newcomer = "76561198000000999";
  for (const [profileXml, name] of [
    [() => null, newcomer],
    [honest.profileXml, "Player 999"],
    [() => null, "Player 999"],
  ] as const) {
    steam.profileXml = profileXml;
    const visitor = new ApiVisitor(server.url);
    const returnTo = await start(visitor);
    await bringBack(visitor, returnTo, steam.assertion(newcomer, returnTo, server.services.now()));
    expect(await visitor.call("GET", "/api/auth/status/")).toMatchObject({ user: { steam_name: name } });
  }
});

test("A name is text, whatever is in it", async () => {
  steam.profileXml = (id) =>
    `<profile><steamID64>${id}</steamID64><steamID><![CDATA[<script>alert(1)</script><avatarFull>http://evil.example/x.png</avatarFull>\u202e\u0007 x]]></steamID><avatarFull><![CDATA[javascript:alert(1)]]></avatarFull></profile>`;
  const visitor = new ApiVisitor(server.url);
  const returnTo = await start(visitor);
  await bringBack(visitor, returnTo, steam.assertion(steamId, returnTo, server.services.now()));
  const { user } = await visitor.call<{ user: { steam_name: string; avatar_url: string | null } }>(
    "GET",
    "/api/auth/status/",
  );
  expect(user.steam_name).toBe("<script>alert(1)</script><avatarFull>http://evil.example/x.png</");
  expect(user.avatar_url).toBeNull();
});

test("Sign-ins can be started only so often from one network", async () => {
  const visitor = new ApiVisitor(server.url);
  for (let count = 0; count < 60; count++) await start(visitor);
  expect((await visitor.request("HEAD", "/api/auth/steam/login/")).status).toBe(429);
  const refused = await visitor.request("GET", "/api/auth/steam/login/");
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ error: "rate_limited" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  server.passTime(11 * 60_000);
  await start(visitor);
});

test("Who only looks at where sign-ins start begins none", async () => {
  server.passTime(11 * 60_000);
  const visitor = new ApiVisitor(server.url);
  for (let count = 0; count < 61; count++) {
    expect((await visitor.request("HEAD", "/api/auth/steam/login/")).status).toBe(200);
  }
  await start(visitor);
});

test("The local provider does not exist while another is configured", async () => {
  const visitor = new ApiVisitor(server.url);
  for (const path of ["/local-steam/openid/login", "/local-steam/profiles/76561198000000123/?xml=1"]) {
    expect((await visitor.request("GET", path)).status).toBe(404);
  }
});
