import type { z } from "zod";
import type { ErrorCode } from "./error-codes.ts";
import type { TokenScope } from "./token-scopes.ts";

export type Method = "get" | "post" | "delete";

/**
 * Who may call: anybody, with the user known when signed in; signed-in users alone; or the operators of the configuration, for all
 * others there is no such call.
 */
export type RouteAccess = "public" | "signed-in" | "operator";

/** What goes wrong, and the code that says so in the answer. */
export interface RouteError {
  description: string;
  code: ErrorCode;
}

export interface RouteAnswer {
  description: string;
  /** Of a JSON answer. Leave it out for an empty answer. */
  schema?: z.ZodType;
  /** For an answer that is not JSON, e.g. `video/mp4`. */
  contentType?: string;
  /** Of a file in JSON, which its handler writes by itself. */
  fileSchema?: z.ZodType;
}

/** A call of the API: all that the API, its document and the pages' client know of it. */
export interface RouteDescription {
  method: Method;
  /** With `:name` for parameters and a slash at the end; the call without that slash is the same call. */
  path: `/${string}`;
  summary: string;
  /** Longer explanation, Markdown. */
  description?: string;
  /** Heading it stands under in the documentation. */
  tag: "Accounts" | "Matches" | "Clips" | "Automatic clips" | "Webhooks" | "Site" | "Operation" | "Operator";
  access: RouteAccess;
  /** A public call that answers everybody also where only members may look (VIEWING=members): what signing in and legal pages need. */
  forVisitors?: true;
  /**
   * The scope with which a token may make this call; `session`: none may. Left out, see `tokenScopeOf`. A public call answers a token
   * without its scope as it answers anybody.
   */
  token?: TokenScope | "session";
  /** What does not fit answers 404: an id that cannot exist does not exist. */
  parameters?: z.ZodObject;
  /** Its `id` names a clip: an unlisted one is there only for its owner and for who gives its key. */
  namesClip?: true;
  /** What does not fit answers 400. */
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** For a body the handler reads on its own (an uploaded file). */
  rawBodyType?: string;
  /** An unsafe call, other than a deletion, that is possible on a full disk: it changes next to nothing, or looks itself. */
  onFullDisk?: true;
  /** By status. */
  answers: Readonly<Record<number, RouteAnswer>>;
  /**
   * What else goes wrong, by status; a text alone of an answer without a body. Errors that come of what is said above (its parameters, its
   * body, who may call) are added (`backend/api/possible-errors.ts`).
   */
  errors?: Readonly<Record<number, string | readonly RouteError[]>>;
}

/**
 * What a token needs for a call. What only reads needs `read`; what changes something, and all of the settings, is for sessions alone
 * unless the call says otherwise: a new one is closed to tokens until somebody opens it.
 */
export function tokenScopeOf({ token, method, tag }: RouteDescription): TokenScope | "session" {
  return token ?? (method === "get" && !ofSettings.has(tag) ? "read" : "session");
}

/** What is set on the pages of the settings and tells of it, and the operator's page. */
const ofSettings: ReadonlySet<RouteDescription["tag"]> = new Set([
  "Accounts",
  "Automatic clips",
  "Webhooks",
  "Operator",
]);

/** Keeps the exact type of a description, from which handlers and the client get theirs. */
export function describeRoute<const Route extends RouteDescription>(route: Route): Route {
  return route;
}

type Checked<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** What a handler is given of a request, once it is checked. */
export interface CheckedRequest<Route extends RouteDescription> {
  parameters: Checked<Route["parameters"]>;
  query: Checked<Route["query"]>;
  body: Checked<Route["body"]>;
}

/** The statuses with which a call answers JSON. */
export type JsonStatus<Route extends RouteDescription> = {
  [Status in keyof Route["answers"]]: Route["answers"][Status] extends { schema: z.ZodType } ? Status : never;
}[keyof Route["answers"]];

/** The JSON of an answer. */
export type JsonAnswer<Route extends RouteDescription, Status = JsonStatus<Route>> = {
  [Each in keyof Route["answers"]]: Each extends Status
    ? Route["answers"][Each] extends { schema: infer Schema extends z.ZodType }
      ? z.output<Schema>
      : never
    : never;
}[keyof Route["answers"]];

/** JSON of a value of this type that is written already. */
export type JsonText<Value> = string & { readonly jsonOf?: Value };

/** `JSON.stringify` that remembers of what. */
export function jsonText<Value>(value: Value): JsonText<Value> {
  return JSON.stringify(value);
}

type Shape<Schema> = Schema extends z.ZodObject<infer Fields> ? Fields : never;

type PathInput<Schema> = Schema extends z.ZodObject
  ? { parameters: { [Name in keyof Shape<Schema>]: string | number } }
  : unknown;

type QueryInput<Schema> = Schema extends z.ZodObject
  ? { query?: { [Name in keyof Shape<Schema>]?: string | number | boolean | undefined } }
  : unknown;

type BodyInput<Schema> = Schema extends z.ZodObject ? { body: z.input<Schema> } : unknown;

/** What a caller gives: the parameters of the path, of the query, and the body, where the call has them. */
export type RouteInput<Route extends RouteDescription> = PathInput<Route["parameters"]> &
  QueryInput<Route["query"]> &
  BodyInput<Route["body"]>;

/** Path and query of a call. */
export function addressOf(
  route: Pick<RouteDescription, "path">,
  parameters: Readonly<Record<string, string | number>> = {},
  query: Readonly<Record<string, string | number | boolean | undefined>> = {},
): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ""));
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] satisfies [string, string]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
