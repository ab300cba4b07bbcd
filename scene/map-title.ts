import { cleanText } from "./text.ts";

const titles: Readonly<Record<string, string>> = { de_dust2: "Dust II", de_cbble: "Cobblestone" };

/** A map's name as people say it: `de_mirage` → Mirage. */
export function mapTitle(map: string): string {
  const known = Object.hasOwn(titles, map) ? titles[map] : undefined;
  if (known) return known;
  const bare = cleanText(
    map
      .replace(/^.*\//, "")
      .replace(/^[a-z]{2,4}_/, "")
      .replace(/_/g, " "),
  );
  return bare.replace(/(^| )\p{L}/gu, (letter) => letter.toUpperCase()).slice(0, 24);
}
