import type { Hono } from "hono";
import { ApiError } from "./api-error.ts";
import type { Route } from "./implement-routes.ts";
import type { ApiEnvironment } from "./request-context.ts";

/** The canonical path and, if it ends with a slash, the same without. */
function pathSpellings(path: string): string[] {
  return path.endsWith("/") && path.length > 1 ? [path, path.slice(0, -1)] : [path];
}

/**
 * Adds the routes of all areas to the app. A path with a fixed segment precedes one with a parameter in its place, so that
 * `/api/matches/clips/` is never taken for the match `clips`, whatever the order of the areas. Other methods of a path are answered with
 * 405.
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
      // 405 would reveal that an operator's call exists.
      if (ofPath.every(({ description }) => description.access === "operator")) throw ApiError.nothingHere();
      const headers = { Allow: allowed.join(", ") };
      if (c.req.method === "OPTIONS") return c.body(null, 204, headers);
      throw new ApiError(405, "method_not_allowed", `${c.req.method} is not possible here.`, { headers });
    });
  }
}

function unsupportedMethods(allowed: readonly string[]): string[] {
  return ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].filter((method) => !allowed.includes(method));
}
