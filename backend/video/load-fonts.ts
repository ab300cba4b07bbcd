import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { coverage } from "../../scene/unicode-range.ts";
import { createCanvas, GlobalFonts } from "./canvas.ts";

/** A font package of Fontsource: woff2 files by subset, and `unicode.json`, which lists the characters of each subset. */
interface FontPackage {
  name: string;
  /** Static weights to register; a variable font has them all in one file. */
  weights: readonly number[] | "variable";
  /** unicode.json lists too few characters, so every character is looked up in the fonts. */
  unlisted?: boolean;
}

const variable = (name: string): FontPackage => ({ name: `@fontsource-variable/${name}`, weights: "variable" });
const plain = (name: string, unlisted = false): FontPackage => ({
  name: `@fontsource/${name}`,
  weights: [400],
  unlisted,
});

const japanese = variable("noto-sans-jp");
const chinese = variable("noto-sans-sc");

/** In order of preference. Rajdhani is the look of the product, and also contains Devanagari. */
const packagesFor = (kana: boolean): readonly FontPackage[] => [
  { name: "@fontsource/rajdhani", weights: [500, 600, 700] },
  variable("inter"),
  variable("noto-sans"),
  variable("noto-sans-hebrew"),
  variable("noto-sans-arabic"),
  variable("noto-sans-thai"),
  variable("noto-sans-georgian"),
  variable("noto-sans-armenian"),
  // The same Han character is drawn differently in Chinese and Japanese; kana tell which one is meant.
  ...(kana ? [japanese, chinese] : [chinese, japanese]),
  variable("noto-sans-kr"),
  variable("noto-sans-bengali"),
  variable("noto-sans-tamil"),
  variable("noto-sans-khmer"),
  variable("noto-sans-cherokee"),
  variable("noto-sans-canadian-aboriginal"),
  plain("noto-sans-math", true),
  variable("noto-sans-symbols"),
  plain("noto-sans-symbols-2"),
  plain("noto-sans-runic"),
  plain("noto-sans-javanese"),
  plain("noto-serif-tibetan"),
];

interface Subset {
  /** The CSS family under which it is registered. */
  family: string;
  /** One file per weight. */
  files: string[];
  covers(codePoint: number): boolean;
}

const require = createRequire(import.meta.url);
const subsetsOf = new Map<string, Subset[]>();
const registered = new Set<string>();
const drawn = new Map<string, boolean>();
const missingGlyphs = new Map<string, string>();

/**
 * Registers exactly the font files that the texts need: of the CJK fonts, which have a hundred files each, only the few with the letters
 * used. The canvas supports one file per family and weight, so each subset file is a family of its own.
 * @returns these families in order of preference, beginning with "Rajdhani".
 */
export function ensureGlyphs(texts: readonly string[]): string[] {
  const characters = new Set(texts.join("").normalize("NFC"));
  const kana = [...characters].some((character) => /[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(character));
  const packages = packagesFor(kana);
  const order = packages.flatMap((fontPackage) => subsets(fontPackage).map((subset) => subset.family));
  const families = new Set<string>();
  // Latin is always needed for the scene's own labels.
  for (const fontPackage of packages.slice(0, 2)) {
    const latin = subsets(fontPackage).find((subset) => subset.covers(0x61));
    if (latin) {
      register(latin);
      families.add(latin.family);
    }
  }
  for (const character of characters) {
    const family = familyWith(character, packages);
    if (family) families.add(family);
  }
  return order.filter((family) => families.has(family));
}

/** Registers and returns the first family with the character; undefined when no font has it. */
function familyWith(character: string, packages: readonly FontPackage[]): string | undefined {
  if (/[\p{Z}\p{C}]/u.test(character)) return undefined;
  const codePoint = character.codePointAt(0) ?? 0;
  for (const fontPackage of packages) {
    for (const subset of subsets(fontPackage)) {
      if (!subset.covers(codePoint)) continue;
      register(subset);
      if (draws(subset.family, character)) return subset.family;
    }
  }
  return undefined;
}

function register(subset: Subset): void {
  if (registered.has(subset.family)) return;
  for (const file of subset.files) {
    if (!GlobalFonts.registerFromPath(file, subset.family)) throw new Error(`The font ${file} cannot be read.`);
  }
  registered.add(subset.family);
}

function subsets(fontPackage: FontPackage): Subset[] {
  const known = subsetsOf.get(fontPackage.name);
  if (known) return known;
  const directory = dirname(require.resolve(`${fontPackage.name}/package.json`));
  const ranges = JSON.parse(readFileSync(join(directory, "unicode.json"), "utf8")) as Record<string, string>;
  const slug = fontPackage.name.slice(fontPackage.name.indexOf("/") + 1);
  // Latin first, since other subsets repeat its digits and signs.
  const latinFirst = (key: string) => ["latin", "latin-ext"].indexOf(key) >>> 0;
  const entries = Object.entries(ranges).sort(([a], [b]) => latinFirst(a) - latinFirst(b));
  const made = entries.map(([key, range]): Subset => {
    const subset = key.replace(/[[\]]/g, "");
    const styles = fontPackage.weights === "variable" ? ["wght"] : fontPackage.weights;
    return {
      family: familyName(slug, subset),
      files: styles.map((style) => join(directory, "files", `${slug}-${subset}-${style}-normal.woff2`)),
      covers: fontPackage.unlisted ? () => true : coverage(range),
    };
  });
  subsetsOf.set(fontPackage.name, made);
  return made;
}

/** "Rajdhani" and "Inter" for their Latin letters, as the scene calls them; for others "Noto Sans SC 104" and the like. */
function familyName(slug: string, subset: string): string {
  const title = slug
    .split("-")
    .map((word) => (word.length === 2 ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(" ");
  return subset === "latin" ? title : `${title} ${subset}`;
}

/**
 * Whether the family has its own glyph for the character. A range only says what a subset is for: the "symbols" of an Arabic font are a
 * handful. A missing character looks like one that no font has.
 */
export function draws(family: string, character: string): boolean {
  const key = `${family}\n${character}`;
  let answer = drawn.get(key);
  if (answer === undefined) {
    let missing = missingGlyphs.get(family);
    if (missing === undefined) {
      missing = glyphPixels(family, "\u{10fffd}");
      missingGlyphs.set(family, missing);
    }
    answer = glyphPixels(family, character) !== missing;
    drawn.set(key, answer);
  }
  return answer;
}

function glyphPixels(family: string, character: string): string {
  const canvas = createCanvas(48, 40);
  const context = canvas.getContext("2d");
  context.font = `24px "${family}"`;
  context.fillText(character, 12, 28);
  return canvas.data().toString("latin1");
}
