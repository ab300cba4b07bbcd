import { timingSafeEqual } from "node:crypto";
import { createMiddleware } from "hono/factory";
import type { RouteDescription } from "../../contract/api-route.ts";
import { tokenScopeOf } from "../../contract/api-route.ts";
import { type FoundSession, findSession, xsrfTokenOf } from "../accounts/sessions.ts";
import { findToken, tokenPrefix } from "../accounts/tokens.ts";
import { hasLongBody } from "../http/body-limits.ts";
import {
  type ConnectionBindings,
  isInProcess,
  networkOf,
  unknownAddress,
  unreadAnswer,
} from "../http/client-address.ts";
import { limitVisitors } from "../http/limit-visitors.ts";
import { comesFromElsewhere, isSafe } from "../http/same-origin.ts";
import { SharedMinute } from "../http/shared-minute.ts";
import { callTurns, Turns, turnAfterSeconds, visitOf } from "../http/turns.ts";
import { OverloadedError } from "../overloaded-error.ts";
import type { Services } from "../services.ts";
import type { User } from "../storage/schema.ts";
import { ApiError } from "./api-error.ts";
import { type ApiContext, type ApiEnvironment, requireOperator, requireUser } from "./request-context.ts";
import { readSessionCookie } from "./session-cookies.ts";

/**
 * Finds out who asks: by access token or a session's token (of scripts), or by session cookie. With an access token, whatever it is
 * worth, nothing else counts; nor does a cookie that comes along with a bearer token from another site's page. Once for a request: who
 * is nobody to a call, because their token has not its scope, stays so.
 */
export const loadSession = createMiddleware<ApiEnvironment>(async (c, next) => {
  if (c.get("isCallerKnown")) return next();
  c.set("isCallerKnown", true);
  const services = c.get("services");
  const authorization = c.req.header("authorization") ?? "";
  const hasBearer = /^Bearer /i.test(authorization);
  const bearer = hasBearer ? authorization.slice("Bearer ".length).trim() : "";
  if (bearer.startsWith(tokenPrefix)) {
    const found = await findToken(services, bearer);
    if (found) {
      c.set("user", found.user);
      c.set("token", { id: found.id, scopes: found.scopes });
    } else c.set("hasBadToken", true);
    await next();
    return;
  }
  const mayUseCookie = !hasBearer || !comesFromElsewhere(c.req.raw, c.get("publicOrigin"));
  const candidates = [
    { token: bearer, sentBy: "bearer" },
    { token: mayUseCookie ? readSessionCookie(c) : undefined, sentBy: "cookie" },
  ] as const;
  for (const { token, sentBy } of candidates) {
    const found = token && (await sessionOf(c, token));
    if (!found) continue;
    c.set("user", found.user);
    c.set("session", { idHash: found.idHash, xsrfToken: xsrfTokenOf(token), sentBy });
    break;
  }
  await next();
});

function sessionOf(c: ApiContext, token: string): Promise<FoundSession | null> {
  const { sessions } = c.env ?? {};
  const found = sessions?.get(token) ?? findSession(c.get("services"), token);
  sessions?.set(token, found);
  return found;
}

/**
 * Who asks for a file: looked up only for a token and where files are members' alone. Else most are everybody's, and a look-up would
 * cost more than the rest.
 */
export const loadCallerOfFiles = createMiddleware<ApiEnvironment>(async (c, next) => {
  const isNeeded = c.req.header("authorization") || c.get("services").config.VIEWING === "members";
  await (isNeeded ? loadSession(c, next) : next());
});

/** Refuses an access token that opens nothing, also where none is needed: whoever sends one is told that it has ended. */
export const refuseBadToken = createMiddleware<ApiEnvironment>(async (c, next) => {
  if (c.get("hasBadToken")) {
    const sentence = "This access token is not valid: it was revoked, has ended, or is not written as it was given.";
    throw new ApiError(401, "invalid_token", sentence, {
      headers: { "WWW-Authenticate": 'Bearer realm="clutchcast", error="invalid_token"' },
    });
  }
  await next();
});

/**
 * Whom a call is to be carried out for, with what its token may do.
 * With VIEWING=members nobody is anybody, but for calls that are for visitors.
 * @returns null for anybody: a signed-out visitor, or a token of which a public call is to tell nothing
 * @throws ApiError 401 where one has to be signed in; 403 when the token has not the scope
 */
export function callerOf(c: ApiContext, route: RouteDescription): User | null {
  if (route.access === "operator") {
    // Whatever a token may: an operator's page is for who is signed in.
    if (c.get("token")) throw ApiError.nothingHere();
    return requireOperator(c);
  }
  const token = c.get("token");
  const scope = tokenScopeOf(route);
  const isForMembers = c.get("services").config.VIEWING === "members" && !route.forVisitors;
  if (token && (scope === "session" || !token.scopes.includes(scope))) {
    if (scope === "session" || route.access !== "public" || isForMembers) throw insufficientScope(scope);
    c.set("user", null);
  }
  return route.access === "signed-in" || isForMembers ? requireUser(c) : c.get("user");
}

function insufficientScope(scope: ReturnType<typeof tokenScopeOf>): ApiError {
  const needed = scope === "session" ? "" : `, scope="${scope}"`;
  return new ApiError(
    403,
    "insufficient_scope",
    scope === "session"
      ? "No access token can make this call: sign in on the pages for it."
      : `This call needs an access token with the scope “${scope}”.`,
    { headers: { "WWW-Authenticate": `Bearer realm="clutchcast", error="insufficient_scope"${needed}` } },
  );
}

/**
 * Refuses unsafe calls that a browser makes on another site's behalf: those from another origin, and those with a session
 * cookie but without the anti-forgery token that only pages of this origin can read. Another site's script that has an access token
 * was given it.
 */
export const refuseForgery = createMiddleware<ApiEnvironment>(async (c, next) => {
  if (!isSafe(c.req.method) && !c.get("token")) {
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
 * Holds callers of the API to REQUESTS_PER_MINUTE: a user by account, anybody else by network. A token has a share of its own,
 * TOKEN_REQUESTS_PER_MINUTE, so that a script leaves its player's pages theirs. What pages read in process is not counted: the page is.
 */
export function limitRequests(services: Services) {
  const minute = new SharedMinute(services, "calls", services.config.REQUESTS_PER_MINUTE);
  const tokenMinute = new SharedMinute(services, "tokens", services.config.TOKEN_REQUESTS_PER_MINUTE);
  return createMiddleware<ApiEnvironment>(async (c, next) => {
    const user = c.get("user");
    const address = c.get("clientAddress");
    const token = c.get("token");
    const isPageRead = isInProcess(c.env) && isSafe(c.req.method);
    if (token) {
      const waitSeconds = tokenMinute.count(`token ${token.id}`);
      c.set("standing", tokenMinute.standing(`token ${token.id}`));
      if (waitSeconds > 0) throw tooManyRequests(waitSeconds);
    } else if (!isPageRead && (user || address !== unknownAddress)) {
      const waitSeconds = minute.count(user ? `user ${user.id}` : networkOf(address));
      if (waitSeconds > 0) throw tooManyRequests(waitSeconds);
    }
    await next();
  });
}

/** Has the calls of a network take turns, but for those of pages in process, which have one, and for uploads, which last. */
export function takeTurns() {
  const turns = new Turns(callTurns);
  return createMiddleware<ApiEnvironment>(async (c, next) => {
    if (isInProcess(c.env) || hasLongBody(c.req.method, c.req.path)) return next();
    const turn = await turns.take(visitOf(c.get("clientAddress"), c.env as ConnectionBindings));
    if (turn.kind === "turn") return next().finally(turn.end);
    if (turn.kind === "left") return unreadAnswer();
    if (turn.kind === "server full")
      throw new OverloadedError("Too many visitors at once. Please try again in a moment.", turnAfterSeconds);
    throw new ApiError(
      429,
      "rate_limited",
      "Too many requests at once from your network. Please try again in a moment.",
      {
        headers: { "Retry-After": String(turnAfterSeconds) },
      },
    );
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
