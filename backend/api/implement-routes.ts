import {
  type CheckedRequest,
  type JsonAnswer,
  type JsonStatus,
  type JsonText,
  jsonText,
  type RouteDescription,
} from "../../contract/api-route.ts";
import type { User } from "../storage/schema.ts";
import { ApiError } from "./api-error.ts";
import { parseBody, parseQuery } from "./parse-body.ts";
import { requireReachableClip } from "./reachable-clip.ts";
import type { ApiContext } from "./request-context.ts";
import { callerOf } from "./request-security.ts";

declare const answered: unique symbol;

/** An answer with one of the statuses, and the JSON, that its route describes. */
type DescribedAnswer = Response & { readonly [answered]: true };

/** A route without described JSON (a file, a redirect, an empty answer) builds its own response. */
type HandlerAnswer<Route extends RouteDescription> = [JsonStatus<Route>] extends [never] ? Response : DescribedAnswer;

interface Handled<Route extends RouteDescription> extends CheckedRequest<Route> {
  user: Route["access"] extends "public" ? User | null : User;
  /** Answers with JSON that the route describes. */
  reply<Status extends JsonStatus<Route>>(status: Status, body: JsonAnswer<Route, Status>): DescribedAnswer;
  /** The same for JSON that is already written. */
  replyWritten<Status extends JsonStatus<Route>>(
    status: Status,
    json: JsonText<JsonAnswer<Route, Status>>,
  ): DescribedAnswer;
}

/** Carries out a call whose access and input are checked. */
type Handler<Route extends RouteDescription> = (
  c: ApiContext,
  input: Handled<Route>,
) => HandlerAnswer<Route> | Promise<HandlerAnswer<Route>>;

/** A call with its handler. */
export interface Route {
  description: RouteDescription;
  handle(c: ApiContext): Promise<Response>;
}

/**
 * Gives every call of an area (`contract/api-routes.ts`) its handler. A missing handler, or an answer that the call does not describe, does
 * not compile.
 */
export function implementRoutes<const Area extends Record<string, RouteDescription>>(
  area: Area,
  handlers: { [Name in keyof Area]: Handler<Area[Name]> },
): Route[] {
  return Object.entries(area).map(([name, description]) => ({
    description,
    // The types above make sure that each handler fits its own call.
    handle: (c) => handleChecked(c, description, handlers[name] as unknown as Handler<RouteDescription>),
  }));
}

async function handleChecked(
  c: ApiContext,
  route: RouteDescription,
  handle: Handler<RouteDescription>,
): Promise<Response> {
  const user = callerOf(c, route);
  const isRefusedWhileFull = !["get", "delete"].includes(route.method) && !route.onFullDisk;
  if (isRefusedWhileFull && c.get("services").diskSpace.isFull()) throw ApiError.diskFull();
  const parameters = route.parameters?.safeParse(c.req.param());
  if (parameters && !parameters.success) throw ApiError.notFound();
  if (route.namesClip) await requireReachableClip(c);
  const query = route.query && parseQuery(c, route.query);
  const body = route.body && (await parseBody(c, route.body));
  const replyWritten = (status: number, json: string) =>
    c.newResponse(json, status as 200, { "Content-Type": "application/json" }) as unknown as DescribedAnswer;
  return handle(c, {
    user,
    parameters: parameters?.data,
    query,
    body,
    replyWritten,
    reply: (status, value) => replyWritten(status, jsonText(value)),
  } as Handled<RouteDescription>);
}
