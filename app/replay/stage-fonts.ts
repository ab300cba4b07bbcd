import rajdhani600 from "@fontsource/rajdhani/files/rajdhani-latin-600-normal.woff2?url";
import rajdhani700 from "@fontsource/rajdhani/files/rajdhani-latin-700-normal.woff2?url";
import interCyrillic from "@fontsource-variable/inter/files/inter-cyrillic-wght-normal.woff2?url";
import interLatinExtended from "@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2?url";
import { coverage } from "../../scene/unicode-range.ts";
import interLatin from "../fonts/inter-latin.woff2?url";

interface StageFont {
  family: string;
  weight: string;
  url: string;
  /** CSS weight; by default that of the file. */
  range?: string;
  /** True: loaded whatever is written. */
  isAlwaysThere?: boolean;
}

/**
 * The fonts that nearly all videos are written with; those of other letters come with `far-fonts.ts`. Inter is drawn at the one
 * weight that the server draws it at: as a family of that weight alone it is neither thinner nor bolder than asked for.
 */
const stageFonts: StageFont[] = [
  { family: "Rajdhani", weight: "600", url: rajdhani600, isAlwaysThere: true },
  { family: "Rajdhani", weight: "700", url: rajdhani700, isAlwaysThere: true },
  {
    family: "Inter",
    weight: "600",
    // The page's own file, which is there already.
    url: interLatin,
    range: "U+0000-00FF, U+2000-206F, U+20AC, U+2122",
    isAlwaysThere: true,
  },
  {
    family: "Inter",
    weight: "600",
    url: interLatinExtended,
    range: "U+0100-02BA, U+1E00-1E9F, U+20A0-20AB",
  },
  {
    family: "Inter",
    weight: "600",
    url: interCyrillic,
    range: "U+0301, U+0400-045F, U+0490-0491, U+04B0-04B1, U+2116",
  },
];

/** What is written with letters; signs and emoji are drawn or left to the machine. */
const isLetter = /[\p{L}\p{M}\p{N}\u3000-\u30ff\uff00-\uffef]/u;

const ranges = stageFonts.flatMap((font) => (font.range ? [{ font, covers: coverage(font.range) }] : []));

interface FontsOfText {
  /** Fonts of every preview. */
  near: StageFont[];
  /** Fonts of less frequent letters, up to 85 KB each; null when there are none. */
  far: (() => Promise<StageFont[]>) | null;
}

export function fontsOf(text: string): FontsOfText {
  const written = text.normalize("NFC");
  const letters = [...new Set(written)].filter((letter) => isLetter.test(letter));
  const codes = letters.map((letter) => letter.codePointAt(0) ?? 0);
  const further = ranges.filter(({ font, covers }) => !font.isAlwaysThere && codes.some(covers));
  const others = letters.filter((_, i) => !ranges.some(({ covers }) => covers(codes[i] ?? 0)));
  const far = async () => {
    const european = further.map(({ font }) => font);
    if (others.length === 0) return european;
    const { farFonts } = await import("./far-fonts.ts");
    // At the weight that the server draws every font at that has more than one in a file.
    return [...european, ...(await farFonts(others, written)).map((font) => ({ ...font, weight: "600" }))];
  };
  return {
    near: stageFonts.filter((font) => font.isAlwaysThere),
    far: further.length + others.length > 0 ? far : null,
  };
}

const added = new Map<string, Promise<unknown>>();

/** Loads fonts into a worker or a page. If one fails to load, the text is drawn without it. */
async function load(wanted: readonly StageFont[]): Promise<void> {
  const fonts = typeof document === "undefined" ? (self as unknown as { fonts?: FontFaceSet }).fonts : document.fonts;
  if (!fonts || typeof FontFace === "undefined") return;
  await Promise.allSettled(
    wanted.map(({ family, weight, url, range = "" }) => {
      const key = `${url} ${weight} ${range}`;
      const known = added.get(key);
      if (known) return known;
      const face = new FontFace(family, `url(${url})`, { weight, ...(range ? { unicodeRange: range } : {}) });
      fonts.add(face);
      const loading = face.load();
      added.set(key, loading);
      return loading;
    }),
  );
}

/**
 * Loads the fonts that a text is written with.
 * @returns `near`: enough to begin with, since Latin letters are there; `far`: loads all others, null where there are none
 */
export function loadStageFonts(text: string): { near: Promise<void>; far: (() => Promise<void>) | null } {
  const { near, far } = fontsOf(text);
  return {
    near: load(near),
    far: far && (() => far().then(load, () => {})),
  };
}
