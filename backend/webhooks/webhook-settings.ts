import { randomBytes } from "node:crypto";
import type { WebhookList, WebhookOutcome } from "../../contract/schemas/webhooks.ts";
import { type WebhookEvent, webhookLimits } from "../../contract/webhooks.ts";
import { lockPlayer } from "../accounts/lock-player.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import { countEvent } from "../storage/event-counts.ts";
import { aboutGone, type Delivery, deliver, isAboutGone } from "./deliver.ts";
import { newWebhookSecret } from "./signature.ts";
import { checkedWebhookUrl, maskedUrl } from "./webhook-address.ts";

/** Where a player is told, and what became of the newest messages. */
export async function webhooksOf({ database }: Services, userId: number): Promise<WebhookList> {
  const rows = await database.selectFrom("webhooks").selectAll().where("user_id", "=", userId).orderBy("id").execute();
  const deliveries = await database
    .selectFrom("webhook_deliveries")
    .selectAll()
    // Not "=": PostgreSQL would take the order by id alone for the same, and walk through everybody's newest for it.
    .where("user_id", ">=", userId)
    .where("user_id", "<=", userId)
    .orderBy("user_id", "desc")
    .orderBy("id", "desc")
    .limit(webhookLimits.deliveriesShown)
    .execute();
  return {
    results: rows.map(({ id, kind, url, events, is_on, off_reason, created_at }) => ({
      id,
      kind,
      is_on,
      off_reason,
      events: events as WebhookEvent[],
      address: maskedUrl(kind, url),
      created_at: created_at.toISOString(),
    })),
    deliveries: deliveries.map((row) => ({
      id: row.id,
      webhook_id: row.webhook_id,
      message_id: row.message_id,
      event: row.event,
      state: row.state,
      tries: row.tries,
      status: row.status,
      took_ms: row.took_ms,
      problem: row.problem,
      created_at: row.created_at.toISOString(),
      tried_at: row.tried_at?.toISOString() ?? null,
      next_try_at: row.state === "waiting" && row.tries > 0 ? (row.due_at?.toISOString() ?? null) : null,
    })),
  };
}

/** Discord's webhook of a player, in place of the one before. @throws Refusal for an address that is none */
export async function saveDiscord(services: Services, userId: number, typedUrl: string): Promise<void> {
  const { href } = await checkedWebhookUrl(services.config, "discord", typedUrl);
  await services.database.transaction().execute(async (transaction) => {
    // Another address is another webhook: what waits for the one before does not go there. The same one is on again.
    const own = transaction
      .selectFrom("webhooks")
      .select("id")
      .where("user_id", "=", userId)
      .where("kind", "=", "discord");
    await transaction
      .deleteFrom("webhooks")
      .where("id", "in", own.where("url", "<>", href))
      .execute();
    await transaction
      .insertInto("webhooks")
      .values({ user_id: userId, kind: "discord", url: href, events: ["clip.ready"], created_at: services.now() })
      .onConflict((conflict) =>
        conflict
          .column("user_id")
          .where("kind", "=", "discord")
          .doUpdateSet({ url: href, is_on: true, off_reason: null }),
      )
      .execute();
  });
}

/** @returns its secret, which is told this once @throws Refusal for an address that is none, and when there are as many as there may be */
export async function addWebhook(
  services: Services,
  userId: number,
  { url, events }: { url: string; events: readonly WebhookEvent[] },
): Promise<{ id: number; secret: string }> {
  const { href } = await checkedWebhookUrl(services.config, "script", url);
  const secret = newWebhookSecret();
  return await services.database.transaction().execute(async (transaction) => {
    await lockPlayer(transaction, userId);
    const { known } = await transaction
      .selectFrom("webhooks")
      .select((row) => row.fn.countAll<number>().as("known"))
      .where("user_id", "=", userId)
      .where("kind", "=", "script")
      .executeTakeFirstOrThrow();
    if (Number(known) >= webhookLimits.scripts) {
      throw new Refusal("webhook_limit", `You can have ${webhookLimits.scripts} webhooks. Delete one of them first.`);
    }
    const { id } = await transaction
      .insertInto("webhooks")
      .values({
        user_id: userId,
        kind: "script",
        url: href,
        secret,
        created_at: services.now(),
        events: [...new Set(events)],
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { id, secret };
  });
}

/** With its log. @returns false when it is none of theirs */
export async function removeWebhook({ database }: Services, userId: number, id: number): Promise<boolean> {
  const removed = await database
    .deleteFrom("webhooks")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returning("id")
    .executeTakeFirst();
  return removed !== undefined;
}

/** Nothing more is sent to any of a player's, until a test that arrives switches one on. @param reason a sentence for the player @returns how many were on */
export async function switchOffWebhooksOf(
  { database, log }: Services,
  userId: number,
  reason: string,
): Promise<number> {
  const off = await database
    .updateTable("webhooks")
    .set({ is_on: false, off_reason: reason })
    .where("user_id", "=", userId)
    .where("is_on", "=", true)
    .returning("id")
    .execute();
  if (off.length > 0) log.info({ user: userId, webhooks: off.length }, "webhooks switched off");
  return off.length;
}

/** Sends a test to it now, whether it is on or not; one that answers is on again. @throws Refusal 404, and after too many presses */
export async function testWebhook(services: Services, userId: number, id: number): Promise<WebhookOutcome> {
  const { database } = services;
  const webhook = await database
    .selectFrom("webhooks")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!webhook) throw webhookNotFound();
  await countPress(services, userId);
  const messageId = `msg_${randomBytes(16).toString("hex")}`;
  const row = await database
    .insertInto("webhook_deliveries")
    .values({
      webhook_id: id,
      user_id: userId,
      message_id: messageId,
      event: "test",
      subject: messageId,
      created_at: services.now(),
      // Nobody else's to send.
      state: "failed",
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: { code?: string; constraint?: string }) => {
      // It was deleted since it was looked up.
      if (error.code === "23503" && error.constraint === "webhook_deliveries_webhook_id_fkey") throw webhookNotFound();
      throw error;
    });
  await forgetOldTests(services, userId);
  const delivery: Delivery = { ...row, webhook };
  const outcome = await deliver(services, delivery);
  if (outcome?.problem === null && !webhook.is_on) {
    await database.updateTable("webhooks").set({ is_on: true, off_reason: null }).where("id", "=", id).execute();
  }
  return {
    ok: outcome?.problem === null,
    status: outcome?.status ?? null,
    took_ms: outcome?.tookMs ?? 0,
    problem: outcome?.problem ?? null,
  };
}

/** Presses would fill the log: of tests the newest stay, as many as are shown. */
async function forgetOldTests({ database }: Services, userId: number): Promise<void> {
  const tests = database
    .selectFrom("webhook_deliveries")
    .select("id")
    .where("user_id", "=", userId)
    .where("event", "=", "test");
  await database
    .deleteFrom("webhook_deliveries")
    .where("id", "in", tests.orderBy("id", "desc").offset(webhookLimits.deliveriesShown))
    .execute();
}

/** A message is sent once more, with the same id. @throws Refusal 404, while its webhook is off, and after too many presses */
export async function deliverAgain(services: Services, userId: number, deliveryId: number): Promise<void> {
  await countPress(services, userId);
  const message = await services.database
    .selectFrom("webhook_deliveries")
    .innerJoin("webhooks", "webhooks.id", "webhook_deliveries.webhook_id")
    .select(["is_on", "event", "subject"])
    .where("webhook_deliveries.id", "=", deliveryId)
    .where("webhook_deliveries.user_id", "=", userId)
    .executeTakeFirst();
  if (message && !message.is_on) {
    throw new Refusal("invalid", "This webhook is off. Send it a test: once it answers, it is on again.");
  }
  if (message && (await isAboutGone(services, message))) throw new Refusal("invalid", aboutGone);
  const { numUpdatedRows } = await services.database
    .updateTable("webhook_deliveries")
    // At the end of the line: by its age it would stand before everybody's new ones.
    .set({ state: "waiting", tries: 0, due_at: services.now(), problem: null, status: null })
    .where("id", "=", deliveryId)
    .where("user_id", "=", userId)
    .where("event", "<>", "test")
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw Refusal.notFound("This message is not there any more");
}

export const webhookNotFound = () => Refusal.notFound("Webhook not found");

async function countPress(services: Services, userId: number): Promise<void> {
  const limit = webhookLimits.pressesPerMinute;
  const { allowed, retryAfterSeconds } = await countEvent(services, `webhook-presses:${userId}`, limit, 60_000);
  if (allowed) return;
  throw new Refusal("rate_limited", "That was often. Try again in a minute.", { retryAfterSeconds });
}
