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

/** What of an answer is the address of a file. */
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
 * Long answers that everybody gets alike, by their text: what is written once, as long as nothing in it changes, is read once as well. Whoever
 * is given them changes nothing in them.
 */
const readForAll = new LRUCache<string, object>({ max: 4 });

const keptSite = new LRUCache<"site", Site>({ max: 1, ttl: 60_000 });

/** Of a file that is passed on as it comes. */
interface PassedOnBody {
  stream: { body: ReadableStream<Uint8Array>; headers: Record<string, string> };
}

type CallInput<Route extends RouteDescription> = RouteInput<Route> &
  (Route extends { rawBodyType: string } ? PassedOnBody : unknown);

/** Asks one call of the API; without an argument where the call needs none. */
type Ask<Route extends RouteDescription> = (
  ...input: object extends CallInput<Route> ? [CallInput<Route>?] : [CallInput<Route>]
) => Promise<JsonAnswer<Route>>;

type AskEach<Area> = { [Name in keyof Area]: Area[Name] extends RouteDescription ? Ask<Area[Name]> : never };

/** What any call may be given. */
interface AnyInput extends Partial<PassedOnBody> {
  parameters?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
}

/**
 * A fresh client for one incoming request: it speaks with that visitor's cookies and collects the API's `Set-Cookie`. Each call
 * is a function, e.g. `client.clips.detail({ parameters: { id } })`, that throws an `ApiFailure` for an answer that is no success.
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
    // Made when it is asked for: a page makes a few of more than a hundred calls.
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
    /** Who is signed in: nobody, without asking, when the visitor sends no cookie at all. */
    async authStatus(): Promise<AuthStatus> {
      if (!request.headers.has("Cookie")) return { authenticated: false, user: null };
      return client.auth.status();
    },
    /** Of the installation, as it was within the last minute. */
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

/** An answer, or an error once `ms` have passed: a handler in this process cannot be aborted, but a page must not wait for it. */
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

/** null for what is no encoded text, as another site of the same domain may have set it. */
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

/** The same object for the same text. */
function parsedForAll(text: string, mediaBase: string): unknown {
  const known = readForAll.get(text);
  if (known) return known;
  const body = parsedJson(text, mediaBase);
  if (typeof body === "object" && body !== null) readForAll.set(text, body);
  return body;
}

/** Parses an answer; paths of videos and pictures get the API's base address where they are served from another origin. */
function parsedJson(text: string, mediaBase: string): unknown {
  if (!text) return null;
  const withBase = (key: string, value: unknown) =>
    mediaFields.has(key) && typeof value === "string" && value.startsWith("/") ? mediaBase + value : value;
  try {
    // A reviver is called for every key: only where there is something to add.
    return JSON.parse(text, mediaBase ? withBase : undefined);
  } catch {
    return null;
  }
}
