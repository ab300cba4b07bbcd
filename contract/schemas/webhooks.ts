import { z } from "zod";
import { textLimits } from "../text-limits.ts";
import { webhookEvents } from "../webhooks.ts";

const webhookEventSchema = z.enum(webhookEvents);
const typedUrl = z.string().max(textLimits.url);

export const saveDiscordSchema = z.object({ url: typedUrl });

export const addWebhookSchema = z.object({
  /** Address of the player's own server, with https. */
  url: typedUrl,
  events: z
    .array(webhookEventSchema)
    .min(1, "Choose at least one event.")
    .max(10 * webhookEvents.length),
});

export const newWebhookSchema = z.object({
  id: z.int(),
  /** Secret of the signatures, in the form of the Standard Webhooks specification: `whsec_…`. Told this once. */
  secret: z.string(),
});

export const webhookSchema = z.object({
  id: z.int(),
  /** A channel of Discord, or the player's own script. */
  kind: z.enum(["discord", "script"]),
  /** Shortened: the whole address may hold a secret. */
  address: z.string(),
  events: z.array(webhookEventSchema),
  is_on: z.boolean(),
  /** A sentence: why the server switched it off. A successful test switches it on again. */
  off_reason: z.string().nullable(),
  created_at: z.string(),
});
export type Webhook = z.infer<typeof webhookSchema>;

export const webhookDeliverySchema = z.object({
  id: z.int(),
  webhook_id: z.int(),
  /** The same at every try, so that receivers can ignore repetitions. */
  message_id: z.string(),
  /** An event, or `test`. */
  event: z.string(),
  state: z.enum(["waiting", "sent", "failed"]),
  created_at: z.string(),
  tries: z.int(),
  /** This and the next three are those of the last try. */
  tried_at: z.string().nullable(),
  status: z.int().nullable(),
  took_ms: z.int().nullable(),
  /** A sentence. */
  problem: z.string().nullable(),
  next_try_at: z.string().nullable(),
});
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;

export const webhookListSchema = z.object({
  results: z.array(webhookSchema),
  /** Newest first. */
  deliveries: z.array(webhookDeliverySchema),
});
export type WebhookList = z.infer<typeof webhookListSchema>;

export const webhookOutcomeSchema = z.object({
  ok: z.boolean(),
  /** Null when there was no answer. */
  status: z.int().nullable(),
  took_ms: z.int(),
  /** A sentence. */
  problem: z.string().nullable(),
});
export type WebhookOutcome = z.infer<typeof webhookOutcomeSchema>;
