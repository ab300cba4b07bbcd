import { rateLimitHeaderNames } from "./rate-limit-headers.ts";

/**
 * Other sites' scripts may call with a token, which has to be sent on purpose, but never with a cookie, which browsers send by themselves.
 * Therefore there is no `Access-Control-Allow-Credentials`, and nothing for requests without an Authorization header.
 */

const preflightSeconds = 86_400;

/** Headers that such a script may read, besides those that every script may. */
const exposedHeaders = [
  ...["Retry-After", "X-Request-Id", "WWW-Authenticate", "Content-Range", "Content-Disposition", "ETag"],
  ...rateLimitHeaderNames,
].join(", ");

/** Whether this is a browser's preflight for a request with an Authorization header. */
export function isTokenPreflight(request: Request): boolean {
  if (request.method !== "OPTIONS" || !request.headers.has("access-control-request-method")) return false;
  const names = request.headers.get("access-control-request-headers") ?? "";
  return names.split(",").some((name) => name.trim().toLowerCase() === "authorization");
}

/** Headers that such a request may have: `Range` and conditions are for files. */
const allowedHeaders = [
  ...["Authorization", "Content-Type", "Range"],
  ...["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"],
].join(", ");

/** The answer to a preflight. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, DELETE",
  "Access-Control-Allow-Headers": allowedHeaders,
  "Access-Control-Max-Age": String(preflightSeconds),
};

/** Opens the answer to a request with a bearer token to scripts of other sites; empty for other requests. */
export function crossOriginHeaders(request: Request): Readonly<Record<string, string>> {
  if (!/^Bearer /i.test(request.headers.get("authorization") ?? "")) return {};
  return { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": exposedHeaders };
}
