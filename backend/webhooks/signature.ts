import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";

/** A secret as the Standard Webhooks specification writes it: 24 random bytes. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(24).toString("base64");
}

export interface SignedMessage {
  id: string;
  /** Seconds since 1970: of this try. */
  timestamp: number;
  body: string;
}

/**
 * The headers by which a receiver knows that a message is ours and whole.
 * Source: standardwebhooks.com, "Webhook metadata" and "Signature scheme" (symmetric, v1).
 */
export function signatureHeaders(secret: string, { id, timestamp, body }: SignedMessage): Record<string, string> {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${signature}` };
}
