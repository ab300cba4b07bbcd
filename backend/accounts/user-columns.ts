/** All columns of a user by name, which a query with a cached plan needs. */
export const userColumns = [
  "users.id",
  "users.steam_id",
  "users.steam_name",
  "users.avatar_url",
  "users.created_at",
] as const;
