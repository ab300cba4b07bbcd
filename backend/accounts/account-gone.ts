/**
 * Whether an error says that the account for which something was to be stored no longer exists: it was deleted during the request, for
 * example a large upload. Source: PostgreSQL's `foreign_key_violation`, and its name for the constraint of a column `user_id`.
 */
export function isAccountGone(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === "23503" && constraint !== undefined && constraint.endsWith("_user_id_fkey");
}
