import type { CreateToken } from "../../../contract/schemas/tokens.ts";
import { type TokenScope, tokenLifetimes, tokenScopes } from "../../../contract/token-scopes.ts";

/** Names of the page's forms. */
export const newTokenForm = "new-token";
export const revokeTokenForm = "revoke-token";

/** What the form calls a token that ends when it is revoked. */
export const neverEnds = "never";

/** What a player has asked for. What the form does not offer is left to the API to refuse. */
export function typedToken(form: FormData): CreateToken {
  const days = String(form.get("days") ?? "");
  return {
    name: String(form.get("name") ?? ""),
    scopes: tokenScopes.filter((scope): scope is TokenScope => form.getAll("scope").includes(scope)),
    expires_in_days: days === neverEnds ? null : (tokenLifetimes.find((lifetime) => String(lifetime) === days) ?? 90),
  };
}
