import type { z } from "zod";
import type { ErrorCode } from "./error-codes.ts";
import type { TokenScope } from "./token-scopes.ts";

export type Method = "get" | "post" | "put" | "delete";

/**
 * Who may call: anybody (the user is known when signed in), signed-in users, or the operators of the configuration. Anybody else is
 * answered as if an operators' call did not exist.
 */
export type RouteAccess = "public" | "signed-in" | "operator";

/** What can go wrong, and its code in the answer. */
export interface RouteError {
  description: string;
  code: ErrorCode;
}

export interface RouteAnswer {
  description: string;
  /** Schema of a JSON answer. Left out for an empty answer. */
  schema?: z.ZodType;
  /** Type of an answer that is not JSON, e.g. `video/mp4`. */
  contentType?: string;
  /** Schema of a JSON file that the handler writes by itself. */
  fileSchema?: z.ZodType;
}

/** A call of the API: everything that the API, its document and the pages' client know about it. */
export interface RouteDescription {
  method: Method;
  /** Has `:name` for parameters and ends in a slash; the same path without that slash is the same call. */
  path: `/${string}`;
  summary: string;
  /** Longer explanation, Markdown. */
  description?: string;
  /** Its heading in the documentation. */
  tag: "Accounts" | "Matches" | "Clips" | "Automatic clips" | "Webhooks" | "Site" | "Operation" | "Operator";
  access: RouteAccess;
  /** A public call that answers everybody even with VIEWING=members: signing in and legal pages need it. */
  forVisitors?: true;
  /**
   * The scope that a token needs for this call; `session`: no token may make it. For the default see `tokenScopeOf`. A public call
   * answers a token without the scope as it answers anybody.
   */
  token?: TokenScope | "session";
  /** Other values are answered with 404: an id that cannot exist does not exist. */
  parameters?: z.ZodObject;
  /** Its `id` names a clip. An unlisted clip is found only by its owner and with its key. */
  namesClip?: true;
  /** Other values are answered with 400, as for `body`. */
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** Type of a body that the handler reads by itself (an uploaded file). */
  rawBodyType?: string;
  /** Allows an unsafe call on a full disk: it stores next to nothing, or checks the disk itself. Deletions are always allowed. */
  onFullDisk?: true;
  /** By status. */
  answers: Readonly<Record<number, RouteAnswer>>;
  /**
   * Further errors by status; a plain text describes an answer without a body. Errors that follow from the other fields (parameters,
   * body, access) are added by `backend/api/possible-errors.ts`.
   */
  errors?: Readonly<Record<number, string | readonly RouteError[]>>;
}

/**
 * The scope that a token needs for a call. By default reading needs `read`, while changes and all settings are for sessions only: a new
 * call is closed to tokens until somebody opens it.
 */
export function tokenScopeOf({ token, method, tag }: RouteDescription): TokenScope | "session" {
  return token ?? (method === "get" && !ofSettings.has(tag) ? "read" : "session");
}

/** Calls of the settings pages and of the operator's page. */
const ofSettings: ReadonlySet<RouteDescription["tag"]> = new Set([
  "Accounts",
  "Automatic clips",
  "Webhooks",
  "Operator",
]);

/** Keeps the exact type of a description, from which the types of handlers and of the client are derived. */
export function describeRoute<const Route extends RouteDescription>(route: Route): Route {
  return route;
}

type Checked<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** The parts of a request, checked, as its handler gets them. */
export interface CheckedRequest<Route extends RouteDescription> {
  parameters: Checked<Route["parameters"]>;
  query: Checked<Route["query"]>;
  body: Checked<Route["body"]>;
}

/** The statuses with which a call answers JSON. */
export type JsonStatus<Route extends RouteDescription> = {
  [Status in keyof Route["answers"]]: Route["answers"][Status] extends { schema: z.ZodType } ? Status : never;
}[keyof Route["answers"]];

/** The JSON value of an answer. */
export type JsonAnswer<Route extends RouteDescription, Status = JsonStatus<Route>> = {
  [Each in keyof Route["answers"]]: Each extends Status
    ? Route["answers"][Each] extends { schema: infer Schema extends z.ZodType }
      ? z.output<Schema>
      : never
    : never;
}[keyof Route["answers"]];

/** A value of this type, already written as JSON. */
export type JsonText<Value> = string & { readonly jsonOf?: Value };

/** `JSON.stringify` that keeps the type of the value. */
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

/** What a caller passes: parameters of the path, query and body, where the call has them. */
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
