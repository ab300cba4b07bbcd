/** All of a user, by name: as a query whose plan is kept must ask for them. */
export const userColumns = [
  "users.id",
  "users.steam_id",
  "users.steam_name",
  "users.avatar_url",
  "users.created_at",
] as const;
