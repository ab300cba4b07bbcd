import { isDeepStrictEqual } from "node:util";
import { errorBodySchema } from "../../contract/api.ts";
import type { RouteDescription } from "../../contract/api-route.ts";
import { apiRoutes } from "../../contract/api-routes.ts";

const described = Object.values(apiRoutes)
  .flatMap((area) => Object.values<RouteDescription>(area))
  .map((route) => ({
    route,
    method: route.method.toUpperCase(),
    // A path that names a segment goes before one that has a parameter there.
    isExact: !route.path.includes(":"),
    pattern: new RegExp(`^${route.path.replace(/[.]/g, "\\.").replace(/\/?$/, "/?").replace(/:\w+/g, "[^/]+")}$`),
  }))
  .sort((a, b) => Number(b.isExact) - Number(a.isExact) || b.route.path.length - a.route.path.length);

/**
 * Holds a JSON answer of the API to what `contract/api-routes.ts` says of its call: every field is there, of its type, and no
 * other; and whatever it answers 429 or 503 to saying when to come back. Answers of pages and of calls that nobody describes pass.
 * @throws Error that says what is not as described
 */
export async function checkDescribed(method: string, path: string, response: Response): Promise<void> {
  const { pathname } = new URL(path, "http://any.example");
  const isForNow = response.status === 429 || response.status === 503;
  const ofApi = /^\/(api|video)\/|^\/readyz$/.test(pathname);
  if (isForNow && ofApi && !/^[1-9]\d*$/.test(response.headers.get("retry-after") ?? "")) {
    throw new Error(`${method} ${pathname} ${response.status} does not say when to come back`);
  }
  const call = described.find((each) => each.method === method && each.pattern.test(pathname));
  if (!call || !response.headers.get("content-type")?.startsWith("application/json")) return;
  const { route } = call;
  const body: unknown = await response.clone().json();
  const answer = route.answers[response.status];
  const schema = answer?.schema ?? answer?.fileSchema ?? (response.status >= 400 ? errorBodySchema.loose() : null);
  if (!schema) return;
  const parsed = schema.safeParse(body);
  const name = `${method} ${route.path} ${response.status}`;
  if (!parsed.success) throw new Error(`${name} is not as described: ${parsed.error.message}`);
  // Parsing drops what no schema names.
  if (!isDeepStrictEqual(parsed.data, body)) {
    throw new Error(`${name} has more than is described: ${JSON.stringify(body).slice(0, 500)}`);
  }
}
