import { rateLimitHeaderNames } from "./rate-limit-headers.ts";

/**
 * Scripts of other sites may call with a token, which they have to send on purpose: never with a cookie, which browsers send on
 * their own. Hence no `Access-Control-Allow-Credentials`, and nothing for requests without an Authorization header.
 */

const preflightSeconds = 86_400;

/** What of an answer such a script may read, besides what every script may. */
const exposedHeaders = [
  ...["Retry-After", "X-Request-Id", "WWW-Authenticate", "Content-Range", "Content-Disposition", "ETag"],
  ...rateLimitHeaderNames,
].join(", ");

/** Whether a browser asks before it sends a request with an Authorization header. */
export function isTokenPreflight(request: Request): boolean {
  if (request.method !== "OPTIONS" || !request.headers.has("access-control-request-method")) return false;
  const names = request.headers.get("access-control-request-headers") ?? "";
  return names.split(",").some((name) => name.trim().toLowerCase() === "authorization");
}

/** What such a request may carry: `Range` and conditions are for files, which answer both. */
const allowedHeaders = [
  ...["Authorization", "Content-Type", "Range"],
  ...["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"],
].join(", ");

/** The answer to such a question. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, HEAD, POST, DELETE",
  "Access-Control-Allow-Headers": allowedHeaders,
  "Access-Control-Max-Age": String(preflightSeconds),
};

/** What opens the answer to a request with a bearer token to scripts of other sites; nothing for any other request. */
export function crossOriginHeaders(request: Request): Readonly<Record<string, string>> {
  if (!/^Bearer /i.test(request.headers.get("authorization") ?? "")) return {};
  return { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": exposedHeaders };
}
