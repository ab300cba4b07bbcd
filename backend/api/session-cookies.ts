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

/** Gives the browser its session and the anti-forgery token that belongs to it. */
export function setSessionCookies(c: ApiContext, token: string): void {
  const { config } = c.get("services");
  setCookie(c, sessionCookieName(config), token, {
    ...baseOptions(config),
    httpOnly: true,
    maxAge: sessionLifetimeMs / 1000,
  });
  setXsrfCookie(c, xsrfTokenOf(token));
}

/** Gives a signed-in browser the anti-forgery token it does not have yet. */
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

/** Remembers, for the time of a sign-in, that this browser started it. */
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

/** Lax: the cookie comes along when the identity provider sends the browser back, and with no call of another site. */
function baseOptions(config: Pick<Config, "secureCookies">) {
  return { path: "/", sameSite: "Lax", secure: config.secureCookies } as const;
}
