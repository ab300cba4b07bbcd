import { z } from "zod";
import { textLimits } from "../text-limits.ts";
import { tokenScopes } from "../token-scopes.ts";

/** A player's token for scripts, without the secret itself. */
export const accessTokenSchema = z.object({
  id: z.int(),
  name: z.string(),
  /** `clutchcast_pat_` and four more characters, to recognise it. */
  first_characters: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  created_at: z.string(),
  /** Null when it is valid until revoked. */
  expires_at: z.string().nullable(),
  /** Exact to five minutes; null when it was never used. */
  last_used_at: z.string().nullable(),
});
export type AccessToken = z.infer<typeof accessTokenSchema>;

export const accessTokensSchema = z.object({ results: z.array(accessTokenSchema) });

/** With the token itself, which is in this one answer only. */
export const newAccessTokenSchema = accessTokenSchema.extend({ token: z.string() });
export type NewAccessToken = z.infer<typeof newAccessTokenSchema>;

export const createTokenSchema = z.object({
  name: z.string().max(textLimits.tokenName),
  scopes: z
    .array(z.enum(tokenScopes))
    .min(1, "Choose what the token may do.")
    .max(2 * tokenScopes.length),
  /** How many days it is valid; null: until it is revoked. */
  expires_in_days: z.union([z.literal(30), z.literal(90), z.literal(365), z.null()]).default(90),
});
export type CreateToken = z.infer<typeof createTokenSchema>;
