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

/** Variables of every API request, set by the middleware of `create-api.ts`. */
export interface RequestVariables {
  services: Services;
  requestId: string;
  /** Null for a signed-out visitor. */
  user: User | null;
  /** The request's session, null when signed out. */
  session: RequestSession | null;
  /** The request's access token if it is valid; then there is no session. */
  token: { id: number; scopes: readonly TokenScope[] } | null;
  /** The token's standing in the current minute; null without a token, and for files, which are counted by network. */
  standing: MinuteStanding | null;
  /** True once the caller was looked up, and the three above are set. */
  isCallerKnown: boolean;
  /** Whether the request has an access token that is not valid. */
  hasBadToken: boolean;
  /** The visitor's address (according to the trusted proxy, if any), "unknown" for a call without a socket. */
  clientAddress: string;
  /** Scheme, host and port at which the visitor reaches this server, without a trailing slash. */
  publicOrigin: string;
  /** Confirms who players are: Steam, or the built-in provider of a machine without a public address. */
  identityProvider: IdentityProvider;
  /** Set when an unlisted clip is reached without its key: the answer is only for its owner, so no shared cache may keep it. */
  isOpenToOwnerAlone?: boolean;
  /** Pattern of the matched route, for logs and metrics. */
  route: string | undefined;
}

export interface RequestSession {
  /** Hash of the session's token, the key of its row. */
  idHash: string;
  /** The required X-XSRF-TOKEN of an unsafe call with the session cookie. */
  xsrfToken: string;
  /** Only a cookie needs the anti-forgery header: browsers send it by themselves, a bearer token is sent on purpose. */
  sentBy: "cookie" | "bearer";
}

export interface ApiEnvironment {
  Bindings: ConnectionBindings & Partial<PageCalls>;
  Variables: RequestVariables;
}

export type ApiContext = Context<ApiEnvironment>;

/** The signed-in operator. @throws ApiError 404 for everybody else, as at an unknown address */
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
