import { type Expression, type SqlBool, sql } from "kysely";
import type { Config } from "../config.ts";

/** Whether a player may sign in and stay signed in: everybody, unless the operator keeps a list (SIGN_IN_ALLOW). */
export function maySignIn({ SIGN_IN_ALLOW: allowed }: Pick<Config, "SIGN_IN_ALLOW">, steamId: string): boolean {
  return allowed.length === 0 || allowed.includes(steamId);
}

/**
 * The same for rows that belong to a player: automatic work for a player stops when they are taken off the list, and continues when they
 * are back.
 * @param userId the column, e.g. `automation.user_id`
 */
export function belongsToAllowed(
  { SIGN_IN_ALLOW: allowed }: Pick<Config, "SIGN_IN_ALLOW">,
  userId: string,
): Expression<SqlBool> {
  if (allowed.length === 0) return sql<SqlBool>`TRUE`;
  return sql<SqlBool>`${sql.ref(userId)} IN (SELECT id FROM users WHERE steam_id IN (${sql.join(allowed)}))`;
}
