import { type RouteDescription, type RouteError, tokenScopeOf } from "../../contract/api-route.ts";

/** An error that a call can answer; it has no code if the answer has no body. */
export interface PossibleError {
  status: number;
  code: RouteError["code"] | null;
  description: string;
}

/**
 * All errors that a call can answer: those of its description, and those that follow from its parameters, body and access. Omitted are
 * those of any call: an internal error, an outage of the database or the store, a full disk, a wrong host.
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

/** Joins all meanings of a status into one sentence. */
export function joinDescriptions(errors: readonly Pick<RouteError, "description">[]): string {
  const [first = "", ...others] = new Set(errors.map(({ description }) => description));
  return [first, ...others.map((text) => text[0]?.toLowerCase() + text.slice(1))].join("; ");
}
