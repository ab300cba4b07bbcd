import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { webhookLimits } from "../../contract/webhooks.ts";
import { startWebhookReceiver } from "../../tests/services/webhook-receiver.ts";
import { freshServices } from "../storage/testing/fresh-services.ts";
import { announce } from "./announce.ts";
import { deliver, putOff, takeDueDelivery } from "./deliver.ts";
import { addWebhook } from "./webhook-settings.ts";

test("A message that cannot even be sent is put off like one that was tried, and given up; others go on meanwhile", async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  const { services, remove } = await freshServices("embedded", { WEBHOOK_ALLOW_HOSTS: receiver.host });
  onTestFinished(remove);
  const { database } = services;
  const user = { steam_id: "76561199900000001", steam_name: "a player" };
  const { id: userId } = await database.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow();
  await addWebhook(services, userId, { url: receiver.url, events: ["clip.ready"] });
  const { rows } = await sql<{ id: number }>`
    INSERT INTO clips (user_id, name, spec, settings, status, video_key, poster_key, thumbnail_key)
    SELECT ${userId}, 'A clip', '{"width":1280,"height":720,"framesPerSecond":60}', '{}', 'completed', 'v', 'p', 't'
    FROM generate_series(1, 2) RETURNING id`.execute(database);
  const [broken, whole] = rows.map(({ id }) => id);
  for (const id of [broken!, whole!]) await announce(database, { event: "clip.ready", userId, id });
  // What nothing can be made of: no number, where a clip's is to stand.
  await sql`UPDATE webhook_deliveries SET subject = '1e400' WHERE subject = ${String(broken)}`.execute(database);
  let now = new Date();
  const clocked = { ...services, now: () => now };
  const standings = async () => {
    const { rows: log } = await sql<{ state: string; tries: number }>`
      SELECT state, tries FROM webhook_deliveries ORDER BY id`.execute(database);
    return log;
  };
  for (let turns = 0; turns < 40; turns++) {
    const delivery = await takeDueDelivery(clocked);
    if (!delivery) {
      now = new Date(now.getTime() + 60 * 60_000);
      continue;
    }
    await deliver(clocked, delivery).catch((error) => putOff(clocked, delivery, error));
    if (turns === 2) expect((await standings())[1]).toEqual({ state: "sent", tries: 1 });
  }
  expect(receiver.received).toHaveLength(1);
  expect(await standings()).toEqual([
    { state: "failed", tries: webhookLimits.tries },
    { state: "sent", tries: 1 },
  ]);
});
