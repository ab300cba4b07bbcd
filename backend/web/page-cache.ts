import { parse } from "hono/utils/cookie";
import { LRUCache } from "lru-cache";
import { withoutUnreadFields } from "./page-parameters.ts";

/** A page as it was rendered, its nonce taken out so that every visitor gets one of their own. */
interface CachedPage {
  /** The HTML between the places where the nonce stood. */
  parts: string[];
  headers: [string, string][];
}

/** How a visitor would have the page drawn, if they are the one whose rendering is shared. */
interface Rendering {
  nonce: string;
  render: (nonce: string) => Promise<Response>;
  /** Whether it was this visitor's. */
  hasBegun: boolean;
  /** What was drawn for this visitor. */
  response: Response | null;
}

const freshMs = 1000;
const maxPages = 200;

/** Public pages that look the same to everybody who is signed out. */
const sharedPath = /^\/(?:$|clips\/\d+\/?$|users\/\d+\/clips\/?$|highlights\/about\/?$)/;

/** The visitor's time zone, in which dates are written: visitors of one zone share a page. */
const timeZoneCookie = "tz";
/** Nothing that would need to be quoted where it is passed on; `root.tsx` finds out whether there is such a zone. */
const timeZone = /^[\w/+-]{1,60}$/;

/**
 * Shares a signed-out page among all who ask within a second: a clip that goes viral is rendered once a second, however many
 * open it. Requests that arrive while it is rendered wait for it. Anything but a plain 200 HTML page passes through.
 */
export class PageCache {
  readonly #pages = new LRUCache<string, CachedPage, Rendering>({
    max: maxPages,
    ttl: freshMs,
    // A look at the clock costs less than the timer that would save the next one.
    ttlResolution: 0,
    // Whoever waits for a page that gave way to newer ones gets it all the same.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => draw(context),
  });
  readonly #sessionCookie: string;

  /** @param sessionCookie name of the cookie of those who are signed in: with it, and no other, a page is one's own */
  constructor(sessionCookie: string) {
    this.#sessionCookie = sessionCookie;
  }

  /**
   * @param nonce of this answer
   * @param drawPage draws a page with the nonce it is given
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
    // What others get to see depends on nothing else that this visitor's browser sends.
    const render = (pageNonce: string) => drawPage(requestOf(href, request, keptCookies), pageNonce);
    const rendering: Rendering = { nonce, render, hasBegun: false, response: null };
    try {
      const page = await this.#pages.fetch(`${href} ${keptCookies} ${savesData}`, { context: rendering });
      if (page) return respond(page, nonce);
    } catch (error) {
      // Only who had it drawn is told; those who waited try for themselves.
      if (rendering.hasBegun && !rendering.response) throw error;
    }
    // Not shareable: waiting for one another would make visitors queue.
    return rendering.response ?? render(nonce);
  }
}

/** @returns what others may see of it; undefined keeps nothing, so that the page is not in the way of the next visitor */
async function draw(rendering: Rendering): Promise<CachedPage | undefined> {
  rendering.hasBegun = true;
  const response = await rendering.render(rendering.nonce);
  const page = await keep(response.clone(), rendering.nonce);
  rendering.response = response;
  return page;
}

/** Without its signal, too: others wait for the page that this visitor may leave. */
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
