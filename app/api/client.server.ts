import type {
  AuthStatus,
  Clip,
  ClipDetail,
  ClipsOverview,
  CreateClip,
  Match,
  MatchDetail,
  MatchList,
  ProcessingState,
  Site,
  TopHighlights,
  UserClips,
} from "../../contract/api.ts";
import type { AppLoadContext } from "../load-context.ts";
import { ApiFailure } from "./api-failure.ts";
import { apiBaseUrl } from "./environment.server.ts";
import { assertSameOrigin } from "./same-origin.server.ts";

const timeoutMs = 15_000;
const uploadTimeoutMs = 60 * 60_000;
const siteKeptMs = 60_000;

let keptSite: { site: Site; until: number } | null = null;

interface Call {
  method?: "GET" | "POST" | "DELETE";
  json?: unknown;
  /** A body passed on as it comes, with its content type. */
  stream?: { body: ReadableStream<Uint8Array>; headers: Record<string, string> };
}

/** A fresh client for one incoming request: it speaks with that visitor's cookies and collects the API's `Set-Cookie`. */
export function api(request: Request, context: AppLoadContext) {
  const setCookies: string[] = [];

  async function answer(path: string, headers: Headers, { method = "GET", json, stream }: Call): Promise<Response> {
    const limitMs = stream ? uploadTimeoutMs : timeoutMs;
    const url = new URL(path, context.apiFetch ? request.url : apiBaseUrl);
    const init: RequestInit & { duplex?: "half" } = { method, headers, redirect: "manual" };
    if (stream) {
      init.body = stream.body;
      init.duplex = "half";
    } else if (json !== undefined) init.body = JSON.stringify(json);
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
    let token = cookieValue(headers.get("Cookie") ?? "", "XSRF-TOKEN");
    if (!token) {
      const status = await answer("/api/auth/status/", visitorHeaders(), {});
      await status.body?.cancel();
      token = cookieValue(status.headers.getSetCookie().join("; "), "XSRF-TOKEN");
      if (token) headers.set("Cookie", [headers.get("Cookie"), `XSRF-TOKEN=${token}`].filter(Boolean).join("; "));
    }
    if (token) headers.set("X-XSRF-TOKEN", decodeURIComponent(token));
  }

  async function call<T>(path: string, options: Call = {}): Promise<T> {
    const headers = visitorHeaders();
    if (options.json !== undefined) headers.set("Content-Type", "application/json");
    for (const [name, value] of Object.entries(options.stream?.headers ?? {})) headers.set(name, value);
    if (options.method && options.method !== "GET") {
      assertSameOrigin(request, context.publicOrigin);
      await addAntiForgeryToken(headers);
    }
    const response = await answer(path, headers, options);
    const text = await response.text();
    const body = parsedJson(text, context.apiFetch ? "" : apiBaseUrl);
    if (!response.ok) {
      throw new ApiFailure(
        response.status,
        body ?? null,
        `${options.method ?? "GET"} ${path}: HTTP ${response.status}`,
      );
    }
    return body as T;
  }

  const id = encodeURIComponent;
  const page = (limit: number, offset: number) => `?limit=${limit}&offset=${offset}`;

  return {
    /** Headers that carry the API's cookies on to the browser. */
    responseHeaders(initial?: HeadersInit): Headers {
      const headers = new Headers(initial);
      for (const cookie of setCookies) headers.append("Set-Cookie", cookie);
      return headers;
    },
    async site(): Promise<Site> {
      if (!keptSite || keptSite.until < Date.now()) {
        keptSite = { site: await call<Site>("/api/site/"), until: Date.now() + siteKeptMs };
      }
      return keptSite.site;
    },
    auth: {
      /** Signed out without asking when the visitor sends no cookie at all. */
      async status(): Promise<AuthStatus> {
        if (!request.headers.has("Cookie")) return { authenticated: false, user: null };
        return call("/api/auth/status/");
      },
      /** @param next page to show afterwards */
      startSteamLogin: (next: string) =>
        call<{ auth_url: string }>(`/api/auth/steam/login/?${new URLSearchParams({ next })}`),
      logout: () => call<unknown>("/api/auth/logout/", { method: "POST" }),
      /** Ends the sessions of all devices. */
      logoutEverywhere: () => call<unknown>("/api/auth/logout-everywhere/", { method: "POST" }),
    },
    matches: {
      list: (limit: number, offset: number) => call<MatchList>(`/api/matches/${page(limit, offset)}`),
      detail: (matchId: string) => call<MatchDetail>(`/api/matches/${id(matchId)}/?include_players=true`),
      status: (matchId: string) => call<ProcessingState>(`/api/matches/${id(matchId)}/status/`),
      checkDemoProcessing: (match: { demo_url: string; leetify_match_id: string | null }) =>
        call<ProcessingState>("/api/matches/check-demo-processing/", { method: "POST", json: match }),
      importDemoUrl: (demoUrl: string) =>
        call<Match>("/api/matches/upload-demo/", { method: "POST", json: { demo_url: demoUrl } }),
      importDemoFile: (body: ReadableStream<Uint8Array>, headers: Record<string, string>) =>
        call<Match>("/api/matches/upload-file/", { method: "POST", stream: { body, headers } }),
      importSample: () => call<Match>("/api/matches/import-sample/", { method: "POST" }),
      importRecent: (match: Record<string, unknown>) =>
        call<unknown>("/api/matches/import-recent-match/", { method: "POST", json: match }),
      retry: (matchId: string) => call<Match>(`/api/matches/${id(matchId)}/retry/`, { method: "POST" }),
      remove: (matchId: string) => call<unknown>(`/api/matches/${id(matchId)}/delete/`, { method: "DELETE" }),
      clips: (matchId: string) => call<Clip[]>(`/api/matches/${id(matchId)}/clips/`),
      createClip: (matchId: string, clip: CreateClip) =>
        call<Clip>(`/api/matches/${id(matchId)}/clips/create/`, { method: "POST", json: clip }),
    },
    clips: {
      own: (limit: number, offset: number) => call<ClipsOverview>(`/api/matches/clips/${page(limit, offset)}`),
      detail: (clipId: number) => call<ClipDetail>(`/api/matches/clips/${clipId}/`),
      status: (clipId: number) => call<Clip>(`/api/matches/clips/${clipId}/status/`),
      remove: (clipId: number) => call<unknown>(`/api/matches/clips/${clipId}/delete/`, { method: "DELETE" }),
      like: (clipId: number) =>
        call<{ liked: boolean; likes_count: number }>(`/api/matches/clips/${clipId}/like/`, { method: "POST" }),
      view: (clipId: number) => call<{ views_count: number }>(`/api/matches/clips/${clipId}/view/`, { method: "POST" }),
      top: () => call<TopHighlights>("/api/top-highlights/"),
    },
    users: {
      clips: (steamId: string, limit: number, offset: number) =>
        call<UserClips>(`/api/matches/users/${id(steamId)}/clips/${page(limit, offset)}`),
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

function cookieValue(cookies: string, name: string): string | null {
  for (const cookie of cookies.split(/;\s*/)) {
    const [key, ...value] = cookie.split("=");
    if (key === name && value.length > 0) return value.join("=");
  }
  return null;
}

/** Parses an answer; paths of videos and pictures get the API's base address where they are served from another origin. */
function parsedJson(text: string, mediaBase: string): unknown {
  if (!text) return null;
  const withBase = (key: string, value: unknown) =>
    ["video_url", "poster_url", "thumbnail_url"].includes(key) && typeof value === "string" && value.startsWith("/")
      ? mediaBase + value
      : value;
  try {
    // A reviver is called for every key: only where there is something to add.
    return JSON.parse(text, mediaBase ? withBase : undefined);
  } catch {
    return null;
  }
}
