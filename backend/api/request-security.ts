import { timingSafeEqual } from "node:crypto";
import { createMiddleware } from "hono/factory";
import { findSession, xsrfTokenOf } from "../accounts/sessions.ts";
import { isInProcess, networkOf, unknownAddress } from "../http/client-address.ts";
import { limitVisitors } from "../http/limit-visitors.ts";
import { comesFromElsewhere, isSafe } from "../http/same-origin.ts";
import { SharedMinute } from "../http/shared-minute.ts";
import type { Services } from "../services.ts";
import { ApiError } from "./api-error.ts";
import type { ApiEnvironment } from "./request-context.ts";
import { readSessionCookie } from "./session-cookies.ts";

/** Finds out who asks: by bearer token (of scripts) or by session cookie. */
export const loadSession = createMiddleware<ApiEnvironment>(async (c, next) => {
  const services = c.get("services");
  const [, bearer] = /^Bearer ([A-Za-z0-9_-]+)$/.exec(c.req.header("authorization") ?? "") ?? [];
  const candidates = [
    { token: bearer, sentBy: "bearer" },
    { token: readSessionCookie(c), sentBy: "cookie" },
  ] as const;
  for (const { token, sentBy } of candidates) {
    const found = token && (await findSession(services, token));
    if (!found) continue;
    c.set("user", found.user);
    c.set("session", { idHash: found.idHash, xsrfToken: xsrfTokenOf(token), sentBy });
    break;
  }
  await next();
});

/**
 * Refuses unsafe calls that a browser makes on another site's behalf: those from another origin, and those with a session
 * cookie but without the anti-forgery token that only pages of this origin can read.
 */
export const refuseForgery = createMiddleware<ApiEnvironment>(async (c, next) => {
  if (!isSafe(c.req.method)) {
    if (comesFromElsewhere(c.req.raw, c.get("publicOrigin"))) {
      throw new ApiError(403, "cross_origin", "This call came from another site.");
    }
    const session = c.get("session");
    if (session?.sentBy === "cookie" && !isEqual(c.req.header("x-xsrf-token") ?? "", session.xsrfToken)) {
      throw new ApiError(
        403,
        "xsrf",
        "The X-XSRF-TOKEN header must repeat the XSRF-TOKEN cookie. GET /api/auth/status/ sets that cookie.",
      );
    }
  }
  await next();
});

function isEqual(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Holds callers of the API to REQUESTS_PER_MINUTE: a user by account, anybody else by network. What pages read in process is
 * not counted: the page is.
 */
export function limitRequests(services: Services) {
  const minute = new SharedMinute(services, "calls", services.config.REQUESTS_PER_MINUTE);
  return createMiddleware<ApiEnvironment>(async (c, next) => {
    const user = c.get("user");
    const address = c.get("clientAddress");
    const isPageRead = isInProcess(c.env) && isSafe(c.req.method);
    if (!isPageRead && (user || address !== unknownAddress)) {
      const waitSeconds = minute.count(user ? `user ${user.id}` : networkOf(address));
      if (waitSeconds > 0) throw tooManyRequests(waitSeconds);
    }
    await next();
  });
}

/** Videos and pictures a minute for each call: a page of clips asks for a poster each, and players for videos in ranges. */
const filesForEachCall = 4;

/** Holds visitors to their videos and pictures a minute, counted apart from calls. */
export function limitFiles(services: Services) {
  const waitOf = limitVisitors(services, "files", services.config.REQUESTS_PER_MINUTE * filesForEachCall);
  return createMiddleware<ApiEnvironment>(async (c, next) => {
    const waitSeconds = await waitOf(c.req.raw, c.get("clientAddress"));
    if (waitSeconds > 0) throw tooManyRequests(waitSeconds);
    await next();
  });
}

function tooManyRequests(waitSeconds: number): ApiError {
  return new ApiError(429, "rate_limited", "Too many requests. Please wait a minute.", {
    headers: { "Retry-After": String(waitSeconds) },
  });
}
