import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { webhookMessageSchemas } from "../../contract/schemas/webhook-messages.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../tests/services/webhook-receiver.ts";
import { failRender } from "../clips/clip-life.ts";
import { newLinkKey } from "../clips/clip-link.ts";
import { deleteClip } from "../clips/delete-clip.ts";
import type { Services } from "../services.ts";
import type { User } from "../storage/schema.ts";
import { type FreshServices, freshServices } from "../storage/testing/fresh-services.ts";
import { announce } from "./announce.ts";
import { deliver, takeDueDelivery } from "./deliver.ts";
import { asText } from "./messages.ts";
import { checkedWebhookUrl } from "./webhook-address.ts";
import { addWebhook, deliverAgain, removeWebhook, saveDiscord, testWebhook, webhooksOf } from "./webhook-settings.ts";

const hourMs = 3_600_000;

let fresh: FreshServices;
let services: Services;
let receiver: WebhookReceiver;
let now: Date;
let player: User;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  fresh = await freshServices("embedded", {
    WEBHOOK_ALLOW_HOSTS: receiver.host,
    PUBLIC_URL: "https://clips.example.org",
  });
});
/** What a script was posted is what the OpenAPI document says, with nothing more. */
afterEach(() => {
  for (const { headers, body } of receiver.received.filter((message) => message.headers["webhook-id"])) {
    const message = JSON.parse(body) as { type: keyof typeof webhookMessageSchemas };
    expect(webhookMessageSchemas[message.type].parse(message), String(headers["webhook-id"])).toEqual(message);
  }
});
afterAll(async () => {
  await fresh.remove();
  await receiver.close();
});
/** Each test begins without a player, so without anything that is a player's, and with a receiver that has heard nothing. */
beforeEach(async () => {
  await sql`TRUNCATE users CASCADE`.execute(fresh.services.database);
  receiver.received.length = 0;
  receiver.answer(() => ({ status: 204 }));
  now = new Date();
  services = { ...fresh.services, now: () => now };
  player = await addPlayer("76561199900000001");
});

const addPlayer = (steam_id: string) =>
  services.database
    .insertInto("users")
    .values({ steam_id, steam_name: "a player" })
    .returningAll()
    .executeTakeFirstOrThrow();

function pass(ms: number) {
  now = new Date(now.getTime() + ms);
}

/** A compilation: a clip that needs no match. */
async function addClip(name = "An ace", values: object = {}): Promise<number> {
  const spec = { width: 1280, height: 720, framesPerSecond: 60, title: name };
  const { id } = await services.database
    .insertInto("clips")
    .values({
      ...{ user_id: player.id, name, spec: JSON.stringify(spec), settings: "{}", status: "completed" as const },
      ...{ video_key: "clips/1/video-abcd1234.mp4", poster_key: "clips/1/poster-abcd1234.jpg" },
      ...{ thumbnail_key: "clips/1/thumbnail-abcd1234.jpg", share_key: "clips/1/share-abcd1234.mp4" },
      ...{ video_bytes: 18, duration_seconds: 8, completed_at: now, created_at: now },
      ...values,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Everything that is due, one after the other. @returns how many were taken */
async function sendDue(): Promise<number> {
  for (let taken = 0; ; taken++) {
    const delivery = await takeDueDelivery(services);
    if (!delivery) return taken;
    await deliver(services, delivery);
  }
}

const ready = (id: number, user = player) => announce(services.database, { event: "clip.ready", userId: user.id, id });

const script = (path = "/hook") =>
  addWebhook(services, player.id, { url: receiver.url + path, events: ["clip.ready"] });

test("A script gets a signed message once, with what the clip is and where", async () => {
  const { secret } = await script();
  await addWebhook(services, player.id, { url: `${receiver.url}/other`, events: ["match.imported"] });
  const clipId = await addClip();
  await ready(clipId);
  await ready(clipId);
  expect(await sendDue()).toBe(1);
  expect(await sendDue()).toBe(0);
  const [message, ...others] = receiver.received;
  expect(others).toEqual([]);
  expect(message!.path).toBe("/hook");
  expect(JSON.parse(message!.body)).toMatchObject({
    type: "clip.ready",
    data: {
      clip: {
        id: clipId,
        name: "An ace",
        url: `https://clips.example.org/clips/${clipId}`,
        video_url: `https://clips.example.org/video/clips/${clipId}/?v=abcd1234`,
        made_for_you: false,
      },
    },
  });
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = message!.headers;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${message!.body}`).digest("base64");
  expect(signature).toBe(`v1,${expected}`);
  expect(Number(timestamp)).toBe(Math.floor(now.getTime() / 1000));
  const { results, deliveries } = await webhooksOf(services, player.id);
  expect(JSON.stringify(results)).not.toContain(secret);
  expect(deliveries).toMatchObject([
    { state: "sent", status: 204, tries: 1, event: "clip.ready", message_id: id, problem: null },
  ]);
});

test("A message that fails is tried again, the same with the same id, for about a day and then no more", async () => {
  await script();
  const clipId = await addClip();
  await ready(clipId);
  receiver.answer(() => ({ status: 500 }));
  const started = now.getTime();
  for (let steps = 0; steps < 40 * 12; steps++) {
    await sendDue();
    pass(5 * 60_000);
    if ((await webhooksOf(services, player.id)).deliveries[0]?.state === "failed") break;
  }
  expect(receiver.received).toHaveLength(8);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-signature"])).size).toBeGreaterThan(6);
  expect(now.getTime() - started).toBeGreaterThan(23 * hourMs);
  expect(now.getTime() - started).toBeLessThan(27 * hourMs);
  const [failed] = (await webhooksOf(services, player.id)).deliveries;
  expect(failed).toMatchObject({ state: "failed", tries: 8, status: 500, problem: "The answer is 500." });
  // Once more by hand.
  receiver.answer(() => ({ status: 200 }));
  await deliverAgain(services, player.id, failed!.id);
  expect(await sendDue()).toBe(1);
  expect(receiver.received.at(-1)).toMatchObject({ body: receiver.received[0]!.body });
  expect((await webhooksOf(services, player.id)).deliveries).toMatchObject([{ state: "sent", problem: null }]);
}, 60_000);

test("A process that dies while it sends leaves the message to another, with the same id", async () => {
  await script();
  await ready(await addClip());
  expect(await takeDueDelivery(services)).not.toBeNull();
  expect(await takeDueDelivery(services)).toBeNull();
  pass(61_000);
  expect(await sendDue()).toBe(1);
  expect(receiver.received).toHaveLength(1);
});

/** A message that is on its way, and its receiver's answer once it is told to come. */
async function onItsWay(answer: { status: number }) {
  let answerNow = () => {};
  let hasCome = () => {};
  const after = new Promise<void>((resolve) => {
    answerNow = resolve;
  });
  const come = new Promise<void>((resolve) => {
    hasCome = resolve;
  });
  receiver.answer(() => {
    hasCome();
    return { ...answer, after };
  });
  const delivery = (await takeDueDelivery(services))!;
  const sending = deliver(services, delivery);
  await come;
  receiver.answer(() => ({ status: 204 }));
  return {
    delivery,
    async isAnswered() {
      answerNow();
      await sending;
    },
  };
}

test.each([{ status: 500 }, { status: 204 }])(
  "A message that is sent again while it is on its way goes once more, from the first try, whatever comes of this one: %j",
  async (answer) => {
    await script();
    await ready(await addClip());
    await sql`UPDATE webhook_deliveries SET tries = 7`.execute(services.database);
    const { delivery, isAnswered } = await onItsWay(answer);
    pass(1000);
    await deliverAgain(services, player.id, delivery.id);
    expect(await takeDueDelivery(services), "one of a player at a time").toBeNull();
    await isAnswered();
    expect((await webhooksOf(services, player.id)).deliveries).toMatchObject([{ state: "waiting", tries: 0 }]);
    expect(await sendDue()).toBe(1);
    expect(receiver.received).toHaveLength(2);
    expect((await webhooksOf(services, player.id)).deliveries).toMatchObject([{ state: "sent", tries: 1 }]);
  },
);

test("A try that outlasts its lease says nothing of the one that has the message by then", async () => {
  await script();
  await ready(await addClip());
  const { isAnswered } = await onItsWay({ status: 500 });
  pass(61_000);
  const other = (await takeDueDelivery(services))!;
  await isAnswered();
  expect(await takeDueDelivery(services)).toBeNull();
  await deliver(services, other);
  expect((await webhooksOf(services, player.id)).deliveries).toMatchObject([{ state: "sent", tries: 1 }]);
});

test.each([
  [{ status: 302, headers: { Location: "http://127.0.0.1:9/inside" } }, /redirect \(302\)/],
  [{ status: 200, isEndless: true }, null],
  [{ status: 200, isBrokenOff: true }, null],
  [{ status: 500, isBrokenOff: true }, /The answer is 500/],
  [{ status: 404 }, /The answer is 404/],
])("An answer of %j is what it is, and no redirect is followed", async (answer, problem) => {
  const { id } = await script();
  receiver.answer(() => answer);
  const outcome = await testWebhook(services, player.id, id);
  expect(outcome.ok).toBe(problem === null);
  if (problem) expect(outcome.problem).toMatch(problem);
  expect(receiver.received).toHaveLength(1);
  expect(receiver.received[0]!.headers["webhook-signature"]).toMatch(/^v1,/);
});

test("Who answers 410 is told no more until a test arrives", async () => {
  const { id } = await script();
  await ready(await addClip());
  receiver.answer(() => ({ status: 410 }));
  await sendDue();
  expect((await webhooksOf(services, player.id)).results).toMatchObject([
    { is_on: false, off_reason: expect.stringContaining("410") },
  ]);
  await ready(await addClip());
  pass(48 * hourMs);
  expect(await sendDue()).toBe(0);
  receiver.answer(() => ({ status: 200 }));
  expect(await testWebhook(services, player.id, id)).toMatchObject({ ok: true, status: 200 });
  expect((await webhooksOf(services, player.id)).results).toMatchObject([{ is_on: true, off_reason: null }]);
});

test.each([
  ["http://example.org/hook", "has to begin with https"],
  ["https://127.0.0.1/hook", "private network"],
  ["https://[::1]/hook", "private network"],
  ["https://169.254.169.254/latest/meta-data", "private network"],
  ["https://localhost/hook", "no public server named localhost"],
  ["https://user:word@example.org/", "user name"],
  ["file:///etc/passwd", "has to begin with https"],
  [`https://example.org/${"é".repeat(400)}`, "is longer than 2048 characters"],
  ["what?", "not a web address"],
])("%s is no address for a webhook", async (url, sentence) => {
  const adding = addWebhook(services, player.id, { url, events: ["clip.ready"] });
  await expect(adding).rejects.toThrow(sentence);
  await expect(saveDiscord(services, player.id, url)).rejects.toThrow();
  expect((await webhooksOf(services, player.id)).results).toEqual([]);
});

test.each(["hooks.lan", "hooks.lan:80", "HOOKS.lan:80"])("%s allows http there", async (entry) => {
  const config = { ...services.config, WEBHOOK_ALLOW_HOSTS: [entry] };
  // There is no such host here: that is found out after the address is seen to be allowed.
  await expect(checkedWebhookUrl(config, "script", "http://hooks.lan/a")).rejects.toThrow(/no public server|looked up/);
  await expect(checkedWebhookUrl(config, "script", "http://hooks.lan:81/a")).rejects.toThrow(
    entry.includes(":") ? "https" : /no public server|looked up/,
  );
});

test("An address that was public when it was saved and is private now gets nothing", async () => {
  const { id } = await script();
  services = { ...services, config: { ...services.config, WEBHOOK_ALLOW_HOSTS: [] } };
  expect(await testWebhook(services, player.id, id)).toMatchObject({
    ok: false,
    status: null,
    problem: expect.stringContaining("private"),
  });
  expect(receiver.received).toEqual([]);
});

test("Discord is given the link that plays, once the file for chat apps is there or without it after a while, and names are text", async () => {
  await expect(saveDiscord(services, player.id, `${receiver.url}/anything`)).rejects.toThrow("Discord webhook");
  await saveDiscord(services, player.id, `${receiver.url}/api/webhooks/123456/a-Token_9876`);
  expect((await webhooksOf(services, player.id)).results).toMatchObject([
    { kind: "discord", address: `${receiver.host}/…/1234…/…9876` },
  ]);
  const clipId = await addClip("@everyone **ace** <@1> [x](https://evil.example)", { share_key: null });
  await ready(clipId);
  await sendDue();
  expect(receiver.received).toEqual([]);
  await services.database.updateTable("clips").set({ share_key: "clips/1/share-abcd1234.mp4" }).execute();
  pass(11_000);
  await sendDue();
  expect(receiver.received).toHaveLength(1);
  const message = JSON.parse(receiver.received[0]!.body);
  // An embed of ours would stand in place of the one with the video.
  expect(message).toEqual({
    allowed_mentions: { parse: [] },
    username: "Clutchcast",
    content: expect.stringMatching(new RegExp(`\nhttps://clips\\.example\\.org/clips/${clipId}\\?v=abcd1234$`)),
  });
  expect(message.content.split("\n")[0]).toBe(
    "**\\@everyone \\*\\*ace\\*\\* \\<\\@1\\> \\[x\\]\\(https\\://evil.example\\)**",
  );
  // The file does not come: the clip is ready all the same.
  await ready(await addClip("another", { share_key: null }));
  for (let minutes = 0; minutes < 4; minutes++) {
    await sendDue();
    pass(60_000);
  }
  expect(receiver.received).toHaveLength(2);
  expect(JSON.parse(receiver.received[1]!.body)).toMatchObject({
    embeds: [
      {
        url: expect.stringMatching(/^https:\/\/clips\.example\.org\/clips\/\d+$/),
        color: 0xff5a67,
        image: { url: expect.stringMatching(/^https:\/\/clips\.example\.org\/video\//) },
      },
    ],
  });
});

test("Where clips are for those who are signed in, Discord is given no picture that it could not load", async () => {
  await saveDiscord(services, player.id, `${receiver.url}/api/webhooks/123456/token`);
  await ready(await addClip());
  services = { ...services, config: { ...services.config, VIEWING: "members" } };
  await sendDue();
  const [embed] = JSON.parse(receiver.received[0]!.body).embeds;
  expect(embed.url).toMatch(/\/clips\/\d+$/);
  expect(embed.image).toBeUndefined();
});

test("Who is taken off the list of those who may sign in is told nothing until they are back on it", async () => {
  await script();
  await ready(await addClip());
  const { config } = services;
  services = { ...services, config: { ...config, SIGN_IN_ALLOW: ["76561199900000002"] } };
  expect(await sendDue()).toBe(0);
  services = { ...services, config: { ...config, SIGN_IN_ALLOW: ["76561199900000002", player.steam_id] } };
  expect(await sendDue()).toBe(1);
});

test("The same Discord address again keeps what waits and the log, and a message of a webhook that is off is not sent again", async () => {
  const address = `${receiver.url}/api/webhooks/123456/token`;
  await saveDiscord(services, player.id, address);
  await ready(await addClip());
  await saveDiscord(services, player.id, address);
  expect(await sendDue()).toBe(1);
  await services.database.updateTable("webhooks").set({ is_on: false, off_reason: "gone" }).execute();
  const { deliveries } = await webhooksOf(services, player.id);
  await expect(deliverAgain(services, player.id, deliveries[0]!.id)).rejects.toThrow("is off");
  await saveDiscord(services, player.id, address);
  await deliverAgain(services, player.id, deliveries[0]!.id);
  expect(await sendDue()).toBe(1);
  await saveDiscord(services, player.id, `${address}2`);
  expect((await webhooksOf(services, player.id)).deliveries).toEqual([]);
});

test("Discord's word on when to come again holds, and a channel that is gone is asked no more", async () => {
  await saveDiscord(services, player.id, `${receiver.url}/api/webhooks/123456/token`);
  await ready(await addClip());
  receiver.answer(() => ({
    status: 429,
    body: JSON.stringify({ message: "slow down", retry_after: 600.5, global: false }),
  }));
  await sendDue();
  pass(590_000);
  expect(await sendDue()).toBe(0);
  pass(80_000);
  receiver.answer(() => ({ status: 404, body: '{"code":10015}' }));
  expect(await sendDue()).toBe(1);
  expect((await webhooksOf(services, player.id)).results).toMatchObject([{ is_on: false }]);
  expect(receiver.received).toHaveLength(2);
});

test("Nothing is said of a clip that is gone, and a clip that fails is told where that is wanted", async () => {
  await addWebhook(services, player.id, { url: receiver.url, events: ["clip.ready", "clip.failed"] });
  const gone = await addClip();
  await ready(gone);
  await services.database.deleteFrom("clips").where("id", "=", gone).execute();
  await sendDue();
  expect(receiver.received).toEqual([]);
  expect((await webhooksOf(services, player.id)).deliveries).toEqual([]);
  const clipId = await addClip("A clip", { status: "processing", queue_slot: 1, completed_at: null });
  await failRender(services.database, { clipId }, "The video could not be rendered.");
  await sendDue();
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
    {
      type: "clip.failed",
      data: { clip: { id: clipId, status: "failed", error: "The video could not be rendered.", video_url: null } },
    },
  ]);
});

test("A clip that is deleted between two tries, or before a message is sent again, is told of no more, and the log says so", async () => {
  await addWebhook(services, player.id, { url: receiver.url, events: ["clip.ready", "clip.format_ready"] });
  const [tried, arrived] = [await addClip("Tried"), await addClip("Arrived")];
  await ready(arrived);
  await sendDue();
  receiver.answer(() => ({ status: 500 }));
  await ready(tried);
  await sendDue();
  expect(receiver.received).toHaveLength(2);
  // Both are put into the line again: one by its pause, one by hand.
  const [, first] = (await webhooksOf(services, player.id)).deliveries;
  await deliverAgain(services, player.id, first!.id);
  for (const id of [tried, arrived]) await deleteClip(services, player.id, id);
  receiver.answer(() => ({ status: 204 }));
  pass(60_000);
  expect(await sendDue()).toBe(2);
  pass(48 * hourMs);
  expect(await sendDue()).toBe(0);
  expect(receiver.received).toHaveLength(2);
  const problem = expect.stringContaining("was deleted");
  const { deliveries } = await webhooksOf(services, player.id);
  expect(deliveries).toMatchObject([
    { state: "failed", tries: 1, status: 500, problem, next_try_at: null },
    { state: "failed", tries: 0, status: null, problem, next_try_at: null },
  ]);
  await expect(deliverAgain(services, player.id, first!.id)).rejects.toThrow("was deleted");
  expect(await sendDue()).toBe(0);
});

test.each(["script", "discord"] as const)(
  "A try after a clip was made unlisted and renamed tells of it as it is now (%s)",
  async (kind) => {
    const secret =
      kind === "script"
        ? (await script()).secret
        : void (await saveDiscord(services, player.id, `${receiver.url}/api/webhooks/123456/token`));
    const clipId = await addClip("Before");
    await ready(clipId);
    receiver.answer(() => ({ status: 500 }));
    await sendDue();
    const link_key = newLinkKey("unlisted");
    const change = { link_key, name: "After" };
    await services.database.updateTable("clips").set(change).where("id", "=", clipId).execute();
    receiver.answer(() => ({ status: 204 }));
    pass(60_000);
    expect(await sendDue()).toBe(1);
    const [first, second] = receiver.received;
    expect(first!.body).toContain("Before");
    expect(second!.body).toContain(`https://clips.example.org/clips/${clipId}-${link_key}`);
    // Its number alone leads nowhere any more, and says that it was public.
    expect(second!.body).not.toMatch(new RegExp(`clips/${clipId}(?!-)`));
    expect(second!.body).toContain("After");
    expect(second!.body).not.toContain("Before");
    if (!secret) return;
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
    const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = second!.headers;
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${second!.body}`).digest("base64");
    expect(signature).toBe(`v1,${expected}`);
  },
);

test("A format that is removed between two tries is told of no more, and the log says so", async () => {
  await addWebhook(services, player.id, { url: receiver.url, events: ["clip.format_ready"] });
  const clipId = await addClip();
  await services.database
    .insertInto("clip_formats")
    .values({
      ...{ clip_id: clipId, user_id: player.id, format: "vertical", status: "completed" },
      ...{ video_key: "clips/1/vertical-video-abcd1234.mp4", poster_key: "clips/1/vertical-poster-abcd1234.jpg" },
    })
    .execute();
  await announce(services.database, {
    event: "clip.format_ready",
    userId: player.id,
    id: clipId,
    format: "vertical",
  });
  receiver.answer(() => ({ status: 500 }));
  await sendDue();
  expect(receiver.received).toHaveLength(1);
  await services.database.deleteFrom("clip_formats").execute();
  pass(60_000);
  expect(await sendDue()).toBe(1);
  expect(receiver.received).toHaveLength(1);
  expect((await webhooksOf(services, player.id)).deliveries).toMatchObject([
    { state: "failed", tries: 1, status: 500, problem: expect.stringContaining("was deleted"), next_try_at: null },
  ]);
});

test("A slow receiver keeps no other player's messages waiting", async () => {
  const other = await addPlayer("76561199900000002");
  await script();
  await addWebhook(services, other.id, { url: `${receiver.url}/other`, events: ["clip.ready"] });
  const clipId = await addClip();
  for (let more = 0; more < 5; more++) await ready(await addClip());
  await ready(clipId, other);
  const first = await takeDueDelivery(services);
  const second = await takeDueDelivery(services);
  expect([first?.user_id, second?.user_id]).toEqual([player.id, other.id]);
  expect(await takeDueDelivery(services)).toBeNull();
});

test("Five at most, one's own alone, and tests are counted", async () => {
  const other = await addPlayer("76561199900000002");
  const { id } = await script();
  for (let more = 0; more < 4; more++) await script(`/${more}`);
  // Not one of those that pass: it helps to delete one, and not to wait.
  await expect(script("/sixth")).rejects.toMatchObject({
    code: "webhook_limit",
    message: expect.stringContaining("You can have 5 webhooks"),
  });
  await expect(testWebhook(services, other.id, id)).rejects.toThrow("Webhook not found");
  expect(await removeWebhook(services, other.id, id)).toBe(false);
  for (let presses = 0; presses < 10; presses++) await testWebhook(services, player.id, id);
  const often = { code: "rate_limited", message: expect.stringContaining("That was often"), retryAfterSeconds: 60 };
  await expect(testWebhook(services, player.id, id)).rejects.toMatchObject(often);
  expect(receiver.received).toHaveLength(10);
  expect(await removeWebhook(services, player.id, id)).toBe(true);
  expect((await webhooksOf(services, player.id)).deliveries).toEqual([]);
});

test("A webhook that is deleted while a test of it begins is not found, and nothing is sent", async () => {
  const { id } = await script();
  let removal: Promise<boolean> | null = null;
  // Asked for the time once the webhook is looked up.
  const meanwhile = {
    ...services,
    now() {
      removal ??= removeWebhook(services, player.id, id);
      return now;
    },
  };
  await expect(testWebhook(meanwhile, player.id, id)).rejects.toMatchObject({ code: "not_found" });
  expect(await removal).toBe(true);
  expect(receiver.received).toEqual([]);
});

test("Escaped text is cut between characters, never within an escape", () => {
  expect(asText("a*b", 10)).toBe("a\\*b");
  expect(asText("a*b", 2)).toBe("a");
  expect(asText("🦊🦊", 3)).toBe("🦊");
});
