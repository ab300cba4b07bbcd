import type { CSSProperties } from "react";

/**
 * What tells the picture of one player without a picture from another's: its two colours and how it is turned, as variables for the
 * style sheet's `.identicon`. The same on server and browser, and a few letters a player: a match page shows four hundred.
 * @param seed the Steam ID, or the name of who has none
 */
export function identiconStyle(seed: string): CSSProperties {
  let hash = 2166136261;
  for (let index = 0; index < seed.length; index++) hash = Math.imul(hash ^ seed.charCodeAt(index), 16777619) >>> 0;
  // The last letters of Steam IDs differ the most, and must move all of it.
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507) >>> 0;
  hash = (hash ^ (hash >>> 13)) >>> 0;
  const hue = (hash % 24) * 15;
  const turn = (Math.floor(hash / 24) % 8) * 45;
  const second = 60 + (Math.floor(hash / 192) % 4) * 60;
  return { "--hue": hue, "--turn": `${turn}deg`, "--second": hue + second } as CSSProperties;
}
