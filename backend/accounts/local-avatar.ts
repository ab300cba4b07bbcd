/** Where the identity provider of a machine without a public address has a player's picture. */
export function localAvatarPath(steamId: string): string {
  return `/local-steam/avatars/${steamId}.svg`;
}
