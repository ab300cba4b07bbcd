import type { Config } from "../config.ts";

export interface PageSecurity {
  /** Nonce of the page's inline scripts; without it none runs. */
  nonce?: string;
  /** For pages that other sites may show in frames: the embedded player. */
  embeddable?: boolean;
}

/**
 * Headers that harden every answer. The Referrer-Policy is deliberately same-origin: with `no-referrer`, the usual default, browsers send
 * `Origin: null` with form navigations, so that every form without JavaScript is refused (measured, Remix 2.17).
 */
export function securityHeaders(
  config: Pick<Config, "secureCookies" | "HSTS_INCLUDE_SUBDOMAINS">,
): Record<string, string> {
  const subdomains = config.HSTS_INCLUDE_SUBDOMAINS ? "; includeSubDomains" : "";
  return {
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Permitted-Cross-Domain-Policies": "none",
    ...(config.secureCookies ? { "Strict-Transport-Security": `max-age=31536000${subdomains}` } : {}),
  };
}

/** The CSP of API answers: nothing may load or run. */
export const apiContentSecurityPolicy =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * The Content-Security-Policy of a page. Pictures may come from any https address, because avatars are Steam's. So may videos: with an S3
 * store they have its signed addresses.
 */
export function pageContentSecurityPolicy(
  config: Pick<Config, "steamOpenIdUrl" | "S3_ENDPOINT">,
  { nonce, embeddable = false }: PageSecurity = {},
): string {
  // Browsers also apply form-action to the redirect after a form, and signing in redirects to the identity provider.
  const identityProvider = new URL(config.steamOpenIdUrl).origin;
  const store = config.S3_ENDPOINT && URL.canParse(config.S3_ENDPOINT) ? [new URL(config.S3_ENDPOINT).origin] : [];
  return [
    "default-src 'self'",
    `script-src 'self'${nonce ? ` 'nonce-${nonce}'` : ""}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: https: ${store.join(" ")}`.trim(),
    `media-src 'self' blob: https: ${store.join(" ")}`.trim(),
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    `form-action 'self' ${identityProvider}`,
    `frame-ancestors ${embeddable ? "*" : "'self'"}`,
  ].join("; ");
}

/** X-Frame-Options for browsers without frame-ancestors; none on embeddable pages. */
export function frameOptions({ embeddable = false }: PageSecurity = {}): Record<string, string> {
  return embeddable ? {} : { "X-Frame-Options": "SAMEORIGIN" };
}
