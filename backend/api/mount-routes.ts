import type { Hono } from "hono";
import { ApiError } from "./api-error.ts";
import type { Route } from "./implement-routes.ts";
import type { ApiEnvironment } from "./request-context.ts";

/** Both spellings of a path: the canonical one and, when it ends with a slash, the one without. */
function pathSpellings(path: string): string[] {
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
      // Which methods an operator's call has would tell that it is there.
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
