import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { relative, sep } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import type { ServerBuild } from "@remix-run/node";
import { createRequestHandler } from "@remix-run/node";
import { Hono } from "hono";
import { compress } from "hono/compress";
import type { Config } from "../config.ts";
import { hasLongBody, limitBodies } from "../http/body-limits.ts";
import { type ConnectionBindings, clientAddress, unreadAnswer } from "../http/client-address.ts";
import { sessionCookieName } from "../http/cookie-names.ts";
import { limitVisitors } from "../http/limit-visitors.ts";
import { localUseRefusal } from "../http/local-use.ts";
import type { PageCalls } from "../http/page-calls.ts";
import { publicOrigin } from "../http/public-origin.ts";
import { retryAfterSeconds } from "../http/retry-after.ts";
import { comesFromElsewhere, isSafe } from "../http/same-origin.ts";
import { frameOptions, pageContentSecurityPolicy, securityHeaders } from "../http/security-headers.ts";
import { pageTurns, Turns, turnAfterSeconds, visitOf } from "../http/turns.ts";
import type { Services } from "../services.ts";
import { continueTrace, withTrace } from "../trace-context.ts";
import { refuseNonMember } from "./members-only.ts";
import { PageCache } from "./page-cache.ts";
import { refusalPage } from "./refusal-page.ts";

/** The API as pages and server see it: something that answers requests. */
export interface RequestHandler {
  fetch(request: Request, environment?: unknown): Response | Promise<Response>;
}

export interface WebOptions {
  services: Services;
  api: RequestHandler;
  loadBuild(): Promise<ServerBuild>;
  mode: string;
  /** build/client; null in development, where Vite serves. */
  assetsFolder: string | null;
}

/** Probes and monitoring, the only paths of a process that runs just workers. */
const operationPaths = ["/healthz", "/readyz", "/metrics"];
/** Paths of the API; everything else is a file or a page. */
const apiPaths = ["/api/*", "/video/*", "/local-steam/*", ...operationPaths];

/** The player for frames on other sites. */
const embedPath = /^\/clips\/[\w-]+\/embed\/?$/;

const year = 365 * 24 * 3600;

type Web = Hono<{ Bindings: ConnectionBindings }>;

/** One HTTP surface for everything: API, files, pages. */
export function createWeb(options: WebOptions): RequestHandler {
  const { services, api, assetsFolder } = options;
  const { config } = services;
  const web: Web = new Hono();
  const isWorker = config.ROLE === "worker";
  web.use("*", (c, next) => withTrace(continueTrace(c.req.header("traceparent")), next));
  for (const path of isWorker ? operationPaths : apiPaths) web.all(path, (c) => api.fetch(c.req.raw, c.env));
  if (isWorker) return web;

  const hardening = Object.entries(securityHeaders(config));
  web.use("*", async (c, next) => {
    await next();
    for (const [name, value] of hardening) c.res.headers.set(name, value);
  });
  refuseUnfitRequests(web, config);
  if (assetsFolder) serveFiles(web, assetsFolder);
  limitPages(web, services);
  if (config.VIEWING === "members") closeToVisitors(web, services);
  web.use("*", compress({ threshold: 1024 }));
  servePages(web, options);
  return web;
}

const originOf = (config: Config, request: Request) => publicOrigin(config, request.url) ?? config.publicUrl;

const visitorAddress = ({ TRUST_PROXY }: Config, request: Request, bindings: ConnectionBindings) =>
  clientAddress(bindings, request.headers.get("x-forwarded-for") ?? undefined, TRUST_PROXY);

/** Refuses bodies that are too long, requests from elsewhere to a local server, and those of other sites' pages. */
function refuseUnfitRequests(web: Web, config: Config): void {
  web.use(
    "*",
    limitBodies(config, (c, { status, sentence }) => {
      const later = status === 429 ? { "Retry-After": String(retryAfterSeconds) } : {};
      return refusalPage(c.req.raw, status, sentence, later);
    }),
  );
  web.use("*", (c, next) => {
    const refusal = localUseRefusal(config, c.req.raw, c.env);
    return refusal ? Promise.resolve(refusalPage(c.req.raw, 403, refusal.sentence)) : next();
  });
  web.use("*", (c, next) => {
    if (isSafe(c.req.method) || !comesFromElsewhere(c.req.raw, originOf(config, c.req.raw))) return next();
    return Promise.resolve(refusalPage(c.req.raw, 403, "This request came from another site."));
  });
}

function serveFiles(web: Web, folder: string): void {
  web.use(
    "/assets/*",
    serveStatic({
      root: folder,
      precompressed: true,
      onFound: (_path, c) => c.header("Cache-Control", `public, max-age=${year}, immutable`),
    }),
  );
  // A page from before a deployment may ask for a hashed file that is gone: 404, never a page in place of a script.
  web.all("/assets/*", (c) => c.notFound());
  // Listed at boot, so that requests for pages do not touch the disk.
  const files = filesBelow(folder);
  const serveFile = serveStatic({
    root: folder,
    precompressed: true,
    onFound: (_path, c) => c.header("Cache-Control", "public, max-age=86400"),
  });
  web.use("*", (c, next) => (files.has(c.req.path) ? serveFile(c, next) : next()));
}

/** Limits the pages of a network, both in a minute and at once. */
function limitPages(web: Web, services: Services): void {
  const { config } = services;
  const waitOf = limitVisitors(services, "pages", config.REQUESTS_PER_MINUTE);
  web.use("*", async (c, next) => {
    const waitSeconds = await waitOf(c.req.raw, visitorAddress(config, c.req.raw, c.env));
    if (waitSeconds === 0) return next();
    const headers = { "Retry-After": String(waitSeconds) };
    return refusalPage(c.req.raw, 429, "Too many requests from your network. Please wait a minute.", headers);
  });

  const turns = new Turns(pageTurns);
  web.use("*", async (c, next) => {
    if (hasLongBody(c.req.method, c.req.path)) return next();
    const turn = await turns.take(visitOf(visitorAddress(config, c.req.raw, c.env), c.env));
    if (turn.kind === "turn") return next().finally(turn.end);
    if (turn.kind === "left") return unreadAnswer();
    const headers = { "Retry-After": String(turnAfterSeconds) };
    return turn.kind === "network full"
      ? refusalPage(c.req.raw, 429, "Too many pages at once from your network. Please try again in a moment.", headers)
      : refusalPage(c.req.raw, 503, "Too many visitors at once. Please try again in a moment.", headers);
  });
}

/** With VIEWING=members: sends visitors to sign in, and keeps pages from search engines and shared caches. */
function closeToVisitors(web: Web, services: Services): void {
  web.use("*", async (c, next) => {
    const refusal = await refuseNonMember(services, c.req.raw);
    if (refusal) return refusal;
    await next();
    c.res.headers.set("X-Robots-Tag", "noindex");
    const cached = c.res.headers.get("cache-control");
    if (cached?.startsWith("public")) c.res.headers.set("Cache-Control", cached.replace("public", "private"));
    return undefined;
  });
}

function servePages(web: Web, { services: { config }, api, loadBuild, mode }: WebOptions): void {
  const pages = new PageCache(sessionCookieName(config));
  let handler: Promise<ReturnType<typeof createRequestHandler>> | null = null;
  const makeHandler = async () => createRequestHandler(await loadBuild(), mode);
  web.all("*", async (c) => {
    // In development every request asks Vite for the newest modules.
    if (!handler || mode === "development") handler = makeHandler();
    const handle = await handler;
    const nonce = randomBytes(16).toString("base64");
    const connectionAddress = c.env?.incoming?.socket?.remoteAddress;
    const origin = originOf(config, c.req.raw);
    const request = isSafe(c.req.method) ? c.req.raw : comparableOrigin(c.req.raw);
    const answer = await pages.answer(request, nonce, (asked, pageNonce) =>
      handle(asked, {
        apiFetch: apiFetchFor(api, asked),
        clientAddress: connectionAddress,
        publicOrigin: origin,
        nonce: pageNonce,
      }),
    );
    const page = { nonce, embeddable: embedPath.test(c.req.path) };
    const response = new Response(answer.body, answer);
    if (response.status === 503 && !response.headers.has("retry-after")) {
      response.headers.set("Retry-After", String(retryAfterSeconds));
    }
    for (const [name, value] of Object.entries(frameOptions(page))) response.headers.set(name, value);
    // Vite's own scripts of the development server have no nonce.
    if (mode !== "development") {
      response.headers.set("Content-Security-Policy", pageContentSecurityPolicy(config, page));
    }
    return response;
  });
}

/**
 * Lets loaders call the API in process, without a socket. The page's client adds cookies to the request. Sessions are looked up once for a
 * page that only reads; an action may end its session.
 */
function apiFetchFor(api: RequestHandler, page: Request) {
  const calls: PageCalls | undefined = isSafe(page.method) ? { sessions: new Map() } : undefined;
  return async (request: Request) => api.fetch(request, calls);
}

/**
 * Adjusts the request for Remix's own origin check, which answers 500 with a stack in the log. It compares the Origin with
 * X-Forwarded-Host, which anybody can set, or with a Host that a proxy may have changed. Our own check came before.
 */
function comparableOrigin(request: Request): Request {
  const origin = request.headers.get("origin");
  const headers = new Headers(request.headers);
  headers.delete("x-forwarded-host");
  if (origin) headers.set("host", new URL(origin).host);
  return new Request(request, { headers });
}

/** URL paths of all files below a folder. */
function filesBelow(folder: string): Set<string> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return new Set(
    entries.map((entry) => `/${relative(folder, `${entry.parentPath}${sep}${entry.name}`).split(sep).join("/")}`),
  );
}
