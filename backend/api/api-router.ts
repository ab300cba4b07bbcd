import type { Hono } from "hono";
import { z } from "zod";
import type { User } from "../storage/schema.ts";
import { ApiError } from "./api-error.ts";
import { parseBody, parseQuery } from "./parse-body.ts";
import { type ApiContext, type ApiEnvironment, requireUser } from "./request-context.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

/** Who may call: anybody, anybody with the user known when signed in, or signed-in users alone. */
export type RouteAccess = "public" | "signed-in";

export interface RouteAnswer {
  description: string;
  /** Of a JSON answer. Leave it out for an empty answer. */
  schema?: z.ZodType;
  /** For an answer that is not JSON, e.g. `video/mp4`. */
  contentType?: string;
}

type Checked<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** A call of the API: what the OpenAPI document says about it and what its handler is given. */
export interface RouteDescription<
  Access extends RouteAccess = RouteAccess,
  Parameters extends z.ZodObject | undefined = z.ZodObject | undefined,
  Query extends z.ZodObject | undefined = z.ZodObject | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
> {
  method: Method;
  /** With `:name` for parameters and a slash at the end; the call without that slash is the same call. */
  path: `/${string}/` | `/${string}`;
  summary: string;
  /** Longer explanation, Markdown. */
  description?: string;
  /** Heading it stands under in the documentation. */
  tag: string;
  access: Access;
  /** What does not fit answers 404: an id that cannot exist does not exist. */
  parameters?: Parameters;
  /** What does not fit answers 400. */
  query?: Query;
  body?: Body;
  /** For a body the handler reads on its own (an uploaded file). */
  rawBodyType?: string;
  /** An unsafe call, other than a deletion, that is possible on a full disk: it changes next to nothing, or looks itself. */
  onFullDisk?: true;
  /** By status. Errors that any call can answer (400, 401, 403, 404, 429) are added. */
  answers: Record<number, RouteAnswer>;
}

export interface RouteInput<Access, Parameters, Query, Body> {
  user: Access extends "signed-in" ? User : User | null;
  parameters: Checked<Parameters>;
  query: Checked<Query>;
  body: Checked<Body>;
}

/** A path parameter that is the id of a row: a `bigint`, read as a number (type-parsers.ts). What does not fit cannot be one. */
export const idParameter = z
  .string()
  .max(10)
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
  .refine(Number.isSafeInteger);

type RouteHandler = (c: ApiContext) => Promise<Response>;

export interface Route {
  description: RouteDescription;
  handle: RouteHandler;
}

/**
 * Calls of one area. Each is described once: for the documentation, for the check of its input and for the way to its
 * handler. `backend/api/routes/` has a file an area, which exports a function that makes its router.
 */
export class ApiRouter {
  readonly routes: Route[] = [];

  /** Adds a call. The handler is given checked input; access and input errors are answered before it runs. */
  add<
    Access extends RouteAccess,
    Parameters extends z.ZodObject | undefined = undefined,
    Query extends z.ZodObject | undefined = undefined,
    Body extends z.ZodType | undefined = undefined,
  >(
    description: RouteDescription<Access, Parameters, Query, Body>,
    handle: (c: ApiContext, input: RouteInput<Access, Parameters, Query, Body>) => Response | Promise<Response>,
  ): this {
    const isRefusedWhileFull = !["get", "delete"].includes(description.method) && !description.onFullDisk;
    this.routes.push({
      description: description as unknown as RouteDescription,
      handle: async (c) => {
        const user = description.access === "signed-in" ? requireUser(c) : c.get("user");
        if (isRefusedWhileFull && c.get("services").diskSpace.isFull()) throw ApiError.diskFull();
        const parameters = description.parameters?.safeParse(c.req.param());
        if (parameters && !parameters.success) throw ApiError.notFound();
        const query = description.query && parseQuery(c, description.query);
        const body = description.body && (await parseBody(c, description.body));
        const input = { user, parameters: parameters?.data, query, body };
        return handle(c, input as unknown as RouteInput<Access, Parameters, Query, Body>);
      },
    });
    return this;
  }
}

/** Both spellings of a path: the canonical one and, when it ends with a slash, the one without. */
export function pathSpellings(path: string): string[] {
  return path.endsWith("/") && path.length > 1 ? [path, path.slice(0, -1)] : [path];
}

/**
 * Puts the routes of all routers on the app. A path that names a segment goes before one that has a parameter there, so
 * that `/api/matches/clips/` is never taken for the match `clips`, in whatever order the areas are listed. Methods that a path
 * does not have are answered with 405.
 */
export function mountRoutes(app: Hono<ApiEnvironment>, routes: readonly Route[]): void {
  const byPath = new Map<string, Route[]>();
  for (const route of routes) {
    byPath.set(route.description.path, [...(byPath.get(route.description.path) ?? []), route]);
  }
  const rank = (path: string) => path.replace(/:[^/]+/g, "\uffff");
  const paths = [...byPath].sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
  for (const [path, ofPath] of paths) {
    const spellings = pathSpellings(path);
    const allowed = ofPath.map((route) => route.description.method.toUpperCase());
    if (allowed.includes("GET")) allowed.push("HEAD");
    for (const { description, handle } of ofPath) {
      app.on(description.method.toUpperCase(), spellings, (c) => {
        c.set("route", path);
        return handle(c);
      });
    }
    app.on([...unsupportedMethods(allowed)], spellings, (c) => {
      c.set("route", path);
      const headers = { Allow: allowed.join(", ") };
      if (c.req.method === "OPTIONS") return c.body(null, 204, headers);
      throw new ApiError(405, "method_not_allowed", `${c.req.method} is not possible here.`, { headers });
    });
  }
}

function unsupportedMethods(allowed: readonly string[]): string[] {
  return ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter((method) => !allowed.includes(method));
}
