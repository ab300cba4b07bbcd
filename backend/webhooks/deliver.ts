import type { Selectable, Updateable } from "kysely";
import { sql } from "kysely";
import { webhookLimits } from "../../contract/webhooks.ts";
import { belongsToAllowed } from "../accounts/sign-in-allow.ts";
import type { Services } from "../services.ts";
import type { WebhookDeliveriesTable, WebhooksTable } from "../storage/schema.ts";
import { deadlines } from "../waits/deadlines.ts";
import { outageOf } from "../waits/outage.ts";
import { clipOfSubject } from "./announce.ts";
import { discordBody, scriptBody } from "./messages.ts";
import { type PostOutcome, postMessage } from "./post-message.ts";
import { signatureHeaders } from "./signature.ts";

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Pauses before the second try and each that follows: about a day in all. */
const pausesMs = [5 * secondMs, minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs, 15 * hourMs];

/** A receiver may ask for a longer pause, up to this. */
const longestPauseMs = 24 * hourMs;

/** After this long, another process may take over a try whose process died. */
const leaseMs = 6 * deadlines.webhook.totalMs;
/** A lease that ends later than this is ignored: its clock was set back since. Clocks of two processes differ by less. */
const longestLeaseMs = 2 * leaseMs;

/** Discord plays the file for chat apps, so its message waits for that file, but no longer than this. */
const shareWait = { lookEveryMs: 10 * secondMs, atMostMs: 3 * minuteMs };

export type Delivery = Selectable<WebhookDeliveriesTable> & { webhook: Selectable<WebhooksTable> };

/** "hook" in ASCII. Held while a message is taken, so that two processes do not take at the same time. */
const takeLock = 0x686f6f6b;

/**
 * Leases the message that has waited longest, among players who have none under way: a slow receiver keeps nobody else waiting.
 * @returns null when none is due
 */
export async function takeDueDelivery({ database, config, now }: Services): Promise<Delivery | null> {
  const at = now();
  const due = sql`
    SELECT due.id FROM webhook_deliveries due JOIN webhooks ON webhooks.id = due.webhook_id
    WHERE due.state = 'waiting' AND webhooks.is_on AND ${belongsToAllowed(config, "due.user_id")}
      AND (due.due_at IS NULL OR due.due_at <= ${at} OR due.due_at > ${new Date(at.getTime() + 1.2 * longestPauseMs)})
      AND NOT EXISTS (
        SELECT FROM webhook_deliveries other
        WHERE other.user_id = due.user_id AND other.state = 'waiting'
          AND other.leased_until > ${at} AND other.leased_until <= ${new Date(at.getTime() + longestLeaseMs)}
      )
    ORDER BY coalesce(due.due_at, due.created_at), due.id
    LIMIT 1`;
  // Mostly nothing is due: this finds out without a lock or a transaction.
  if ((await due.execute(database)).rows.length === 0) return null;
  const taken = await database.transaction().execute(async (transaction) => {
    // Without the lock, two processes that look at once would not see each other's lease, and one message could go out twice.
    await sql`SELECT pg_advisory_xact_lock(${sql.lit(takeLock)})`.execute(transaction);
    const { rows } = await sql<{ id: number }>`
      UPDATE webhook_deliveries SET leased_until = ${new Date(at.getTime() + leaseMs)}
      WHERE id = (${due} FOR UPDATE OF due SKIP LOCKED) RETURNING id
    `.execute(transaction);
    return rows[0];
  });
  return taken ? loadDelivery(database, taken.id) : null;
}

async function loadDelivery(database: Services["database"], id: number): Promise<Delivery | null> {
  const row = await database.selectFrom("webhook_deliveries").selectAll().where("id", "=", id).executeTakeFirst();
  const webhook =
    row && (await database.selectFrom("webhooks").selectAll().where("id", "=", row.webhook_id).executeTakeFirst());
  return row && webhook ? { ...row, webhook } : null;
}

/** Sends one message and records what became of it. @returns null when the message was dropped or has to wait */
export async function deliver(services: Services, delivery: Delivery): Promise<PostOutcome | null> {
  const { database } = services;
  const { webhook, id } = delivery;
  const at = services.now();
  if (await isToWait(services, delivery, at)) {
    await endTry(database, delivery, { due_at: new Date(at.getTime() + shareWait.lookEveryMs) });
    return null;
  }
  // Written anew at each try: the clip may have become unlisted since the last one, and its old address must not be told.
  const body = await bodyOf(services, delivery);
  if (body === null) {
    // What it told of is gone. A message that may have arrived stays in the player's log, with the reason.
    const row = { state: "failed" as const, problem: aboutGone, due_at: null, leased_until: null };
    if (delivery.body === null) await database.deleteFrom("webhook_deliveries").where("id", "=", id).execute();
    else await database.updateTable("webhook_deliveries").set(row).where("id", "=", id).execute();
    return null;
  }
  if (body !== delivery.body) {
    await database.updateTable("webhook_deliveries").set({ body }).where("id", "=", id).execute();
  }
  const timestamp = Math.floor(at.getTime() / secondMs);
  const headers = webhook.secret ? signatureHeaders(webhook.secret, { id: delivery.message_id, timestamp, body }) : {};
  const outcome = await postMessage(services.config, new URL(webhook.url), { headers, body });
  await settle(services, delivery, outcome, at);
  return outcome;
}

/** Whether a message to Discord should wait for the clip's file for chat apps. */
async function isToWait({ database }: Services, { webhook, event, subject, created_at }: Delivery, at: Date) {
  const age = Math.abs(at.getTime() - created_at.getTime());
  if (webhook.kind !== "discord" || event !== "clip.ready" || age > shareWait.atMostMs) return false;
  const clip = await database
    .selectFrom("clips")
    .select("share_key")
    .where("id", "=", Number(subject))
    .executeTakeFirst();
  return clip !== undefined && clip.share_key === null;
}

/** The problem of a message that was tried, or sent, before. */
export const aboutGone = "What it tells of was deleted since, so it is not sent any more.";

/** Whether the clip or match of a message is deleted, so that the addresses in it lead nowhere. */
export async function isAboutGone(
  { database }: Pick<Services, "database">,
  { event, subject }: Pick<Delivery, "event" | "subject">,
): Promise<boolean> {
  if (event === "test") return false;
  const row =
    event === "match.imported"
      ? await database.selectFrom("matches").select("id").where("id", "=", subject).executeTakeFirst()
      : await database
          .selectFrom("clips")
          .select("id")
          .where("id", "=", clipOfSubject(subject).clipId)
          .executeTakeFirst();
  return row === undefined;
}

async function bodyOf(services: Services, { webhook, event, subject, user_id, created_at }: Delivery) {
  const user = await services.database.selectFrom("users").selectAll().where("id", "=", user_id).executeTakeFirst();
  if (!user) return null;
  const about = { event, subject, at: created_at };
  return webhook.kind === "discord" ? discordBody(services, user, about) : scriptBody(services, user, about);
}

async function settle({ database }: Services, delivery: Delivery, outcome: PostOutcome, at: Date): Promise<void> {
  const { webhook, event } = delivery;
  const tries = delivery.tries + 1;
  const { status, problem, tookMs } = outcome;
  const offReason = problem === null ? null : switchOffReason(webhook.kind, status);
  const isOver =
    event === "test" || offReason !== null || tries >= webhookLimits.tries || isHopeless(webhook.kind, status);
  const state = problem === null ? "sent" : isOver ? "failed" : "waiting";
  const pauseMs = Math.max(pausesMs[tries - 1] ?? longestPauseMs, outcome.retryAfterMs);
  const waitMs = Math.min(pauseMs * (1 + Math.random() / 10), longestPauseMs);
  await database.transaction().execute(async (transaction) => {
    await endTry(transaction, delivery, {
      state,
      tries,
      status,
      problem,
      took_ms: tookMs,
      tried_at: at,
      due_at: state === "waiting" ? new Date(at.getTime() + waitMs) : null,
    });
    if (offReason === null) return;
    await transaction
      .updateTable("webhooks")
      .set({ is_on: false, off_reason: offReason })
      .where("id", "=", webhook.id)
      .execute();
  });
}

/**
 * Records how a try ended and gives its lease back. If the player has sent the message again meanwhile, only the lease is given
 * back. If the lease ran out, another process has the message and nothing is written.
 */
async function endTry(
  database: Services["database"],
  { id, leased_until: lease, due_at: due }: Delivery,
  values: Updateable<WebhookDeliveriesTable>,
): Promise<void> {
  const own = database
    .updateTable("webhook_deliveries")
    .where("id", "=", id)
    .where("leased_until", "is not distinct from", lease);
  const { numUpdatedRows } = await own
    .set({ ...values, leased_until: null })
    .where("due_at", "is not distinct from", due)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) await own.set({ leased_until: null }).execute();
}

/** Discord answers 400 to a message it finds faulty; it would answer the same again. */
const isHopeless = (kind: WebhooksTable["kind"], status: number | null) => kind === "discord" && status === 400;

function switchOffReason(kind: WebhooksTable["kind"], status: number | null): string | null {
  if (status === 410) return "The receiver said that it is gone (410).";
  if (kind === "discord" && (status === 401 || status === 403 || status === 404)) {
    return "Discord does not know this webhook any more.";
  }
  return null;
}

/**
 * Counts a message that could not be sent by a fault of ours as tried, so that it is given up in the end: otherwise the player's
 * other messages would wait behind it for ever.
 */
export async function putOff(services: Services, delivery: Delivery, error: unknown): Promise<void> {
  if (outageOf(error)) return;
  const outcome = { status: null, problem: "Something went wrong on our side.", tookMs: 0, retryAfterMs: 0 };
  await settle(services, delivery, outcome, services.now());
}

/** Messages that one process sends at once. */
const sendersAtOnce = 8;
const lookEveryMs = 2000;

/** Starts sending due messages in this process; several processes share the work. */
export function startWebhooks(services: Services): void {
  let sending = 0;
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      while (sending < sendersAtOnce) {
        const delivery = await takeDueDelivery(services);
        if (!delivery) break;
        sending++;
        void deliver(services, delivery)
          .catch((error) => {
            services.log.warn({ err: error, delivery: delivery.id }, "message not settled");
            return putOff(services, delivery, error);
          })
          .catch((error) => services.log.warn({ err: error, delivery: delivery.id }, "message not put off"))
          .finally(() => {
            sending--;
            void look();
          });
      }
    } catch (error) {
      services.log.warn({ err: error }, "no message could be taken");
    } finally {
      isLooking = false;
    }
  };
  setInterval(look, lookEveryMs).unref();
}
