import { randomUUID } from "node:crypto";
import { Hono, type Next } from "hono";
import { HTTPException } from "hono/http-exception";
import type { Logger } from "pino";
import { apiRoutes } from "../../contract/api-routes.ts";
import { isAccountGone } from "../accounts/account-gone.ts";
import { type BodyRefusal, limitBodies } from "../http/body-limits.ts";
import { clientAddress, isInProcess } from "../http/client-address.ts";
import { crossOriginHeaders, isTokenPreflight, preflightHeaders } from "../http/cross-origin.ts";
import { localUseRefusal } from "../http/local-use.ts";
import { publicOrigin } from "../http/public-origin.ts";
import { rateLimitHeaders } from "../http/rate-limit-headers.ts";
import { retryAfterSeconds } from "../http/retry-after.ts";
import { apiContentSecurityPolicy, securityHeaders } from "../http/security-headers.ts";
import { OverloadedError } from "../overloaded-error.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import { isDiskFull } from "../storage/disk-full.ts";
import { continueTrace, currentTrace, withTrace } from "../trace-context.ts";
import type { Fetch } from "../waits/bounded-fetch.ts";
import { outageOf } from "../waits/outage.ts";
import { ApiError, errorOfRefusal } from "./api-error.ts";
import { type ApiMetrics, createMetrics } from "./api-metrics.ts";
import { createLocalIdentityProvider, localProviderPath } from "./local-steam/local-identity-provider.ts";
import { mountRoutes } from "./mount-routes.ts";
import type { ApiContext, ApiEnvironment } from "./request-context.ts";
import {
  limitFiles,
  limitRequests,
  loadCallerOfFiles,
  loadSession,
  refuseBadToken,
  refuseForgery,
  takeTurns,
} from "./request-security.ts";
import { accountRoutes } from "./routes/account.ts";
import { authRoutes, signInFailed } from "./routes/auth.ts";
import { automationRoutes } from "./routes/automation.ts";
import { clipRoutes } from "./routes/clips.ts";
import { docsRoutes } from "./routes/docs.ts";
import { feedRoutes } from "./routes/feeds.ts";
import { healthRoutes } from "./routes/health.ts";
import { highlightRoutes } from "./routes/highlights.ts";
import { matchRoutes } from "./routes/matches.ts";
import { mediaRoutes } from "./routes/media.ts";
import { operatorRoutes } from "./routes/operator.ts";
import { siteRoutes } from "./routes/site.ts";
import { tokenRoutes } from "./routes/tokens.ts";
import { uploadRoutes } from "./routes/uploads.ts";
import { webhookRoutes } from "./routes/webhooks.ts";

/**
 * The HTTP surface of the backend: /api/**, /video/**, /healthz, /readyz, /metrics and, for local use, /local-steam/**.
 * The page server calls it in process with `api.fetch(request)`. Such a request has no connection bindings. It carries the visitor's
 * cookies, their address as the last entry of X-Forwarded-For and, on unsafe calls, the XSRF-TOKEN cookie's value as X-XSRF-TOKEN. The page
 * server passes `Set-Cookie` of the answer on to the browser.
 */
export function createApi(services: Services): Hono<ApiEnvironment> {
  const api = new Hono<ApiEnvironment>();
  const metrics = createMetrics(services);
  const localProvider = services.config.localIdentity ? createLocalIdentityProvider(services.now) : null;
  // In process: this server may be unable to reach itself at the address that the browser uses.
  const askLocalProvider: Fetch = async (url, init) => (localProvider ?? api).request(String(url), init);

  // A page's calls belong to the page's trace.
  api.use("*", (c, next) => withTrace(currentTrace() ?? continueTrace(c.req.header("traceparent")), next));
  api.use("*", (c, next) => trackRequest(c, next, services, metrics));
  api.use("*", limitBodies<ApiEnvironment>(services.config, refuseBody));

  mountRoutes(api, healthRoutes(metrics));

  api.use("*", async (c, next) => {
    const refusal = localUseRefusal(services.config, c.req.raw, c.env);
    if (refusal) throw new ApiError(403, refusal.code, refusal.sentence);
    const origin = publicOrigin(services.config, c.req.url) ?? services.config.publicUrl;
    c.set("publicOrigin", origin);
    c.set(
      "identityProvider",
      localProvider
        ? { endpoint: `${origin}${localProviderPath}`, fetch: askLocalProvider }
        : { endpoint: services.config.steamOpenIdUrl },
    );
    await next();
  });

  if (localProvider) {
    api.use("/local-steam/*", refuseForgery);
    api.all("/local-steam/*", (c) => localProvider.fetch(c.req.raw));
  }

  for (const path of ["/api/*", "/video/*"]) {
    api.use(path, (c, next) => {
      return isTokenPreflight(c.req.raw) ? Promise.resolve(c.body(null, 204, preflightHeaders)) : next();
    });
  }
  api.use("/video/*", limitFiles(services), loadCallerOfFiles, refuseBadToken);
  api.use("/api/*", takeTurns(), loadSession, limitRequests(services), refuseBadToken, refuseForgery);
  mountRoutes(
    api,
    [
      authRoutes,
      accountRoutes,
      tokenRoutes,
      automationRoutes,
      webhookRoutes,
      matchRoutes,
      uploadRoutes,
      highlightRoutes,
      clipRoutes,
      mediaRoutes,
      feedRoutes,
      siteRoutes,
      operatorRoutes(),
      docsRoutes,
    ].flat(),
  );

  api.notFound((c) => errorResponse(c, ApiError.nothingHere()));
  api.onError((error, c) => answerError(error, c, services.log));
  return api;
}

/** Sets the variables that every request has, adds the headers of every answer, counts the request and logs it. */
async function trackRequest(c: ApiContext, next: Next, services: Services, metrics: ApiMetrics): Promise<void> {
  const started = performance.now();
  const { config, log } = services;
  c.set("services", services);
  c.set("requestId", randomUUID());
  c.set("user", null);
  c.set("session", null);
  c.set("token", null);
  c.set("standing", null);
  c.set("hasBadToken", false);
  c.set("isCallerKnown", false);
  c.set("clientAddress", clientAddress(c.env, c.req.header("x-forwarded-for"), config.TRUST_PROXY));
  await next();
  setHeaders(c, services);
  const seconds = (performance.now() - started) / 1000;
  const answered = { method: c.req.method, route: c.get("route") ?? "none", status: c.res.status };
  metrics.count(answered, seconds);
  // Only the path: a query can contain sign-in secrets.
  log[isInProcess(c.env) ? "debug" : "info"](
    {
      ...answered,
      path: c.req.path,
      requestId: c.get("requestId"),
      ms: Math.round(seconds * 1000),
      user: c.get("user")?.id,
    },
    "request",
  );
}

function answerError(error: Error, c: ApiContext, log: Logger): Response {
  // A browser that returns from Steam shows the answer as it is, so errors have to be pages.
  const isSignIn = c.req.path === apiRoutes.auth.finishSignIn.path;
  if (isSignIn && isTooManyRequests(error)) return signInFailed(c, "busy");
  if (error instanceof ApiError) return errorResponse(c, error);
  if (error instanceof Refusal) return errorResponse(c, errorOfRefusal(error));
  if (error instanceof OverloadedError) return errorResponse(c, ApiError.overloaded(error));
  if (error instanceof HTTPException) return errorResponse(c, new ApiError(error.status, "invalid", error.message));
  // The account was deleted, and its sessions with it, after this request began.
  if (isAccountGone(error)) return errorResponse(c, ApiError.signedOut());
  if (isDiskFull(error)) {
    log.warn({ err: error, method: c.req.method, path: c.req.path }, "no room for what a request stores");
    return errorResponse(c, ApiError.diskFull());
  }
  const outage = outageOf(error);
  if (outage) {
    log.warn({ err: error, outage, method: c.req.method, path: c.req.path }, "request met an outage");
    // The previous session could not be looked up.
    if (isSignIn) return signInFailed(c, "unavailable");
    return errorResponse(c, ApiError.unavailable(outage));
  }
  const requestId = c.get("requestId");
  log.error({ err: error, requestId, method: c.req.method, path: c.req.path }, "request failed");
  return errorResponse(
    c,
    new ApiError(
      500,
      "internal",
      `Something went wrong on our side. If it happens again, please mention this number: ${requestId}`,
    ),
  );
}

/** Whether the request was refused because of too many requests. */
function isTooManyRequests(error: Error): boolean {
  return error instanceof OverloadedError || (error instanceof ApiError && error.status === 429);
}

function refuseBody(c: ApiContext, { status, code, sentence }: BodyRefusal): Response {
  return errorResponse(c, new ApiError(status, code, sentence));
}

function errorResponse(c: ApiContext, error: ApiError): Response {
  for (const [name, value] of Object.entries(error.headers ?? {})) c.header(name, value);
  return c.json({ error: error.code, detail: error.detail, ...error.fields }, error.status);
}

function setHeaders(c: ApiContext, services: Services): void {
  const { headers } = c.res;
  const add = (name: string, value: string) => {
    if (!headers.has(name)) headers.set(name, value);
  };
  for (const [name, value] of Object.entries(securityHeaders(services.config))) add(name, value);
  for (const [name, value] of Object.entries(crossOriginHeaders(c.req.raw))) add(name, value);
  // Otherwise a browser could reuse a cached answer without these headers for another site's script that sends a token.
  if (!/\bauthorization\b/i.test(headers.get("vary") ?? "")) headers.append("Vary", "Authorization");
  const standing = c.get("standing");
  for (const [name, value] of Object.entries(standing ? rateLimitHeaders(standing) : {})) add(name, value);
  add("Content-Security-Policy", apiContentSecurityPolicy);
  add("X-Request-Id", c.get("requestId"));
  // A default for refusals that set no time of their own.
  if (c.res.status === 429 || c.res.status === 503) add("Retry-After", String(retryAfterSeconds));
  // Answers depend on the caller, and a page with a form must never be an old one.
  add("Cache-Control", "no-store");
  const caching = headers.get("cache-control") ?? "";
  // With members-only viewing no shared cache may keep what is public elsewhere.
  if (services.config.VIEWING === "members" && caching.startsWith("public")) {
    headers.set("Cache-Control", caching.replace("public", "private"));
  }
}
