import { expect, onTestFinished, test } from "vitest";
import { startWebhookReceiver } from "../../tests/services/webhook-receiver.ts";
import { newLinkKey } from "../clips/clip-link.ts";
import { freshServices } from "../storage/testing/fresh-services.ts";
import { announce } from "./announce.ts";
import { deliver, takeDueDelivery } from "./deliver.ts";
import { addWebhook, saveDiscord } from "./webhook-settings.ts";

test("Messages of an unlisted clip carry its link, with the key, to the page, the video and the picture", async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  const { services, remove } = await freshServices("embedded", {
    WEBHOOK_ALLOW_HOSTS: receiver.host,
    PUBLIC_URL: "https://clips.example.org",
  });
  onTestFinished(remove);
  const { id: userId } = await services.database
    .insertInto("users")
    .values({ steam_id: "76561199900000001", steam_name: "a player" })
    .returning("id")
    .executeTakeFirstOrThrow();
  await saveDiscord(services, userId, `${receiver.url}/api/webhooks/1/token`);
  await addWebhook(services, userId, { url: `${receiver.url}/hook`, events: ["clip.ready"] });
  const link_key = newLinkKey("unlisted");
  const { id } = await services.database
    .insertInto("clips")
    .values({
      ...{
        user_id: userId,
        name: "An ace",
        settings: "{}",
        status: "completed" as const,
        link_key,
        made_for_you: true,
      },
      spec: JSON.stringify({ width: 1280, height: 720, framesPerSecond: 60, title: "An ace" }),
      ...{ video_key: "clips/1/video-abcd1234.mp4", poster_key: "clips/1/poster-abcd1234.jpg" },
      ...{ thumbnail_key: "clips/1/thumbnail-abcd1234.jpg", share_key: "clips/1/share-abcd1234.mp4" },
      ...{ video_bytes: 18, duration_seconds: 8, completed_at: new Date() },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await announce(services.database, { event: "clip.ready", userId, id });
  for (let delivery = await takeDueDelivery(services); delivery; delivery = await takeDueDelivery(services)) {
    await deliver(services, delivery);
  }
  const addressed = `${id}-${link_key}`;
  const bodyAt = (path: string) => JSON.parse(receiver.received.find((message) => message.path === path)!.body);
  expect(receiver.received).toHaveLength(2);
  expect(bodyAt("/hook").data.clip).toMatchObject({
    url: `https://clips.example.org/clips/${addressed}`,
    video_url: `https://clips.example.org/video/clips/${addressed}/?v=abcd1234`,
    poster_url: expect.stringContaining(`/video/clips/${addressed}/`),
    share_url: expect.stringContaining(`/video/clips/${addressed}/`),
    visibility: "unlisted",
    made_for_you: true,
  });
  const { content } = bodyAt("/api/webhooks/1/token");
  expect(content).toContain(`\nhttps://clips.example.org/clips/${addressed}?v=abcd1234`);
});
