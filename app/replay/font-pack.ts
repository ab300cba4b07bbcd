import { coverage } from "../../scene/unicode-range.ts";

/** A font package of Fontsource: by subset the characters it is for, and by path the addresses of its files. */
export interface FontPack {
  /** What the scene calls it; the server draws each of its subsets as a family of its own. */
  family: string;
  /** unicode.json: a CSS range by subset, "[104]" for a numbered one. */
  ranges: Record<string, string>;
  files: Record<string, string>;
}

export interface PackedFont {
  family: string;
  url: string;
  /** As CSS writes it: the letters that were asked for and no other, so that no later package is asked for them. */
  range: string;
}

/**
 * The files with the letters of a text, one package after the other as the server asks them.
 * @param letters a character each; one that no package is for is left to the machine's own fonts
 */
export function packedFonts(letters: Iterable<string>, packs: readonly FontPack[]): PackedFont[] {
  const subsets = packs.flatMap(({ family, ranges, files }) =>
    Object.entries(ranges).map(([key, range]) => ({
      family,
      url: Object.entries(files).find(([path]) => path.includes(`-${key.replace(/[[\]]/g, "")}-wght-`))?.[1],
      covers: coverage(range),
    })),
  );
  const found = new Map<string, { family: string; codes: string[] }>();
  for (const letter of letters) {
    const code = letter.codePointAt(0) ?? 0;
    const subset = subsets.find(({ covers, url }) => url && covers(code));
    if (!subset?.url) continue;
    const font = found.get(subset.url) ?? { family: subset.family, codes: [] };
    font.codes.push(rangeOf(letter));
    found.set(subset.url, font);
  }
  return [...found].map(([url, { family, codes }]) => ({ family, url, range: codes.join() }));
}

/** A character as a CSS unicode-range. */
export function rangeOf(letter: string): string {
  return `U+${(letter.codePointAt(0) ?? 0).toString(16)}`;
}
