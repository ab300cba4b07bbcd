/** Path of a player's picture at the built-in identity provider. */
export function localAvatarPath(steamId: string): string {
  return `/local-steam/avatars/${steamId}.svg`;
}
