import { cleanText } from "./text.ts";

/** Where the general rule gives what nobody says. Names are those of Valve's maps. */
const known: Readonly<Record<string, string>> = {
  BombsiteA: "A Site",
  BombsiteB: "B Site",
  PalaceInterior: "Palace",
  SnipersNest: "Sniper's Nest",
};

/**
 * A name of a place as players read it: words apart.
 * `TopofMid` becomes "Top of Mid", `LongDoors` "Long Doors", `Tunnel1` "Tunnel 1".
 * @param name of the game, or of whoever made the map: untrusted text
 */
export function placeName(name: string): string {
  if (Object.hasOwn(known, name)) return known[name] ?? name;
  const words = cleanText(name)
    .replace(/[_-]+/g, " ")
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Ll}{2})(\p{N})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{Ll}{2,})of(?= \p{Lu})/gu, "$1 of")
    .trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
