import { redirect } from "@remix-run/node";
import { type LedHere, wayBack } from "../shell/session/way-back.ts";
import { ApiFailure } from "./api-failure.ts";

interface FailureTexts {
  /** Shown when the API gives no sentence. */
  fallback: string;
  /** Always shows the fallback, even if the API gives a sentence. */
  always?: boolean;
  /** Shown instead of the API's sentence for 404. */
  notFound?: string;
  /** For pages that only signed-in visitors may open: others are sent to the home page. */
  signedOut?: Request;
  /** Signing in on the home page leads back to this page. For pages that are opened by address, not from the home page. */
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
  // 503 tells visitors to come back; any other failure of the API is answered as that of a gateway.
  const status = error.status === 503 || (error.status >= 400 && error.status < 500) ? error.status : 502;
  return new Response((!always && error.sentence) || fallback, { status });
}

/** Says why, if the browser still has cookies of a session: its player did not sign out. */
function toStartPage(request: Request, comesBack: boolean): Response {
  const { pathname, search } = new URL(request.url);
  const next = wayBack(pathname + search);
  if (hasSession(request)) return sessionEnded(false, next);
  return redirect(comesBack ? ledToStart("needed", next) : "/");
}

/** The address of the home page that says why a visitor was sent there, and leads on to `next` after signing in. */
const ledToStart = (login: LedHere, next: string) => `/?${new URLSearchParams({ login, next })}`;

/** Whether a browser has the cookies of a session, which may have ended. */
export function hasSession(request: Request): boolean {
  return /(?:^|;\s*)XSRF-TOKEN=/.test(request.headers.get("Cookie") ?? "");
}

/** Failures that the specification only logs. */
export function logFailure(what: string, error: unknown): asserts error is ApiFailure {
  if (!(error instanceof ApiFailure)) throw error;
  console.warn(`${what} ${error.message}`);
}

/**
 * What an action throws when the visitor's session has ended. A page with scripts stays and gets 401; without scripts the visitor is sent to the
 * home page, which says so and leads back after signing in.
 * @param next the page's address with what its form held
 */
export function sessionEnded(isScript: boolean, next: string): Response {
  return isScript ? new Response(null, { status: 401 }) : redirect(ledToStart("ended", next));
}

/**
 * Status of a page that shows a form's failure. If a script sent the form, it gets the failure as data and reloads the data of its page, except
 * when the API is away and that would fail too.
 */
export function formFailureStatus(form: FormData, failure: ApiFailure): number {
  if (form.has("inPlace")) return failure.status >= 502 ? failure.status : 200;
  return failure.status >= 400 && failure.status < 500 ? failure.status : 502;
}
