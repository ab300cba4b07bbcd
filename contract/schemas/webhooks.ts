import { z } from "zod";
import { textLimits } from "../text-limits.ts";
import { webhookEvents } from "../webhooks.ts";

const webhookEventSchema = z.enum(webhookEvents);
const typedUrl = z.string().max(textLimits.url);

export const saveDiscordSchema = z.object({ url: typedUrl });

export const addWebhookSchema = z.object({
  /** Of a server of one's own, with https. */
  url: typedUrl,
  events: z
    .array(webhookEventSchema)
    .min(1, "Choose at least one event.")
    .max(10 * webhookEvents.length),
});

export const newWebhookSchema = z.object({
  id: z.int(),
  /** For its signatures, as the Standard Webhooks specification writes it: `whsec_…`. Told this once. */
  secret: z.string(),
});

export const webhookSchema = z.object({
  id: z.int(),
  /** A channel of Discord, or a script of one's own. */
  kind: z.enum(["discord", "script"]),
  /** Not whole: it may hold what lets others post there. */
  address: z.string(),
  events: z.array(webhookEventSchema),
  is_on: z.boolean(),
  /** A sentence: why the server switched it off. A test that arrives switches it on. */
  off_reason: z.string().nullable(),
  created_at: z.string(),
});
export type Webhook = z.infer<typeof webhookSchema>;

export const webhookDeliverySchema = z.object({
  id: z.int(),
  webhook_id: z.int(),
  /** The same at every try: a receiver that has it already may leave it. */
  message_id: z.string(),
  /** An event, or `test`. */
  event: z.string(),
  state: z.enum(["waiting", "sent", "failed"]),
  created_at: z.string(),
  tries: z.int(),
  /** Of the last try, as the next three. */
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
  /** The newest first. */
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
