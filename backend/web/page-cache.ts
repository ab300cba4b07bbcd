import { parse } from "hono/utils/cookie";
import { LRUCache } from "lru-cache";
import { withoutUnreadFields } from "./page-parameters.ts";

/** A rendered page without its nonce, since every visitor gets their own. */
interface CachedPage {
  /** The HTML between the places of the nonce. */
  parts: string[];
  headers: [string, string][];
}

/** One visitor's rendering of a page, which may become the shared one. */
interface Rendering {
  nonce: string;
  render: (nonce: string) => Promise<Response>;
  /** Whether this visitor's rendering was used. */
  hasBegun: boolean;
  /** The response that was rendered for this visitor. */
  response: Response | null;
}

const freshMs = 1000;
const maxPages = 200;

/** Public pages that look the same to all signed-out visitors. */
const sharedPath = /^\/(?:$|clips\/\d+\/?$|users\/\d+\/clips\/?$|highlights\/about\/?$)/;

/** The visitor's time zone for dates: visitors of one zone share a page. */
const timeZoneCookie = "tz";
/** No characters that need quoting; `root.tsx` checks whether the zone exists. */
const timeZone = /^[\w/+-]{1,60}$/;

/**
 * Shares a signed-out page among all who request it within a second: a clip that goes viral is rendered once a second, however many open
 * it. Requests that arrive during rendering wait for it. Only plain 200 HTML pages are shared.
 */
export class PageCache {
  readonly #pages = new LRUCache<string, CachedPage, Rendering>({
    max: maxPages,
    ttl: freshMs,
    // Reading the clock costs less than the timer that would avoid it.
    ttlResolution: 0,
    // A page that is evicted while it is rendered still reaches those who wait for it.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => draw(context),
  });
  readonly #sessionCookie: string;

  /** @param sessionCookie name of the session cookie: requests with it are not shared, and no other cookie matters */
  constructor(sessionCookie: string) {
    this.#sessionCookie = sessionCookie;
  }

  /**
   * @param nonce of this answer
   * @param drawPage renders a page with the given nonce
   */
  async answer(
    request: Request,
    nonce: string,
    drawPage: (request: Request, nonce: string) => Promise<Response>,
  ): Promise<Response> {
    const asked = new URL(request.url);
    const cookies = request.headers.get("cookie") ?? "";
    const isSignedIn = this.#sessionCookie in parse(cookies, this.#sessionCookie);
    if (request.method !== "GET" || !sharedPath.test(asked.pathname) || isSignedIn) return drawPage(request, nonce);
    const zone = parse(cookies, timeZoneCookie)[timeZoneCookie] ?? "";
    const keptCookies = timeZone.test(zone) ? `${timeZoneCookie}=${zone}` : "";
    const savesData = request.headers.get("save-data") === "on";
    const { href } = withoutUnreadFields(asked);
    // The shared page depends on nothing else that this visitor's browser sends.
    const render = (pageNonce: string) => drawPage(requestOf(href, request, keptCookies), pageNonce);
    const rendering: Rendering = { nonce, render, hasBegun: false, response: null };
    try {
      const page = await this.#pages.fetch(`${href} ${keptCookies} ${savesData}`, { context: rendering });
      if (page) return respond(page, nonce);
    } catch (error) {
      // The error is only for the visitor who rendered; those who waited try for themselves.
      if (rendering.hasBegun && !rendering.response) throw error;
    }
    // Not shareable, so visitors must not wait for one another.
    return rendering.response ?? render(nonce);
  }
}

/** @returns what may be shared; undefined stores nothing, so that the next visitor renders anew */
async function draw(rendering: Rendering): Promise<CachedPage | undefined> {
  rendering.hasBegun = true;
  const response = await rendering.render(rendering.nonce);
  const page = await keep(response.clone(), rendering.nonce);
  rendering.response = response;
  return page;
}

/** Leaves out the signal, too: others wait for the page that this visitor may leave. */
function requestOf(address: string, request: Request, cookies: string): Request {
  const headers = new Headers(request.headers);
  headers.delete("cookie");
  if (cookies) headers.set("cookie", cookies);
  return new Request(address, { headers });
}

async function keep(response: Response, nonce: string): Promise<CachedPage | undefined> {
  const isPage = response.status === 200 && response.headers.get("content-type")?.startsWith("text/html");
  if (!isPage || response.headers.has("set-cookie")) return undefined;
  const parts = (await response.text()).split(nonce);
  return { parts, headers: [...response.headers] };
}

function respond(page: CachedPage, nonce: string): Response {
  return new Response(page.parts.join(nonce), { headers: page.headers });
}
