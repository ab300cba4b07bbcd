import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { IdentityProvider } from "../accounts/steam-openid.ts";
import type { Services } from "../services.ts";
import type { User } from "../storage/schema.ts";
import type { ConnectionBindings } from "./client-address.ts";

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
  Bindings: ConnectionBindings | undefined;
  Variables: RequestVariables;
}

export type ApiContext = Context<ApiEnvironment>;

/** An answer that is an error: thrown by a route, turned into `{error, detail}` by the one error handler. */
export class ApiError extends Error {
  readonly status: ContentfulStatusCode;
  /** A short code a program can switch on, e.g. `queue_limit`. */
  readonly code: string;
  /** A sentence for a person. */
  readonly detail: string;
  /** Sentences by field of the sent body; they stand in the answer beside `error` and `detail`. */
  readonly fields: Record<string, string[]> | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(
    status: ContentfulStatusCode,
    code: string,
    detail: string,
    more: { fields?: Record<string, string[]>; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.fields = more.fields;
    this.headers = more.headers;
  }

  /** A 400 about one field of the body: `{demo_url: ["…"]}`. */
  static field(name: string, sentence: string): ApiError {
    return new ApiError(400, "invalid", sentence, { fields: { [name]: [sentence] } });
  }

  static diskFull(): ApiError {
    return new ApiError(
      507,
      "disk_full",
      "This server has no disk space left, so nothing new can be stored. Everything is still here to see and to delete.",
    );
  }

  /** Also the answer to what exists but is somebody else's: 403 would tell that it exists. */
  static notFound(detail = "Not found"): ApiError {
    return new ApiError(404, "not_found", detail);
  }
}

/** The signed-in user. @throws ApiError 401 for a signed-out visitor */
export function requireUser(c: ApiContext): User {
  const user = c.get("user");
  if (!user) throw new ApiError(401, "authentication_required", "Authentication required");
  return user;
}
