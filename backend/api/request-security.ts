import { timingSafeEqual } from "node:crypto";
import { createMiddleware } from "hono/factory";
import { parse } from "hono/utils/cookie";
import { findSession, xsrfTokenOf } from "../accounts/sessions.ts";
import type { Services } from "../services.ts";
import { isInProcess, networkOf, unknownAddress } from "./client-address.ts";
import { RequestMinute } from "./rate-limits.ts";
import { type ApiEnvironment, ApiError } from "./request-context.ts";
import { readSessionCookie, sessionCookieName } from "./session-cookies.ts";

export const isSafe = (method: string) => method === "GET" || method === "HEAD" || method === "OPTIONS";

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

/** Whether a browser sent an unsafe request on another site's behalf. */
export function comesFromElsewhere(request: Request, publicOrigin: string): boolean {
  const origin = request.headers.get("origin");
  if (origin !== null) return origin !== publicOrigin && origin !== new URL(request.url).origin;
  const site = request.headers.get("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}

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
  const minute = new RequestMinute(services.config.REQUESTS_PER_MINUTE, services.now);
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

/**
 * Holds visitors to a number of requests a minute by network; once it is used up, whoever is signed in there has as many
 * again by account, so that nobody is shut out by their neighbours. Only then is the database asked.
 * @returns counts a request: 0 when it is within the limit, else the seconds until the next minute
 */
export function limitVisitors(services: Services, requestsPerMinute: number) {
  const minute = new RequestMinute(requestsPerMinute, services.now);
  return async (request: Request, address: string): Promise<number> => {
    const waitSeconds = minute.count(networkOf(address));
    if (waitSeconds === 0) return 0;
    const name = sessionCookieName(services.config);
    const token = parse(request.headers.get("cookie") ?? "", name)[name];
    const session = token ? await findSession(services, token) : null;
    return session ? minute.count(`user ${session.user.id}`) : waitSeconds;
  };
}

/** Videos and pictures a minute for each call: a page of clips asks for a poster each, and players for videos in ranges. */
const filesForEachCall = 4;

/** Holds visitors to their videos and pictures a minute, counted apart from calls. */
export function limitFiles(services: Services) {
  const waitOf = limitVisitors(services, services.config.REQUESTS_PER_MINUTE * filesForEachCall);
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
