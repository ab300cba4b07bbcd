import type { AppLoadContext } from "@remix-run/node";

/** What the server hands to loaders and actions. Empty when the pages run alone (`remix-serve` with API_BASE_URL). */
export interface LoadContext {
  /** The API's own handler: a call without a socket. Absent: calls go to API_BASE_URL. */
  apiFetch?: (request: Request) => Promise<Response>;
  /** Address of the visitor's connection, for view counts and rate limits. */
  clientAddress?: string | undefined;
  /** Scheme, host and port under which visitors reach the pages. Absent: those of the request. */
  publicOrigin?: string;
  /** Nonce of the page's Content-Security-Policy, when the server sends one. */
  nonce?: string;
}

declare module "@remix-run/server-runtime" {
  interface AppLoadContext extends LoadContext {}
}

export type { AppLoadContext };
