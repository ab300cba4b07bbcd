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
 * Identifies the caller by access token, by a session's token (of scripts) or by session cookie. If there is an access token, valid or not,
 * nothing else counts; a cookie beside a bearer token is ignored, since another site's page may have sent both. Runs once for each request:
 * a caller whose token lacks the scope stays anonymous.
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
 * Identifies the caller of a file only if there is a token or viewing is for members: most files are public, and the look-up would cost
 * more than the rest of the call.
 */
export const loadCallerOfFiles = createMiddleware<ApiEnvironment>(async (c, next) => {
  const isNeeded = c.req.header("authorization") || c.get("services").config.VIEWING === "members";
  await (isNeeded ? loadSession(c, next) : next());
});

/** Refuses an invalid access token even for public calls, so that its owner notices that it has ended. */
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
 * The user for whom a call is carried out, if the token's scope allows it. With VIEWING=members only calls with `forVisitors` need no
 * signed-in user.
 * @returns null for an anonymous caller: a signed-out visitor, or one whose token lacks the scope of a public call
 * @throws ApiError 401 for a visitor who has to be signed in; 403 for a token without the scope
 */
export function callerOf(c: ApiContext, route: RouteDescription): User | null {
  if (route.access === "operator") {
    // No token opens an operator's calls, whatever its scopes.
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
 * Refuses unsafe calls that a browser makes on another site's behalf: those from another origin, and those with a session cookie but
 * without the anti-forgery token, which only pages of this origin can read. Other sites' scripts with an access token pass: their user gave
 * it to them.
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
 * Limits callers of the API to REQUESTS_PER_MINUTE, users by account and others by network. A token has its own TOKEN_REQUESTS_PER_MINUTE,
 * so that scripts do not use up the requests of their player's pages. In-process calls are not counted, because their page is.
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

/** Makes the calls of each network take turns, except those of pages in process, which have a turn, and long uploads. */
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

/** Files a minute for each allowed call: a page of clips has a poster for each, and players read videos in ranges. */
const filesForEachCall = 4;

/** Limits a visitor's videos and pictures a minute, counted apart from calls. */
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
