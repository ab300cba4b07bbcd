import { type RouteDescription, type RouteError, tokenScopeOf } from "../../contract/api-route.ts";

/** An error that a call can answer; without a code where the answer has no body. */
export interface PossibleError {
  status: number;
  code: RouteError["code"] | null;
  description: string;
}

/**
 * What a call can answer that is an error: what is said of itself, and what comes of its parameters, its body and who may call. Left out is
 * what any call at all can meet: a fault of ours, the database or the store away, a full disk, a host that this server is not for.
 */
export function possibleErrors(route: RouteDescription): PossibleError[] {
  const { access, method, body, parameters, query, rawBodyType } = route;
  const scope = tokenScopeOf(route);
  const isOfOperator = access === "operator";
  const isOperation = route.tag === "Operation";
  const isUnsafe = method !== "get";
  const isForAnybody = access === "public" && route.forVisitors === true;
  const isForMembers = access === "public" && scope !== "session";
  const general: [boolean, number, string, RouteError["code"]][] = [
    [Boolean(query || body), 400, "A field or parameter is wrong", "invalid"],
    [Boolean(body), 400, "The body is not the JSON that it says it is", "invalid_json"],
    [Boolean(body), 400, "The body is not the form that it says it is", "invalid_form"],
    [Boolean(body || rawBodyType), 400, "The body was cut off", "body_cut_off"],
    [!isOperation && !isOfOperator && !isForAnybody, 401, "Authentication required", "authentication_required"],
    [!isOperation, 401, "The access token is not valid", "invalid_token"],
    [
      !isOperation && !isOfOperator && !(isForMembers && isForAnybody),
      403,
      (isForMembers ? "Where members alone may look: " : "") +
        (scope === "session"
          ? "No access token may make this call"
          : `The access token has not the scope \`${scope}\``),
      "insufficient_scope",
    ],
    [isUnsafe, 403, "The anti-forgery token is missing or wrong", "xsrf"],
    [isUnsafe, 403, "The call came from another site", "cross_origin"],
    [isOfOperator, 404, "The caller is no operator of this server", "not_found"],
    [Boolean(parameters), 404, "It does not exist, or is somebody else's", "not_found"],
    [Boolean(body), 408, "The body came too slowly", "body_too_slow"],
    [Boolean(body), 413, "The body is too long", "body_too_large"],
    [Boolean(body), 415, "The body is neither JSON nor a form", "unsupported_media_type"],
    [!isOperation, 429, "Too many requests", "rate_limited"],
    [Boolean(body), 429, "Too many bodies of one network are on their way", "too_many_bodies"],
    [isUnsafe && method !== "delete" && !route.onFullDisk, 507, "The disk is full", "disk_full"],
  ];
  const own = Object.entries(route.errors ?? {}).flatMap(([status, errors]) =>
    (typeof errors === "string" ? [{ description: errors, code: null }] : errors).map((error) => ({
      ...error,
      status: Number(status),
    })),
  );
  return [
    ...general.flatMap(([isPossible, status, description, code]) =>
      isPossible ? [{ status, code, description }] : [],
    ),
    ...own,
  ];
}

/** One sentence of all that a status can mean. */
export function joined(errors: readonly Pick<RouteError, "description">[]): string {
  const [first = "", ...others] = new Set(errors.map(({ description }) => description));
  return [first, ...others.map((text) => text[0]?.toLowerCase() + text.slice(1))].join("; ");
}
