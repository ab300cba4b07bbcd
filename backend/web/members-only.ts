import { parse } from "hono/utils/cookie";
import { limits } from "../../contract/limits.ts";
import { findSession } from "../accounts/sessions.ts";
import { sessionCookieName } from "../http/cookie-names.ts";
import type { Services } from "../services.ts";
import { refusalPage } from "./refusal-page.ts";

/** Pages for everybody even with VIEWING=members: signing in, legal pages, and robots.txt. */
const openPages = /^\/(?:login|logout|session|imprint|privacy|terms|robots\.txt)?\/?$/;

const sentence = "This server is for its members: please sign in.";

/**
 * With VIEWING=members, the answer to a page request of a visitor who is not signed in.
 * @returns null when the page may be shown
 */
export async function refuseNonMember(services: Services, request: Request): Promise<Response | null> {
  const url = new URL(request.url);
  const isOfScript = url.pathname.endsWith(dataEnding);
  const pathname = isOfScript ? pageOf(url.pathname) : url.pathname;
  if (openPages.test(pathname)) return null;
  const name = sessionCookieName(services.config);
  const token = parse(request.headers.get("cookie") ?? "", name)[name];
  if (token && (await findSession(services, token))) return null;
  if (!isOfScript && !/text\/html/.test(request.headers.get("accept") ?? ""))
    return refusalPage(request, 401, sentence);
  for (const word of routerWords) url.searchParams.delete(word);
  const asked = url.searchParams.size > 0 ? `${pathname}?${url.searchParams}` : pathname;
  const next = asked.length <= limits.wayBackCharacters ? asked : pathname;
  const start = `/?${new URLSearchParams({ login: "members", next })}`;
  return isOfScript ? scriptRedirect(request.method, start) : pageRedirect(start);
}

/** Paths with this ending are requests of an open page's router, for data or from a form (single fetch). */
const dataEnding = ".data";

/** Fields that the router adds to an address. */
const routerWords = ["_routes", "index"];

const pageOf = (path: string) => path.slice(0, -dataEnding.length).replace(/^\/_root$/, "/");

function pageRedirect(to: string): Response {
  return new Response(null, { status: 302, headers: { Location: to, "Cache-Control": "no-store" } });
}

/**
 * The redirect for a page whose session ended while it was open, in the format of Remix 2.17.5: a list of values by turbo-stream, in which
 * numbers are indexes into that list. It reloads the whole page, since the signed-in user has changed.
 */
function scriptRedirect(method: string, to: string): Response {
  const values = ["redirect", to, "status", 302, "reload", true];
  const list =
    method === "GET"
      ? [["SingleFetchRedirect", 1], { _2: 3, _4: 5, _6: 7 }, ...values]
      : [{ _1: 2, _3: 4, _5: 6 }, ...values];
  return new Response(`${JSON.stringify(list)}\n`, {
    status: 202,
    headers: { "Content-Type": "text/x-script", "X-Remix-Response": "yes", "Cache-Control": "no-store" },
  });
}
