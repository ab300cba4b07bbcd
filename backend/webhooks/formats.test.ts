import { afterEach, beforeEach, expect, test } from "vitest";
import { startWebhookReceiver, type WebhookReceiver } from "../../tests/services/webhook-receiver.ts";
import { completeRender, failRender, giveRenderUp, insertQueuedFormat, startRendering } from "../clips/clip-life.ts";
import type { Services } from "../services.ts";
import { type FreshServices, freshServices } from "../storage/testing/fresh-services.ts";
import { announce } from "./announce.ts";
import { deliver, takeDueDelivery } from "./deliver.ts";
import { addWebhook, saveDiscord } from "./webhook-settings.ts";

let fresh: FreshServices;
let services: Services;
let receiver: WebhookReceiver;
let userId: number;

beforeEach(async () => {
  receiver = await startWebhookReceiver();
  fresh = await freshServices("embedded", {
    WEBHOOK_ALLOW_HOSTS: receiver.host,
    PUBLIC_URL: "https://clips.example.org",
  });
  services = fresh.services;
  const values = { steam_id: "76561199900000001", steam_name: "a player" };
  userId = (await services.database.insertInto("users").values(values).returning("id").executeTakeFirstOrThrow()).id;
  await saveDiscord(services, userId, `${receiver.url}/api/webhooks/1/token`);
  await addWebhook(services, userId, {
    url: `${receiver.url}/hook`,
    events: ["clip.failed", "clip.format_ready", "clip.format_failed"],
  });
});
afterEach(async () => {
  await fresh.remove();
  await receiver.close();
});

async function finishedClip(): Promise<number> {
  const { id } = await services.database
    .insertInto("clips")
    .values({
      ...{ user_id: userId, name: "An ace", settings: "{}", status: "completed" as const },
      spec: JSON.stringify({ width: 1280, height: 720, framesPerSecond: 60, title: "An ace" }),
      ...{ video_key: "clips/1/video-abcd1234.mp4", poster_key: "clips/1/poster-abcd1234.jpg" },
      ...{ thumbnail_key: "clips/1/thumbnail-abcd1234.jpg", share_key: "clips/1/share-abcd1234.mp4" },
      ...{ video_bytes: 18, duration_seconds: 8, completed_at: new Date() },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

const addVertical = (clipId: number) =>
  services.database
    .transaction()
    .execute((transaction) =>
      insertQueuedFormat(transaction, { clipId, userId, format: "vertical", expectedBytes: 1, at: new Date() }),
    );

async function sendDue() {
  for (let delivery = await takeDueDelivery(services); delivery; delivery = await takeDueDelivery(services)) {
    await deliver(services, delivery);
  }
  return receiver.received.map(({ path, body }) => ({ path, ...JSON.parse(body) }));
}

test("A script is told of an added format once, with its files, and a channel of Discord is not", async () => {
  const id = await finishedClip();
  await addVertical(id);
  const target = { clipId: id, format: "vertical" } as const;
  await startRendering(services.database, target);
  const files = {
    ...{ video_key: `clips/${id}/vertical-video-1234abcd.mp4`, poster_key: `clips/${id}/vertical-poster-1234abcd.jpg` },
    ...{
      thumbnail_key: null,
      wide_poster_key: null,
      share_key: null,
      video_bytes: 18,
      duration_seconds: 8,
      moments: [],
    },
  };
  expect(await completeRender(services.database, target, files, new Date())).toBe(true);
  for (let times = 0; times < 2; times++) {
    await announce(services.database, { event: "clip.format_ready", userId, id, format: "vertical" });
  }
  const [message, ...others] = await sendDue();
  expect(others).toEqual([]);
  const address = `https://clips.example.org/video/clips/${id}`;
  expect(message).toMatchObject({
    path: "/hook",
    type: "clip.format_ready",
    data: {
      clip: { id, status: "completed", format: "720p", video_url: `${address}/?v=abcd1234` },
      format: {
        ...{ name: "vertical", width: 1080, height: 1920, status: "completed", error: null },
        video_url: `${address}/?format=vertical&v=1234abcd`,
        poster_url: `${address}/poster.jpg?format=vertical&v=1234abcd`,
      },
    },
  });
  // Another format of the same clip is something else to be told.
  await announce(services.database, { event: "clip.format_ready", userId, id, format: "1080p" });
  expect(await sendDue()).toHaveLength(1);
});

test("A format that fails is told as what it is, and the clip stays one that is ready", async () => {
  const id = await finishedClip();
  await addVertical(id);
  const target = { clipId: id, format: "vertical" } as const;
  expect(await startRendering(services.database, target)).not.toBeNull();
  await failRender(services.database, target, "The video could not be rendered.");
  expect(await sendDue()).toMatchObject([
    {
      type: "clip.format_failed",
      data: {
        clip: { id, status: "completed", error: null },
        format: { name: "vertical", status: "failed", error: "The video could not be rendered.", video_url: null },
      },
    },
  ]);
  // The same once more, with a clip that is given up beside it.
  await addVertical(id);
  await giveRenderUp(services.database, target);
  expect(await sendDue()).toHaveLength(1);
});
