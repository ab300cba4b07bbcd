import { z } from "zod";

export const currentUserSchema = z.object({
  steam_id: z.string(),
  steam_name: z.string(),
  avatar_url: z.string().nullable(),
  /** Of an account that may open /operator; all others do not have it. */
  is_operator: z.literal(true).optional(),
});
export type CurrentUser = z.infer<typeof currentUserSchema>;

export const authStatusSchema = z.object({ authenticated: z.boolean(), user: currentUserSchema.nullable() });
export type AuthStatus = z.infer<typeof authStatusSchema>;

/** What a start page needs to know of a player. */
export const standingSchema = z.object({ has_matches: z.boolean() });

/** A browser in which a player is signed in. */
export const ownSessionSchema = z.object({
  id: z.string(),
  /** "Firefox on Windows", or null where the browser does not tell. */
  device: z.string().nullable(),
  started_at: z.string(),
  /** To five minutes. */
  last_seen_at: z.string(),
  /** True of the one that asks. */
  is_current: z.boolean(),
});
export type OwnSession = z.infer<typeof ownSessionSchema>;

export const signOutEverywhereSchema = z.object({
  /** The player's access tokens end as well. */
  revoke_tokens: z.boolean().default(false),
});

/** The Steam ID says that nobody else's account is meant, and that no slip of a script did it. */
export const deleteAccountSchema = z.object({
  steam_id: z
    .string()
    .max(17)
    .regex(/^\d{17}$/, "A Steam ID has 17 digits."),
});

export const ownSessionsSchema = z.object({ results: z.array(ownSessionSchema) });

export const loginStartSchema = z.object({ auth_url: z.string() });
