import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { startSession } from "../../backend/accounts/sessions.ts";
import { type SmallPage, smallPages } from "./small-pages.ts";
import { type RunningWeb, startWeb } from "./start-web.ts";

const rendered: string[] = [];
const html = (text: string) => new Response(text, { headers: { "Content-Type": "text/html" } });
const pages: SmallPage[] = [
  {
    path: "",
    loader: ({ request: { url } }) => {
      rendered.push(url);
      return html("home");
    },
  },
  { path: "matches", action: () => new Response("changed"), loader: () => html("matches") },
];
let local: RunningWeb;
let publicWeb: RunningWeb;

beforeAll(async () => {
  local = await startWeb({}, async () => smallPages(pages));
  const environment = { PUBLIC_URL: "https://clips.example.org", TRUST_PROXY: "true", REQUESTS_PER_MINUTE: "20" };
  publicWeb = await startWeb(environment, async () => smallPages(pages));
});
afterAll(async () => {
  await local.close();
  await publicWeb.close();
});
afterEach(() => vi.restoreAllMocks());

/** A request with any headers, Host included, which `fetch` does not let one choose. */
function ask(web: RunningWeb, path: string, headers: Record<string, string> = {}, method = "GET") {
  return new Promise<{ status: number; text: string; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const asking = request({ port: web.port, host: "127.0.0.1", path, method, headers }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
    });
    asking.once("error", reject);
    asking.end();
  });
}

/** As a reverse proxy hands it on, at the start of a minute: a window must not end in between. */
const from = (address: string) => ({ "X-Forwarded-For": address });
const atNewMinute = () => publicWeb.passTime(60_000 - (publicWeb.services.now().getTime() % 60_000));

const host = () => `localhost:${local.port}`;

test("In local use pages and calls are refused to a name that somebody made lead to this machine", async () => {
  expect((await ask(local, "/", { Host: host() })).status).toBe(200);
  expect((await ask(local, "/", { Host: `127.0.0.1:${local.port}` })).status).toBe(200);
  for (const name of ["evil.example", "localhost.evil.example", "192.168.0.7"]) {
    for (const path of ["/", "/matches", "/api/site/", "/local-steam/openid/login", "/video/clips/1/"]) {
      const { status, text } = await ask(local, path, { Host: name });
      expect([status, path]).toEqual([403, path]);
      expect(text).toContain("Open this server by the name localhost.");
    }
  }
});

test.each([
  ["Forwarded", "for=203.0.113.9"],
  ["X-Forwarded-For", "203.0.113.9"],
  ["X-Forwarded-Host", "clips.example.org"],
  ["X-Forwarded-Proto", "https"],
  ["X-Real-IP", "203.0.113.9"],
  ["Via", "1.1 proxy"],
  ["CF-Connecting-IP", "203.0.113.9"],
])("In local use nobody is answered through a proxy that adds %s", async (name, value) => {
  for (const path of ["/", "/matches", "/api/auth/steam/login/", "/local-steam/openid/login"]) {
    const { status, text } = await ask(local, path, { Host: host(), [name]: value });
    expect([status, path]).toEqual([403, path]);
    expect(text).toContain("start it with PUBLIC_URL");
  }
  expect((await ask(local, "/healthz", { Host: host(), [name]: value })).status).toBe(200);
  expect((await ask(publicWeb, "/", { [name]: value })).status).toBe(200);
});

test("In local use nobody is answered through a proxy that adds nothing but speaks HTTP/1.0, as nginx does", async () => {
  const answer = await new Promise<string>((resolve) => {
    let text = "";
    const socket = connect(local.port, "127.0.0.1", () =>
      socket.write(`GET /api/auth/steam/login/ HTTP/1.0\r\nHost: ${host()}\r\nConnection: close\r\n\r\n`),
    );
    socket.on("data", (data) => {
      text += data.toString();
    });
    socket.on("close", () => resolve(text));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  expect(answer).toContain("start it with PUBLIC_URL");
});

test.each([
  ["https://evil.example", {}],
  ["null", {}],
  ["not an origin", {}],
  ["https://evil.example", { "X-Forwarded-Host": "evil.example" }],
])("A form of the site %s is refused with a sentence and no stack in the log", async (Origin, headers) => {
  const logged = vi.spyOn(console, "error");
  atNewMinute();
  for (const path of ["/matches", "/matches.data", "/matches?index"]) {
    const { status, text } = await ask(publicWeb, path, { Origin, ...headers }, "POST");
    expect([status, path]).toEqual([403, path]);
    expect(text).toContain("This request came from another site.");
  }
  expect((await ask(publicWeb, "/matches", { "Sec-Fetch-Site": "cross-site" }, "POST")).status).toBe(403);
  expect(logged).not.toHaveBeenCalled();
});

test("A form of one's own is taken, whatever a proxy makes of Host and a visitor of X-Forwarded-Host", async () => {
  const Origin = "https://clips.example.org";
  const proxies: Record<string, string>[] = [{}, { Host: "localhost:3000" }, { "X-Forwarded-Host": "evil.example" }];
  for (const headers of proxies) {
    for (const path of ["/matches", "/matches.data"]) {
      const { status, text } = await ask(publicWeb, path, { Origin, ...headers }, "POST");
      expect([status, path]).toEqual([200, path]);
      expect(text).toContain("changed");
    }
  }
});

test("More pages a minute than allowed are refused before they are rendered, for that network alone", async () => {
  atNewMinute();
  rendered.length = 0;
  // A network of IPv6 is one caller, and each page is another one.
  for (let count = 0; count < 20; count++) {
    expect((await ask(publicWeb, `/?clip=${count}`, from(`2001:db8::${count}`))).status).toBe(200);
  }
  const refused = await ask(publicWeb, "/?clip=20", from("2001:db8::ffff"));
  expect(refused.status).toBe(429);
  expect(refused.text).toContain("Too many requests from your network. Please wait a minute.");
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await ask(publicWeb, "/matches.data", from("2001:db8::1"))).status).toBe(429);
  expect((await ask(publicWeb, "/matches", { ...from("2001:db8::1"), Accept: "application/json" }, "POST")).text).toBe(
    JSON.stringify({ error: "Too many requests from your network. Please wait a minute." }),
  );
  expect(rendered).toHaveLength(20);
  expect((await ask(publicWeb, "/", from("2001:db8:0:1::1"))).status).toBe(200);
  expect((await ask(publicWeb, "/api/site/", from("2001:db8::1"))).status).toBe(200);
  publicWeb.passTime(60_000);
  expect((await ask(publicWeb, "/", from("2001:db8::1"))).status).toBe(200);
});

test("A neighbour who uses a network's pages up shuts out nobody who is signed in there", async () => {
  const { id } = await publicWeb.services.database
    .insertInto("users")
    .values({ steam_id: "76561198000000001", steam_name: "device" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const { token } = await startSession(publicWeb.services, id);
  atNewMinute();
  for (let count = 0; count < 20; count++) await ask(publicWeb, "/", from("198.51.100.1"));
  const signedIn = { ...from("198.51.100.1"), Cookie: `__Host-clutchcast_session=${token}` };
  for (let count = 0; count < 20; count++) expect((await ask(publicWeb, "/", signedIn)).status).toBe(200);
  expect((await ask(publicWeb, "/", signedIn)).status).toBe(429);
  const invented = { ...signedIn, Cookie: `__Host-clutchcast_session=${"A".repeat(43)}` };
  expect((await ask(publicWeb, "/", invented)).status).toBe(429);
});
