import { z } from "zod";

export const currentUserSchema = z.object({
  steam_id: z.string(),
  steam_name: z.string(),
  avatar_url: z.string().nullable(),
  /** Only on accounts that may open /operator. */
  is_operator: z.literal(true).optional(),
});
export type CurrentUser = z.infer<typeof currentUserSchema>;

export const authStatusSchema = z.object({ authenticated: z.boolean(), user: currentUserSchema.nullable() });
export type AuthStatus = z.infer<typeof authStatusSchema>;

/** What the home page needs to know about a player. */
export const standingSchema = z.object({ has_matches: z.boolean() });

/** A browser in which a player is signed in. */
export const ownSessionSchema = z.object({
  id: z.string(),
  /** "Firefox on Windows", or null when the browser does not say. */
  device: z.string().nullable(),
  started_at: z.string(),
  /** Exact to five minutes. */
  last_seen_at: z.string(),
  /** True for the session of this request. */
  is_current: z.boolean(),
});
export type OwnSession = z.infer<typeof ownSessionSchema>;

export const signOutEverywhereSchema = z.object({
  /** Also ends the player's access tokens. */
  revoke_tokens: z.boolean().default(false),
});

/** The Steam ID has to be repeated, so that no script deletes an account by mistake. */
export const deleteAccountSchema = z.object({
  steam_id: z
    .string()
    .max(17)
    .regex(/^\d{17}$/, "A Steam ID has 17 digits."),
});

export const ownSessionsSchema = z.object({ results: z.array(ownSessionSchema) });

export const loginStartSchema = z.object({ auth_url: z.string() });
