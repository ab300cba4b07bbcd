import { isDeepStrictEqual } from "node:util";
import { possibleErrors } from "../../backend/api/possible-errors.ts";
import type { RouteDescription } from "../../contract/api-route.ts";
import { apiRoutes } from "../../contract/api-routes.ts";
import type { ErrorCode } from "../../contract/error-codes.ts";
import { errorBodySchema } from "../../contract/schemas/errors.ts";

const described = Object.values(apiRoutes)
  .flatMap((area) => Object.values<RouteDescription>(area))
  .map((route) => ({
    route,
    method: route.method.toUpperCase(),
    // A path with a literal segment precedes one with a parameter there.
    isExact: !route.path.includes(":"),
    pattern: new RegExp(`^${route.path.replace(/[.]/g, "\\.").replace(/\/?$/, "/?").replace(/:\w+/g, "[^/]+")}$`),
  }))
  .sort((a, b) => Number(b.isExact) - Number(a.isExact) || b.route.path.length - a.route.path.length);

/**
 * Checks a JSON answer of the API against the description of its call in `contract/api-routes.ts`: it has exactly the described fields,
 * each of its type, a described status, and an error code that belongs to that status. A status of 429 or 503 must say when to come back.
 * Answers of pages and of undescribed calls pass.
 * @throws Error that says what differs
 */
export async function checkDescribed(method: string, path: string, response: Response): Promise<void> {
  const { pathname } = new URL(path, "http://any.example");
  const isForNow = response.status === 429 || response.status === 503;
  const ofApi = /^\/(api|video)\/|^\/readyz$/.test(pathname);
  if (isForNow && ofApi && !/^[1-9]\d*$/.test(response.headers.get("retry-after") ?? "")) {
    throw new Error(`${method} ${pathname} ${response.status} does not say when to come back`);
  }
  const asked = method === "HEAD" ? "GET" : method;
  const call = described.find((each) => each.method === asked && each.pattern.test(pathname));
  if (!call) return;
  const { route } = call;
  const isJson = method !== "HEAD" && response.headers.get("content-type")?.startsWith("application/json");
  const body: unknown = isJson ? await response.clone().json() : null;
  checkStatus(route, response.status, (body as { error?: ErrorCode } | null)?.error ?? null);
  if (!isJson) return;
  const answer = route.answers[response.status];
  const schema = answer?.schema ?? answer?.fileSchema ?? (response.status >= 400 ? errorBodySchema.loose() : null);
  if (!schema) return;
  const parsed = schema.safeParse(body);
  const name = `${method} ${route.path} ${response.status}`;
  if (!parsed.success) throw new Error(`${name} is not as described: ${parsed.error.message}`);
  // Parsing drops fields that no schema names.
  if (!isDeepStrictEqual(parsed.data, body)) {
    throw new Error(`${name} has more than is described: ${JSON.stringify(body).slice(0, 500)}`);
  }
}

/** Possible for any call; the document has them as `default`. */
const ofAnyCall = new Set([500, 503, 507]);
/**
 * Errors that do not depend on the call: a path may have other methods than another one that its pattern also matches, and a call without a
 * body can be sent one.
 */
const codesOfAnyCall: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...([
    "method_not_allowed",
    "local_use",
    "wrong_host",
    "body_cut_off",
    "body_too_large",
    "body_too_slow",
    "too_many_bodies",
  ] as const),
]);

/** @throws Error for a status that its call does not describe, or a code that it does not describe with this status */
function checkStatus(route: RouteDescription, status: number, code: ErrorCode | null): void {
  if (status in route.answers || ofAnyCall.has(status) || (code && codesOfAnyCall.has(code))) return;
  const ofStatus = possibleErrors(route).filter((error) => error.status === status);
  if (ofStatus.some((error) => code === null || error.code === code)) return;
  throw new Error(`${route.method.toUpperCase()} ${route.path} does not describe ${status} ${code ?? ""}`);
}
