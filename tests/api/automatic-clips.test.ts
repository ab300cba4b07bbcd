import { afterAll, beforeAll, expect, test } from "vitest";
import type { WebhookList } from "../../contract/schemas/webhooks.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { startHistoryProvider } from "../services/leetify-server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../services/webhook-receiver.ts";
import { type RunningApi, startApi } from "./start-server.ts";

let receiver: WebhookReceiver;
let history: Awaited<ReturnType<typeof startHistoryProvider>>;
let server: RunningApi;
let player: ApiVisitor;
let other: ApiVisitor;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  history = await startHistoryProvider({});
  server = await startApi({
    HISTORY_PROVIDER: "leetify",
    LEETIFY_API_URL: history.url,
    WEBHOOK_ALLOW_HOSTS: receiver.host,
  });
  [player, other] = [new ApiVisitor(server.url), new ApiVisitor(server.url)];
  await player.signIn("76561199999950011", "player");
  await other.signIn("76561199999950012", "other");
});
afterAll(async () => {
  await server.close();
  await Promise.all([receiver.close(), history.close()]);
});

const chosen = { choice: "best", players: "me", clips_per_day: 3 };

test("The calls are for the signed-in alone, and each player has a choice of their own", async () => {
  const visitor = new ApiVisitor(server.url);
  for (const [method, path] of [
    ["GET", "/api/automation/"],
    ["POST", "/api/automation/"],
    ["DELETE", "/api/automation/"],
    ["GET", "/api/webhooks/"],
    ["POST", "/api/webhooks/"],
    ["POST", "/api/webhooks/discord/"],
    ["POST", "/api/matches/clips/1/keep/"],
  ] as const) {
    expect((await visitor.request(method, path, method === "POST" ? {} : undefined)).status, path).toBe(401);
  }
  expect(await player.call("GET", "/api/automation/")).toMatchObject({ is_on: false, since: null, next_look_at: null });
  expect(await player.call("POST", "/api/automation/", chosen)).toMatchObject({
    is_on: true,
    provider: { name: "Leetify" },
    min_score: 60,
  });
  expect(await other.call("GET", "/api/automation/")).toMatchObject({ is_on: false });
  expect((await player.request("DELETE", "/api/automation/")).status).toBe(204);
  expect(await player.call("GET", "/api/automation/")).toMatchObject({ is_on: false, clips_per_day: 3 });
});

test.each([
  { ...chosen, clips_per_day: 0 },
  { ...chosen, clips_per_day: 21 },
  { ...chosen, clips_per_day: 1.5 },
  { ...chosen, choice: "all" },
  { ...chosen, min_score: -1 },
  { ...chosen, format: "8k" },
  {},
])("%j is no choice", async (body) => {
  expect((await player.request("POST", "/api/automation/", body)).status).toBe(400);
  expect(await player.call("GET", "/api/automation/")).toMatchObject({ is_on: false });
});

test("A webhook is its player's alone, its secret is told once, and its address not whole", async () => {
  const url = `${receiver.url}/hook?key=hidden`;
  const { id, secret } = await player.call<{ id: number; secret: string }>("POST", "/api/webhooks/", {
    url,
    events: ["clip.ready", "clip.ready"],
  });
  const shown = JSON.stringify(await player.call("GET", "/api/webhooks/"));
  expect(shown).not.toContain(secret);
  expect(shown).not.toContain("hidden");
  expect(await other.call<WebhookList>("GET", "/api/webhooks/")).toEqual({ results: [], deliveries: [] });
  expect((await other.request("POST", `/api/webhooks/${id}/test/`)).status).toBe(404);
  expect((await other.request("DELETE", `/api/webhooks/${id}/`)).status).toBe(404);
  expect(await player.call("POST", `/api/webhooks/${id}/test/`)).toMatchObject({ ok: true, status: 204 });
  const { deliveries } = await player.call<WebhookList>("GET", "/api/webhooks/");
  expect(deliveries).toMatchObject([{ event: "test", state: "sent" }]);
  // A test is not sent again, and another player's message is not there.
  for (const visitor of [player, other]) {
    expect((await visitor.request("POST", `/api/webhooks/deliveries/${deliveries[0]!.id}/again/`)).status).toBe(404);
  }
  expect((await player.request("DELETE", `/api/webhooks/${id}/`)).status).toBe(204);
});

test.each([
  { url: "https://10.0.0.1/", events: ["clip.ready"] },
  { url: "https://metadata.google.internal/", events: ["clip.ready"] },
  { url: "ftp://example.org/", events: ["clip.ready"] },
  { url: "https://example.org/", events: [] },
  { url: "https://example.org/", events: ["everything"] },
  { events: ["clip.ready"] },
])("%j is no webhook", async (body) => {
  expect((await player.request("POST", "/api/webhooks/", body)).status).toBe(400);
  expect((await player.call<WebhookList>("GET", "/api/webhooks/")).results).toEqual([]);
});
