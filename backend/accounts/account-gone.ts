/**
 * Whether an error says that the account for which something was to be stored is there no more: deleted while a request of its was under
 * way, a large upload for one. Source: PostgreSQL's `foreign_key_violation`, and how it names a constraint of a column `user_id`.
 */
export function isAccountGone(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === "23503" && constraint !== undefined && constraint.endsWith("_user_id_fkey");
}
