import { connect, type Socket } from "node:net";
import { setTimeout as pause, setImmediate as turnOfLoop } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callTurns, pageTurns } from "../../backend/http/turns.ts";
import { smallPages } from "./small-pages.ts";
import { type RunningWeb, startWeb } from "./start-web.ts";

/** Pages that are being made: each is done once it is let go. */
let underWay: { url: string; finish(): void }[] = [];
let made = 0;
let web: RunningWeb;

const html = (text: string) => new Response(text, { headers: { "Content-Type": "text/html" } });

beforeAll(async () => {
  const slow = ({ request: { url } }: { request: Request }) =>
    new Promise<Response>((resolve) => {
      made++;
      underWay.push({ url, finish: () => resolve(html("slow")) });
    });
  web = await startWeb({ PUBLIC_URL: "https://clips.example.org", TRUST_PROXY: "true" }, async () =>
    smallPages([
      { path: "slow", loader: slow, action: slow },
      { path: "quick", loader: () => html("quick") },
      { path: "large", loader: () => html("x".repeat(4_000_000)) },
    ]),
  );
});
afterAll(() => web.close());
beforeEach(() => {
  underWay = [];
  made = 0;
});

/** As a proxy hands on what somebody there sends at once, without waiting for answers. */
async function send(network: string, path: string, count: number): Promise<Socket> {
  const socket = connect(web.port, "127.0.0.1");
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve));
  const lines = `GET ${path} HTTP/1.1\r\nHost: clips.example.org\r\nX-Forwarded-For: ${network}\r\n\r\n`;
  socket.write(lines.repeat(count));
  return socket;
}

const ask = (network: string, path = "/quick") => fetch(web.url + path, { headers: { "X-Forwarded-For": network } });

/** The embedded database has one connection: while it is held, whoever asks it waits. */
async function holdDatabase() {
  let letGo = () => {};
  let holding: Promise<void> | undefined;
  await new Promise<void>((began) => {
    holding = web.services.database.transaction().execute(
      () =>
        new Promise<void>((resolve) => {
          letGo = resolve;
          began();
        }),
    );
  });
  return { letGo, holding };
}

/** Lets what is being made be done, until nothing more begins. */
async function finishAll(): Promise<void> {
  for (let quiet = 0; quiet < 50; quiet++) {
    if (underWay.length > 0) quiet = 0;
    for (const page of underWay.splice(0)) page.finish();
    await turnOfLoop();
  }
}

test("Of what one network sends at once a few pages are made at a time, and another network's page is not behind them", async () => {
  const sockets = await Promise.all([1, 2, 3].map(() => send("203.0.113.1", "/slow", 15)));
  await expect.poll(() => underWay.length).toBe(pageTurns.ofNetwork);
  expect((await ask("203.0.113.2")).status).toBe(200);
  expect(underWay.length).toBe(pageTurns.ofNetwork);
  await finishAll();
  await expect
    .poll(async () => {
      await finishAll();
      return made;
    })
    .toBe(45);
  for (const socket of sockets) socket.destroy();
});

test("What is too much to wait is refused with a time to come again, and a page that is asked for later is made", async () => {
  const sockets = [await send("203.0.113.3", "/slow", pageTurns.ofNetwork)];
  await expect.poll(() => underWay.length).toBe(pageTurns.ofNetwork);
  sockets.push(await send("203.0.113.3", "/slow", pageTurns.waitingOfNetwork));
  await pause(100);
  const refused = await ask("203.0.113.3");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
  expect(await refused.text()).toContain("Too many pages at once from your network. Please try again in a moment.");
  await finishAll();
  await expect.poll(async () => (await ask("203.0.113.3")).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test("Of pages whose visitor has gone none is begun", async () => {
  const socket = await send("203.0.113.4", "/slow", 30);
  await expect.poll(() => underWay.length).toBe(pageTurns.ofNetwork);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.destroy();
  await closed;
  // The server's end of the connection notices in its own time.
  await expect.poll(async () => (await ask("203.0.113.5")).status).toBe(200);
  await finishAll();
  expect(made).toBe(pageTurns.ofNetwork);
});

test("Pages that nobody reads are made up to a number, and no more of that network until they are read", async () => {
  const socket = await send("203.0.113.6", "/large", 60);
  socket.pause();
  await expect.poll(async () => (await ask("203.0.113.6")).status, { timeout: 10_000 }).toBe(429);
  expect((await ask("203.0.113.7")).status).toBe(200);
  socket.resume();
  await expect.poll(async () => (await ask("203.0.113.6")).status, { timeout: 10_000 }).toBe(200);
  socket.destroy();
});

test("Calls of the API take turns too, and none is refused that can wait", async () => {
  const { letGo, holding } = await holdDatabase();
  const socket = await send("203.0.113.8", "/api/matches/clips/1/", callTurns.ofNetwork);
  await pause(100);
  const behind = await send("203.0.113.8", "/api/matches/clips/1/", callTurns.waitingOfNetwork);
  await pause(100);
  let answers = "";
  for (const each of [socket, behind]) {
    each.setEncoding("latin1").on("data", (text: string) => {
      answers += text;
    });
  }
  const refused = await ask("203.0.113.8", "/api/openapi.json");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
  expect(await refused.json()).toEqual({
    error: "rate_limited",
    detail: "Too many requests at once from your network. Please try again in a moment.",
  });
  expect((await ask("203.0.113.9", "/api/openapi.json")).status).toBe(200);
  letGo();
  await holding;
  await expect
    .poll(() => answers.match(/HTTP\/1\.1 404/g)?.length)
    .toBe(callTurns.ofNetwork + callTurns.waitingOfNetwork);
  for (const each of [socket, behind]) each.destroy();
});

test("Calls whose visitor has gone while they waited are no failures of the server in its figures", async () => {
  const { letGo, holding } = await holdDatabase();
  const socket = await send("203.0.113.10", "/api/matches/clips/1/", callTurns.ofNetwork + 5);
  await pause(100);
  socket.destroy();
  await pause(100);
  letGo();
  await holding;
  const count = async (status: string) => {
    const figures = await (await fetch(`${web.url}/metrics`)).text();
    const series = figures.matchAll(
      new RegExp(`^clutchcast_http_requests_total\\{.*status="${status}"\\} (\\d+)$`, "gm"),
    );
    return [...series].reduce((sum, [, value]) => sum + Number(value), 0);
  };
  await expect.poll(() => count("499")).toBe(5);
  expect(await count("5..")).toBe(0);
});
