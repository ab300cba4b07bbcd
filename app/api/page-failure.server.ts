import { redirect } from "@remix-run/node";
import { type LedHere, wayBack } from "../shell/session/way-back.ts";
import { ApiFailure } from "./api-failure.ts";

interface FailureTexts {
  /** Shown when the API gives no sentence. */
  fallback: string;
  /** Show the fallback whatever the API says. */
  always?: boolean;
  /** Shown instead of the API's sentence for 404. */
  notFound?: string;
  /** Of a page that only the signed-in may open: others are sent to the start page. */
  signedOut?: Request;
  /** Of a page by itself, not of one that everybody comes to from the start page: who signs in there comes back to it. */
  comesBack?: boolean;
}

/**
 * Turns a failed API call into what a loader throws: a redirect for signed-out visitors, else a Response whose body is the
 * sentence that the route's error boundary shows.
 */
export function pageFailure(
  error: unknown,
  { fallback, always, notFound, signedOut, comesBack = false }: FailureTexts,
): unknown {
  if (!(error instanceof ApiFailure)) return error;
  if (error.status === 401 && signedOut) return toStartPage(signedOut, comesBack);
  if (error.status === 404 && notFound) return new Response(notFound, { status: 404 });
  // 503 says that it is worth coming back; what else fails behind this page is its gateway's fault.
  const status = error.status === 503 || (error.status >= 400 && error.status < 500) ? error.status : 502;
  return new Response((!always && error.sentence) || fallback, { status });
}

/** With a word for a browser that still has what a session left: its player did not sign out. */
function toStartPage(request: Request, comesBack: boolean): Response {
  const { pathname, search } = new URL(request.url);
  const next = wayBack(pathname + search);
  if (hasSession(request)) return sessionEnded(false, next);
  return redirect(comesBack ? ledToStart("needed", next) : "/");
}

/** The start page, which says why a visitor is there, and from which signing in leads on to `next`. */
const ledToStart = (login: LedHere, next: string) => `/?${new URLSearchParams({ login, next })}`;

/** Whether a browser has what comes with a session; the session itself may have ended. */
export function hasSession(request: Request): boolean {
  return /(?:^|;\s*)XSRF-TOKEN=/.test(request.headers.get("Cookie") ?? "");
}

/** Failures that the specification only logs. */
export function logFailure(what: string, error: unknown): asserts error is ApiFailure {
  if (!(error instanceof ApiFailure)) throw error;
  console.warn(`${what} ${error.message}`);
}

/**
 * What an action throws at a visitor whose session has ended. A script keeps its page and hears 401; without one the start page
 * says so, and signing in there leads back.
 * @param next the page's address with what its form held
 */
export function sessionEnded(isScript: boolean, next: string): Response {
  return isScript ? new Response(null, { status: 401 }) : redirect(ledToStart("ended", next));
}

/**
 * Status of a page that shows a form's failure; a script that sent the form gets the failure as plain data, and loads its page's
 * data anew unless the API is away, when that would fail too.
 */
export function formFailureStatus(form: FormData, failure: ApiFailure): number {
  if (form.has("inPlace")) return failure.status >= 502 ? failure.status : 200;
  return failure.status >= 400 && failure.status < 500 ? failure.status : 502;
}
