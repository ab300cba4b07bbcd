import type { Config } from "../config.ts";

/** Readable by scripts and the page server, which send it back as X-XSRF-TOKEN. The name is part of the API. */
export const xsrfCookie = "XSRF-TOKEN";

/** Over https the `__Host-` prefix keeps other subdomains from setting a session cookie. */
export function sessionCookieName(config: Pick<Config, "secureCookies">): string {
  return `${config.secureCookies ? "__Host-" : ""}clutchcast_session`;
}

export function signInCookieName(config: Pick<Config, "secureCookies">): string {
  return `${config.secureCookies ? "__Host-" : ""}clutchcast_sign_in`;
}
