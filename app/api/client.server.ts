import { LRUCache } from "lru-cache";
import { addressOf, type JsonAnswer, type RouteDescription, type RouteInput } from "../../contract/api-route.ts";
import { apiRoutes } from "../../contract/api-routes.ts";
import type { AuthStatus } from "../../contract/schemas/accounts.ts";
import type { Site } from "../../contract/schemas/site.ts";
import type { AppLoadContext } from "../shell/load-context.ts";
import { ApiFailure } from "./api-failure.ts";
import { assertSameOrigin } from "./assert-same-origin.server.ts";
import { apiBaseUrl } from "./environment.server.ts";

const timeoutMs = 15_000;

/** Fields of answers that are addresses of files. */
const mediaFields = new Set([
  "video_url",
  "poster_url",
  "wide_poster_url",
  "thumbnail_url",
  "share_url",
  "loop_url",
  "pictures_url",
  "csdm_url",
  "hlae_url",
]);

const uploadTimeoutMs = 60 * 60_000;

/**
 * Parsed answers by their text: long ones are the same for everybody until something in them changes, so they are parsed once. Callers must not
 * change them.
 */
const readForAll = new LRUCache<string, object>({ max: 4 });

const keptSite = new LRUCache<"site", Site>({ max: 1, ttl: 60_000 });

/** A file that is passed on unread. */
interface PassedOnBody {
  stream: { body: ReadableStream<Uint8Array>; headers: Record<string, string> };
}

type CallInput<Route extends RouteDescription> = RouteInput<Route> &
  (Route extends { rawBodyType: string } ? PassedOnBody : unknown);

/** Makes one call of the API; the argument is optional if the call needs none. */
type Ask<Route extends RouteDescription> = (
  ...input: object extends CallInput<Route> ? [CallInput<Route>?] : [CallInput<Route>]
) => Promise<JsonAnswer<Route>>;

type AskEach<Area> = { [Name in keyof Area]: Area[Name] extends RouteDescription ? Ask<Area[Name]> : never };

/** The most general input of a call. */
interface AnyInput extends Partial<PassedOnBody> {
  parameters?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
}

/**
 * Makes a client for one incoming request. It sends that visitor's cookies and collects the API's `Set-Cookie`. Each call is a function, e.g.
 * `client.clips.detail({ parameters: { id } })`, which throws an `ApiFailure` unless it succeeds.
 */
export function api(request: Request, context: AppLoadContext) {
  const setCookies: string[] = [];

  async function answer(
    { method, path }: Pick<RouteDescription, "method" | "path">,
    headers: Headers,
    { parameters, query, body, stream }: AnyInput,
  ): Promise<Response> {
    const limitMs = stream ? uploadTimeoutMs : timeoutMs;
    const url = new URL(addressOf({ path }, parameters, query), context.apiFetch ? request.url : apiBaseUrl);
    const init: RequestInit & { duplex?: "half" } = { method: method.toUpperCase(), headers, redirect: "manual" };
    if (stream) {
      init.body = stream.body;
      init.duplex = "half";
    } else if (body !== undefined) init.body = JSON.stringify(body);
    let response: Response;
    try {
      response = context.apiFetch
        ? await within(limitMs, context.apiFetch(new Request(url, init)))
        : await fetch(url, { ...init, signal: AbortSignal.timeout(limitMs) });
    } catch (error) {
      throw new ApiFailure(503, null, error instanceof Error ? error.message : String(error));
    }
    setCookies.push(...response.headers.getSetCookie());
    return response;
  }

  function visitorHeaders(): Headers {
    const headers = new Headers({ Accept: "application/json" });
    for (const name of ["Cookie", "User-Agent"]) {
      const value = request.headers.get(name);
      if (value) headers.set(name, value);
    }
    const hops = [request.headers.get("X-Forwarded-For"), context.clientAddress].filter(Boolean);
    if (hops.length > 0) headers.set("X-Forwarded-For", hops.join(", "));
    return headers;
  }

  /** The anti-forgery token, fetched first for a visitor who has none yet. */
  async function addAntiForgeryToken(headers: Headers): Promise<void> {
    let token = decoded(cookieValue(headers.get("Cookie") ?? "", "XSRF-TOKEN"));
    if (!token) {
      const status = await answer(apiRoutes.auth.status, visitorHeaders(), {});
      await status.body?.cancel();
      const given = cookieValue(status.headers.getSetCookie().join("; "), "XSRF-TOKEN");
      if (given) headers.set("Cookie", [headers.get("Cookie"), `XSRF-TOKEN=${given}`].filter(Boolean).join("; "));
      token = decoded(given);
    }
    if (token) headers.set("X-XSRF-TOKEN", token);
  }

  async function call(route: RouteDescription, input: AnyInput): Promise<unknown> {
    const headers = visitorHeaders();
    if (input.body !== undefined) headers.set("Content-Type", "application/json");
    for (const [name, value] of Object.entries(input.stream?.headers ?? {})) headers.set(name, value);
    if (route.method !== "get") {
      assertSameOrigin(request, context.publicOrigin);
      await addAntiForgeryToken(headers);
    }
    const response = await answer(route, headers, input);
    const text = await response.text();
    const mediaBase = context.apiFetch ? "" : apiBaseUrl;
    const isForAll = response.ok && input.query?.public_view === "true";
    const body = isForAll ? parsedForAll(text, mediaBase) : parsedJson(text, mediaBase);
    if (!response.ok) {
      const asked = `${route.method.toUpperCase()} ${addressOf(route, input.parameters, input.query)}`;
      const retryAfter = response.headers.get("retry-after");
      throw new ApiFailure(response.status, body, `${asked}: HTTP ${response.status}`, retryAfter);
    }
    return body;
  }

  function askEach<Area extends Record<string, RouteDescription>>(area: Area): AskEach<Area> {
    // Created on demand: a page uses a few of more than a hundred calls.
    const ask = (_: object, name: string | symbol) => {
      const route = typeof name === "string" ? area[name] : undefined;
      return route && ((input: AnyInput = {}) => call(route, input));
    };
    return new Proxy({}, { get: ask }) as AskEach<Area>;
  }

  const client = {
    auth: askEach(apiRoutes.auth),
    account: askEach(apiRoutes.account),
    tokens: askEach(apiRoutes.tokens),
    automation: askEach(apiRoutes.automation),
    webhooks: askEach(apiRoutes.webhooks),
    matches: askEach(apiRoutes.matches),
    highlights: askEach(apiRoutes.highlights),
    clips: askEach(apiRoutes.clips),
    site: askEach(apiRoutes.site),
    operator: askEach(apiRoutes.operator),
  };
  return {
    ...client,
    /** Headers that carry the API's cookies on to the browser. */
    responseHeaders(initial?: HeadersInit): Headers {
      const headers = new Headers(initial);
      for (const cookie of setCookies) headers.append("Set-Cookie", cookie);
      return headers;
    },
    /** Who is signed in. Without any cookie nobody is, and the API is not asked. */
    async authStatus(): Promise<AuthStatus> {
      if (!request.headers.has("Cookie")) return { authenticated: false, user: null };
      return client.auth.status();
    },
    /** Details of the installation, at most a minute old. */
    async siteDetails(): Promise<Site> {
      const kept = keptSite.get("site");
      if (kept) return kept;
      const details = await client.site.details();
      keptSite.set("site", details);
      return details;
    },
  };
}

export type Api = ReturnType<typeof api>;

/** Rejects when there is no answer within `ms`: a handler in this process cannot be aborted, but a page must not wait for it. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Null when the cookie is not encoded text, since another site of the same domain may have set it. */
function decoded(value: string | null): string | null {
  try {
    return value && decodeURIComponent(value);
  } catch {
    return null;
  }
}

function cookieValue(cookies: string, name: string): string | null {
  for (const cookie of cookies.split(/;\s*/)) {
    const [key, ...value] = cookie.split("=");
    if (key === name && value.length > 0) return value.join("=");
  }
  return null;
}

/** Parses a text, or returns the object that was parsed from the same text before. */
function parsedForAll(text: string, mediaBase: string): unknown {
  const known = readForAll.get(text);
  if (known) return known;
  const body = parsedJson(text, mediaBase);
  if (typeof body === "object" && body !== null) readForAll.set(text, body);
  return body;
}

/** Parses an answer. Paths of videos and pictures get the API's base address if they are served from another origin. */
function parsedJson(text: string, mediaBase: string): unknown {
  if (!text) return null;
  const withBase = (key: string, value: unknown) =>
    mediaFields.has(key) && typeof value === "string" && value.startsWith("/") ? mediaBase + value : value;
  try {
    // A reviver is called for every key, so it is used only if there is an address to add.
    return JSON.parse(text, mediaBase ? withBase : undefined);
  } catch {
    return null;
  }
}
