import { z } from "zod";
import { textLimits } from "../text-limits.ts";
import { tokenScopes } from "../token-scopes.ts";

/** A token of a player's for their scripts, without what it opens. */
export const accessTokenSchema = z.object({
  id: z.int(),
  name: z.string(),
  /** `clutchcast_pat_` and four more, to know it by. */
  first_characters: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  created_at: z.string(),
  /** Null: it ends when it is revoked. */
  expires_at: z.string().nullable(),
  /** To five minutes; null: never. */
  last_used_at: z.string().nullable(),
});
export type AccessToken = z.infer<typeof accessTokenSchema>;

export const accessTokensSchema = z.object({ results: z.array(accessTokenSchema) });

/** With the token itself: in this one answer, and never again. */
export const newAccessTokenSchema = accessTokenSchema.extend({ token: z.string() });
export type NewAccessToken = z.infer<typeof newAccessTokenSchema>;

export const createTokenSchema = z.object({
  name: z.string().max(textLimits.tokenName),
  scopes: z
    .array(z.enum(tokenScopes))
    .min(1, "Choose what the token may do.")
    .max(2 * tokenScopes.length),
  /** After so many days it ends by itself; null: when it is revoked. */
  expires_in_days: z.union([z.literal(30), z.literal(90), z.literal(365), z.null()]).default(90),
});
export type CreateToken = z.infer<typeof createTokenSchema>;
