import type { Context } from "hono";
import type { TokenScope } from "../../contract/token-scopes.ts";
import { isOperator } from "../accounts/is-operator.ts";
import type { IdentityProvider } from "../accounts/steam-openid.ts";
import type { ConnectionBindings } from "../http/client-address.ts";
import type { PageCalls } from "../http/page-calls.ts";
import type { MinuteStanding } from "../http/request-minute.ts";
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
  /** The access token the request came with, null without one that is good. Then there is no session. */
  token: { id: number; scopes: readonly TokenScope[] } | null;
  /** How the token stands in its minute; null without one, and where files are asked for, which are counted by network. */
  standing: MinuteStanding | null;
  /** Whether was looked who asks, in which case the three above say so. */
  isCallerKnown: boolean;
  /** Whether it came with an access token that opens nothing. */
  hasBadToken: boolean;
  /** Address of the visitor (behind a trusted proxy: what the proxy says), "unknown" for a call without a socket. */
  clientAddress: string;
  /** Scheme, host and port under which the visitor reaches this server, without a slash at the end. */
  publicOrigin: string;
  /** Who vouches for players: Steam, or the built-in provider of a machine without a public address. */
  identityProvider: IdentityProvider;
  /** Set where an unlisted clip is reached without its key: the answer is its owner's, and no shared cache's to keep. */
  isOpenToOwnerAlone?: boolean;
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
  Bindings: ConnectionBindings & Partial<PageCalls>;
  Variables: RequestVariables;
}

export type ApiContext = Context<ApiEnvironment>;

/** The signed-in user, an operator. @throws ApiError 404 for everybody else, as an address at which there is nothing */
export function requireOperator(c: ApiContext): User {
  const user = c.get("user");
  if (!user || !isOperator(c.get("services").config, user.steam_id)) throw ApiError.nothingHere();
  return user;
}

/** The signed-in user. @throws ApiError 401 for a signed-out visitor */
export function requireUser(c: ApiContext): User {
  const user = c.get("user");
  if (!user) throw ApiError.signedOut();
  return user;
}
