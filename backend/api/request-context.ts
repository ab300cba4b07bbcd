import type { Context } from "hono";
import type { IdentityProvider } from "../accounts/steam-openid.ts";
import type { ConnectionBindings } from "../http/client-address.ts";
import type { Services } from "../services.ts";
import type { User } from "../storage/schema.ts";
import { ApiError } from "./api-error.ts";

/** What every request of the API carries; set by the middleware of `create-api.ts`. */
export interface RequestVariables {
  services: Services;
  requestId: string;
  /** Null for a signed-out visitor. */
  user: User | null;
  /** The session the request came with, null when signed out. */
  session: RequestSession | null;
  /** Address of the visitor (behind a trusted proxy: what the proxy says), "unknown" for a call without a socket. */
  clientAddress: string;
  /** Scheme, host and port under which the visitor reaches this server, without a slash at the end. */
  publicOrigin: string;
  /** Who vouches for players: Steam, or the built-in provider of a machine without a public address. */
  identityProvider: IdentityProvider;
  /** Path of the matched route with its parameters' names, for logs and metrics. */
  route: string | undefined;
}

export interface RequestSession {
  /** Hash of the session id, the key of its row. */
  idHash: string;
  /** What X-XSRF-TOKEN has to be for an unsafe call with the session cookie. */
  xsrfToken: string;
  /** A bearer token is sent on purpose, a cookie by the browser on its own: only the latter needs the anti-forgery header. */
  sentBy: "cookie" | "bearer";
}

export interface ApiEnvironment {
  Bindings: ConnectionBindings;
  Variables: RequestVariables;
}

export type ApiContext = Context<ApiEnvironment>;

/** The signed-in user. @throws ApiError 401 for a signed-out visitor */
export function requireUser(c: ApiContext): User {
  const user = c.get("user");
  if (!user) throw new ApiError(401, "authentication_required", "Authentication required");
  return user;
}
