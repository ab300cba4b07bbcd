/** What webhooks tell of; pages and server share it. */
export const webhookEvents = [
  "clip.ready",
  "clip.failed",
  "clip.format_ready",
  "clip.format_failed",
  "match.imported",
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

export const webhookEventLabels: Record<WebhookEvent, string> = {
  "clip.ready": "A clip is ready",
  "clip.failed": "A clip has failed",
  "clip.format_ready": "An added format is ready",
  "clip.format_failed": "An added format has failed",
  "match.imported": "A match is imported",
};

export const webhookLimits = {
  /** Of a player, without the one of Discord. */
  scripts: 5,
  /** Of the delivery log. */
  deliveriesShown: 50,
  /** Tries of a message, over about a day. */
  tries: 8,
  /** Tests and repetitions by hand of a player, a minute. */
  pressesPerMinute: 10,
  /** The delivery log goes back so far. */
  logDays: 30,
} as const;
