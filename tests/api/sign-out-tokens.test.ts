import { afterAll, beforeAll, expect, test } from "vitest";
import { runOperatorCommand } from "../../backend/operator/operator-commands.ts";
import { announce } from "../../backend/webhooks/announce.ts";
import { takeDueDelivery } from "../../backend/webhooks/deliver.ts";
import type { AccessToken } from "../../contract/schemas/tokens.ts";
import type { WebhookList, WebhookOutcome } from "../../contract/schemas/webhooks.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { callWithToken, tokenOf } from "../services/token-calls.ts";
import { uniqueSteamId } from "../services/unique.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../services/webhook-receiver.ts";
import { type RunningApi, startApi } from "./start-server.ts";

let server: RunningApi;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  server = await startApi({ WEBHOOK_ALLOW_HOSTS: receiver.host });
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

async function signedIn(steamId = uniqueSteamId()) {
  const visitor = new ApiVisitor(server.url);
  await visitor.signIn(steamId, "scripter");
  return { visitor, steamId };
}

const opens = async (token: string) => (await callWithToken(server.url, token, "GET", "/api/matches/")).status === 200;

test("Signing out everywhere revokes access tokens when its player says so, and nobody else's", async () => {
  const { visitor, steamId } = await signedIn();
  const other = await signedIn();
  const tokens = [await tokenOf(visitor, ["read"]), await tokenOf(visitor, ["read", "create"])];
  const others = await tokenOf(other.visitor, ["read"]);
  for (const body of [undefined, {}, { revoke_tokens: false }]) {
    const { visitor: device } = await signedIn(steamId);
    await device.call("POST", "/api/auth/logout-everywhere/", body);
    expect(await Promise.all(tokens.map(({ token }) => opens(token)))).toEqual([true, true]);
  }
  const { visitor: device } = await signedIn(steamId);
  expect((await device.request("POST", "/api/auth/logout-everywhere/", { revoke_tokens: "on" })).status).toBe(400);
  await device.call("POST", "/api/auth/logout-everywhere/", { revoke_tokens: true });
  expect(await Promise.all(tokens.map(({ token }) => opens(token)))).toEqual([false, false]);
  expect((await device.request("GET", "/api/account/sessions/")).status).toBe(401);
  const { visitor: again } = await signedIn(steamId);
  expect((await again.call<{ results: AccessToken[] }>("GET", "/api/account/tokens/")).results).toEqual([]);
  expect(await opens(others.token)).toBe(true);
});

test("An operator who signs an account out revokes its tokens, and nobody else's", async () => {
  const [taken, other] = [await signedIn(), await signedIn()];
  const tokens = [
    await tokenOf(taken.visitor, ["read"]),
    await tokenOf(taken.visitor, ["read"], { expires_in_days: 90 }),
  ];
  const others = await tokenOf(other.visitor, ["read"]);
  const signOut = () => runOperatorCommand(server.services, ["sign-out", taken.steamId]);
  expect(await signOut()).toBe(
    `scripter (${taken.steamId}) is signed out everywhere, and 2 access tokens are revoked.`,
  );
  expect(await Promise.all([...tokens, others].map(({ token }) => opens(token)))).toEqual([false, false, true]);
  expect(await signOut()).toBe(`scripter (${taken.steamId}) is signed out everywhere.`);
});

test("An operator who signs an account out stops its webhooks until its player wants them again, and nobody else's", async () => {
  const { services } = server;
  const [taken, other] = [await signedIn(), await signedIn()];
  for (const { visitor } of [taken, other]) {
    for (const path of ["/one", "/two"]) {
      await visitor.call("POST", "/api/webhooks/", { url: receiver.url + path, events: ["clip.ready"] });
    }
  }
  await tokenOf(taken.visitor, ["read"]);
  const idOf = async (steamId: string) =>
    (await services.database.selectFrom("users").select("id").where("steam_id", "=", steamId).executeTakeFirstOrThrow())
      .id;
  const [takenId, otherId] = [await idOf(taken.steamId), await idOf(other.steamId)];
  const ready = (userId: number, id: number) => announce(services.database, { event: "clip.ready", userId, id });
  // One message waits for its turn already.
  await ready(takenId, 1);
  expect(await runOperatorCommand(services, ["sign-out", taken.steamId])).toBe(
    `scripter (${taken.steamId}) is signed out everywhere, 1 access token is revoked, and 2 webhooks are off.`,
  );
  await ready(takenId, 2);
  await ready(otherId, 3);
  const due = [await takeDueDelivery(services), await takeDueDelivery(services)];
  expect(due.map((delivery) => delivery?.user_id)).toEqual([otherId, undefined]);

  const { visitor } = await signedIn(taken.steamId);
  const webhooks = () => visitor.call<WebhookList>("GET", "/api/webhooks/");
  const { results, deliveries } = await webhooks();
  const off = { is_on: false, off_reason: expect.stringContaining("An operator signed the account out") };
  expect(results).toMatchObject([off, off]);
  expect(deliveries.map(({ state, tries }) => [state, tries])).toEqual([
    ["waiting", 0],
    ["waiting", 0],
  ]);
  const outcome = await visitor.call<WebhookOutcome>("POST", `/api/webhooks/${results[0]!.id}/test/`);
  expect(outcome).toMatchObject({ ok: true });
  expect((await webhooks()).results).toMatchObject([{ is_on: true, off_reason: null }, off]);
  expect((await other.visitor.call<WebhookList>("GET", "/api/webhooks/")).results).toMatchObject([
    { is_on: true },
    { is_on: true },
  ]);
});
