import { parse } from "hono/utils/cookie";

/** A page as it was rendered, its nonce taken out so that every visitor gets one of their own. */
interface CachedPage {
  /** The HTML between the places where the nonce stood. */
  parts: string[];
  headers: [string, string][];
  madeAt: number;
}

const freshMs = 1000;
const mostPages = 200;

/** Public pages that look the same to everybody who is signed out. */
const sharedPath = /^\/(?:$|clips\/\d+\/?$|users\/\d+\/clips\/?$|highlights\/about\/?$)/;

/** The visitor's time zone, in which dates are written: visitors of one zone share a page. */
const timeZoneCookie = /(?:^|;\s*)(tz=[\w%/+-]{1,60})(?:;|$)/;

/**
 * Shares a signed-out page among all who ask within a second: a clip that goes viral is rendered once a second, however many
 * open it. Requests that arrive while it is rendered wait for it. Anything but a plain 200 HTML page passes through.
 */
export class PageCache {
  readonly #pages = new Map<string, Promise<CachedPage | null>>();
  readonly #sessionCookie: string;

  /** @param sessionCookie name of the cookie of those who are signed in: with it, and no other, a page is one's own */
  constructor(sessionCookie: string) {
    this.#sessionCookie = sessionCookie;
  }

  /**
   * @param nonce of this answer
   * @param draw draws a page with the nonce it is given
   */
  async answer(
    request: Request,
    nonce: string,
    draw: (request: Request, nonce: string) => Promise<Response>,
  ): Promise<Response> {
    const url = new URL(request.url);
    const cookies = request.headers.get("cookie") ?? "";
    const isSignedIn = this.#sessionCookie in parse(cookies, this.#sessionCookie);
    if (request.method !== "GET" || !sharedPath.test(url.pathname) || isSignedIn) return draw(request, nonce);
    const timeZone = timeZoneCookie.exec(cookies)?.[1] ?? "";
    const key = `${url.href} ${timeZone}`;
    // What others get to see depends on nothing else that this visitor's browser sends.
    const render = (pageNonce: string) => draw(withCookies(request, timeZone), pageNonce);
    const kept = this.#pages.get(key);
    if (kept) {
      const known = await kept.catch(() => null);
      // Not shareable: waiting for one another would make visitors queue.
      if (!known) return render(nonce);
      if (performance.now() - known.madeAt < freshMs) return respond(known, nonce);
      // Whoever finds it stale first takes it away; those behind them wait for the new one.
      if (this.#pages.get(key) === kept) this.#pages.delete(key);
      return this.answer(request, nonce, draw);
    }

    let rendered: Response | null = null;
    const pending = render(nonce).then(async (response) => {
      const page = await keep(response.clone(), nonce);
      rendered = response;
      return page;
    });
    this.#pages.set(key, pending);
    if (this.#pages.size > mostPages) this.#pages.delete(this.#pages.keys().next().value ?? "");
    // A page that cannot be shared must not stay in the way of the next visitor, nor one that failed.
    const forget = () => this.#pages.get(key) === pending && this.#pages.delete(key);
    try {
      const page = await pending;
      if (page) return respond(page, nonce);
      forget();
    } catch (error) {
      forget();
      throw error;
    }
    return rendered ?? render(nonce);
  }
}

/** Without its signal, too: others wait for the page that this visitor may leave. */
function withCookies(request: Request, cookies: string): Request {
  const headers = new Headers(request.headers);
  headers.delete("cookie");
  if (cookies) headers.set("cookie", cookies);
  return new Request(request.url, { headers });
}

async function keep(response: Response, nonce: string): Promise<CachedPage | null> {
  const isPage = response.status === 200 && response.headers.get("content-type")?.startsWith("text/html");
  if (!isPage || response.headers.has("set-cookie")) return null;
  const parts = (await response.text()).split(nonce);
  return { parts, headers: [...response.headers], madeAt: performance.now() };
}

function respond(page: CachedPage, nonce: string): Response {
  return new Response(page.parts.join(nonce), { headers: page.headers });
}
