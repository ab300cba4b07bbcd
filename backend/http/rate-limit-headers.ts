import type { MinuteStanding } from "./request-minute.ts";

/** The name of the limit in both headers. */
const policy = "token";

/** Names of these headers, for CORS to expose. */
export const rateLimitHeaderNames = ["RateLimit", "RateLimit-Policy"] as const;

/**
 * A script's standing in the current minute, as draft-ietf-httpapi-ratelimit-headers (revisions 08 to 11) writes it: the requests left
 * (`r`) until the minute ends (`t`, seconds), out of how many (`q`) in how many seconds (`w`). Decision 168.
 */
export function rateLimitHeaders({
  limit,
  left,
  secondsLeft,
}: MinuteStanding): Record<(typeof rateLimitHeaderNames)[number], string> {
  return {
    RateLimit: `"${policy}";r=${left};t=${secondsLeft}`,
    "RateLimit-Policy": `"${policy}";q=${limit};w=60`,
  };
}
