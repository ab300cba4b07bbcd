import type { CreateToken, NewAccessToken } from "../../contract/schemas/tokens.ts";
import type { TokenScope } from "../../contract/token-scopes.ts";
import type { ApiVisitor } from "./api-visitor.ts";
import { checkDescribed } from "./described-answers.ts";

/** A new access token of a signed-in player. */
export async function tokenOf(
  player: ApiVisitor,
  scopes: readonly TokenScope[],
  more: Partial<CreateToken> = {},
): Promise<NewAccessToken> {
  const body = { name: scopes.join(" and "), scopes, expires_in_days: null, ...more };
  return player.call<NewAccessToken>("POST", "/api/account/tokens/", body);
}

/** One call with a bearer token and without cookies. @throws when its JSON is not as the contract describes it */
export async function callWithToken(
  url: string,
  token: string | null,
  method: string,
  path: string,
  body?: object | FormData,
  headers: Record<string, string> = {},
): Promise<Response> {
  const isJson = body !== undefined && !(body instanceof FormData);
  const response = await fetch(url + path, {
    method,
    redirect: "manual",
    headers: {
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...(isJson ? { "Content-Type": "application/json" } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as FormData) }),
  });
  await checkDescribed(method, path, response);
  return response;
}
