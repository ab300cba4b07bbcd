import rajdhani500 from "@fontsource/rajdhani/files/rajdhani-latin-500-normal.woff2?url";
import rajdhani600 from "@fontsource/rajdhani/files/rajdhani-latin-600-normal.woff2?url";
import rajdhani700 from "@fontsource/rajdhani/files/rajdhani-latin-700-normal.woff2?url";
import interCyrillic from "@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2?url";
import interLatinExtended from "@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2?url";
import interLatin from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";

interface StageFont {
  family: string;
  weight: string;
  url: string;
  /** As CSS writes it; none: whatever the file has. */
  range?: string;
  /** Whether a text needs it. */
  isNeeded(text: string): boolean;
}

const always = () => true;

/**
 * The fonts that videos are written with, as far as pages have them; other letters are the machine's own. Inter is drawn at the one
 * weight that the server draws it at: as a family of that weight alone it is neither thinner nor bolder than asked for.
 */
const stageFonts: StageFont[] = [
  { family: "Rajdhani", weight: "500", url: rajdhani500, isNeeded: always },
  { family: "Rajdhani", weight: "600", url: rajdhani600, isNeeded: always },
  { family: "Rajdhani", weight: "700", url: rajdhani700, isNeeded: always },
  {
    family: "Inter",
    weight: "600",
    url: interLatin,
    range: "U+0000-00FF, U+2000-206F, U+20AC, U+2122",
    isNeeded: always,
  },
  {
    family: "Inter",
    weight: "600",
    url: interLatinExtended,
    range: "U+0100-02BA, U+1E00-1E9F, U+20A0-20AB",
    isNeeded: (text) => /[\u0100-\u02ba\u1e00-\u1e9f\u20a0-\u20ab]/u.test(text),
  },
  {
    family: "Inter",
    weight: "600",
    url: interCyrillic,
    range: "U+0301, U+0400-045F, U+0490-0491, U+04B0-04B1, U+2116",
    isNeeded: (text) => /[\u0400-\u045f]/u.test(text),
  },
];

const added = new Map<string, Promise<unknown>>();

/** Loads the fonts that a text is written with into a worker or a page. A font that does not come is done without. */
export async function loadStageFonts(text: string): Promise<void> {
  const fonts = typeof document === "undefined" ? (self as unknown as { fonts?: FontFaceSet }).fonts : document.fonts;
  if (!fonts || typeof FontFace === "undefined") return;
  const wanted = stageFonts.filter(({ isNeeded }) => isNeeded(text));
  await Promise.allSettled(
    wanted.map(({ family, weight, url, range }) => {
      const known = added.get(url + weight);
      if (known) return known;
      const face = new FontFace(family, `url(${url})`, { weight, ...(range ? { unicodeRange: range } : {}) });
      fonts.add(face);
      const loading = face.load();
      added.set(url + weight, loading);
      return loading;
    }),
  );
}
