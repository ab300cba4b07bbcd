import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { sessionLifetimeMs, xsrfTokenOf } from "../accounts/sessions.ts";
import { signInWithinMs } from "../accounts/sign-in-state.ts";
import type { Config } from "../config.ts";
import { sessionCookieName, signInCookieName, xsrfCookie } from "../http/cookie-names.ts";
import type { ApiContext } from "./request-context.ts";

export function readSessionCookie(c: ApiContext): string | undefined {
  return getCookie(c, sessionCookieName(c.get("services").config));
}

export function readSignInCookie(c: ApiContext): string | undefined {
  return getCookie(c, signInCookieName(c.get("services").config));
}

/** Sets the session cookie and the anti-forgery cookie that belongs to it. */
export function setSessionCookies(c: ApiContext, token: string): void {
  const { config } = c.get("services");
  setCookie(c, sessionCookieName(config), token, {
    ...baseOptions(config),
    httpOnly: true,
    maxAge: sessionLifetimeMs / 1000,
  });
  setXsrfCookie(c, xsrfTokenOf(token));
}

/** Sets the anti-forgery cookie if a signed-in browser does not have it. */
export function keepXsrfCookie(c: ApiContext): void {
  const session = c.get("session");
  if (session?.sentBy === "cookie" && getCookie(c, xsrfCookie) !== session.xsrfToken) {
    setXsrfCookie(c, session.xsrfToken);
  }
}

export function clearSessionCookies(c: ApiContext): void {
  const { config } = c.get("services");
  deleteCookie(c, sessionCookieName(config), { ...baseOptions(config), httpOnly: true });
  deleteCookie(c, xsrfCookie, baseOptions(config));
}

/** Marks this browser as the one that began the sign-in, until it is finished. */
export function setSignInCookie(c: ApiContext, browserSecret: string): void {
  const { config } = c.get("services");
  setCookie(c, signInCookieName(config), browserSecret, {
    ...baseOptions(config),
    httpOnly: true,
    maxAge: signInWithinMs / 1000,
  });
}

export function clearSignInCookie(c: ApiContext): void {
  const { config } = c.get("services");
  deleteCookie(c, signInCookieName(config), { ...baseOptions(config), httpOnly: true });
}

function setXsrfCookie(c: ApiContext, token: string): void {
  setCookie(c, xsrfCookie, token, { ...baseOptions(c.get("services").config), maxAge: sessionLifetimeMs / 1000 });
}

/** Lax: browsers send the cookie when the identity provider redirects back, but not with other sites' unsafe calls. */
function baseOptions(config: Pick<Config, "secureCookies">) {
  return { path: "/", sameSite: "Lax", secure: config.secureCookies } as const;
}
