import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Automation } from "../../contract/schemas/automation.ts";
import type { AccessToken } from "../../contract/schemas/tokens.ts";
import type { WebhookList } from "../../contract/schemas/webhooks.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { startHistoryProvider } from "../services/leetify-server.ts";
import { callWithToken, tokenOf } from "../services/token-calls.ts";
import { uniqueSteamId } from "../services/unique.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../services/webhook-receiver.ts";
import { type RunningApi, startApi } from "./start-server.ts";

const refused = {
  error: "disk_full",
  detail:
    "This server has no disk space left, so nothing new can be stored. Everything is still here to see and to delete.",
};

let receiver: WebhookReceiver;
let history: Awaited<ReturnType<typeof startHistoryProvider>>;
let server: RunningApi;
let isFull = false;

beforeAll(async () => {
  [receiver, history] = await Promise.all([startWebhookReceiver(), startHistoryProvider({})]);
  server = await startApi({
    ...{ HISTORY_PROVIDER: "leetify", LEETIFY_API_URL: history.url },
    WEBHOOK_ALLOW_HOSTS: receiver.host,
  });
  server.services.diskSpace = {
    freeBytes: () => (isFull ? 0 : 1e12),
    reserveBytes: () => 0,
    isShort: () => isFull,
    isFull: () => isFull,
  };
});
afterAll(async () => {
  await server.close();
  await Promise.all([receiver.close(), history.close()]);
});

const choice = { choice: "best", players: "me", clips_per_day: 3 };

interface Owner {
  player: ApiVisitor;
  token: string;
  tokenId: number;
  webhookId: number;
  deliveryId: number;
}

/** Somebody with one of everything. */
async function owner(): Promise<Owner> {
  const player = new ApiVisitor(server.url);
  const steamId = uniqueSteamId();
  await player.signIn(steamId, "scripter");
  const { token, id: tokenId } = await tokenOf(player, ["read"]);
  const { id: webhookId } = await player.call<{ id: number }>("POST", "/api/webhooks/", {
    url: `${receiver.url}/hook`,
    events: ["clip.ready"],
  });
  await player.call("POST", "/api/automation/", choice);
  const { rows } = await sql<{ id: number }>`
    INSERT INTO webhook_deliveries (webhook_id, user_id, message_id, event, subject, body, state)
    SELECT id, user_id, ${`msg_${steamId}`}, 'clip.ready', '1', '{}', 'failed' FROM webhooks WHERE id = ${webhookId}
    RETURNING id`.execute(server.services.database);
  return { player, token, tokenId, webhookId, deliveryId: rows[0]!.id };
}

/** What stores anew. */
const writes = ({ webhookId, deliveryId }: Owner) =>
  [
    ["/api/account/tokens/", { name: "one more", scopes: ["read"], expires_in_days: null }],
    ["/api/webhooks/", { url: `${receiver.url}/more`, events: ["clip.ready"] }],
    ["/api/webhooks/discord/", { url: `${receiver.url}/api/webhooks/1/token` }],
    [`/api/webhooks/${webhookId}/test/`, {}],
    [`/api/webhooks/deliveries/${deliveryId}/again/`, {}],
    ["/api/automation/", { ...choice, clips_per_day: 5 }],
  ] as const;

/** Nothing was stored, and everything is there to read. */
async function expectAsBefore({ player, token }: Owner): Promise<void> {
  expect((await player.call<{ results: AccessToken[] }>("GET", "/api/account/tokens/")).results).toHaveLength(1);
  const { results, deliveries } = await player.call<WebhookList>("GET", "/api/webhooks/");
  expect([results.length, deliveries.length]).toEqual([1, 1]);
  expect(await player.call<Automation>("GET", "/api/automation/")).toMatchObject({ is_on: true, clips_per_day: 3 });
  // Longer ago than its last use is written again.
  server.passTime(600_000);
  expect((await callWithToken(server.url, token, "GET", "/api/matches/")).status).toBe(200);
}

/** What makes room, or ends something. */
async function expectToEnd({ player, token, tokenId, webhookId }: Owner): Promise<void> {
  expect((await player.request("DELETE", `/api/webhooks/${webhookId}/`)).status).toBe(204);
  expect((await player.request("DELETE", `/api/account/tokens/${tokenId}/`)).status).toBe(204);
  expect((await callWithToken(server.url, token, "GET", "/api/matches/")).status).toBe(401);
  expect((await player.request("DELETE", "/api/automation/")).status).toBe(204);
  const out = await player.request("POST", "/api/auth/logout-everywhere/", { revoke_tokens: true });
  expect(out.status).toBe(200);
}

test("On a full disk settings are read and ended, and what would store anew gets the sentence", async () => {
  const all = await owner();
  isFull = true;
  try {
    for (const [path, body] of writes(all)) {
      const answer = await all.player.request("POST", path, body);
      expect(answer.status, path).toBe(507);
      expect(await answer.json()).toMatchObject(refused);
    }
    await expectAsBefore(all);
    expect(receiver.received).toEqual([]);
    await expectToEnd(all);
  } finally {
    isFull = false;
  }
});

test("The same when the database alone finds no room", async () => {
  const all = await owner();
  const { database } = server.services;
  await sql`CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$`.execute(database);
  const tables = ["access_tokens", "webhooks", "webhook_deliveries", "automation", "rate_counters", "sessions"];
  const onTables = async (statement: (table: string) => string) => {
    for (const table of tables) await sql.raw(statement(table)).execute(database);
  };
  await onTables((table) => `CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION no_room()`);
  for (const [path, body] of writes(all)) {
    const answer = await all.player.request("POST", path, body);
    expect(answer.status, path).toBe(507);
    expect(await answer.json()).toMatchObject(refused);
  }
  await expectAsBefore(all);
  await onTables((table) => `DROP TRIGGER no_room ON ${table}`);
  // Switching off writes a row.
  await expectToEnd(all);
});
