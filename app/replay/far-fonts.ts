import inter from "@fontsource-variable/inter/unicode.json";
import noto from "@fontsource-variable/noto-sans/unicode.json";
import arabic from "@fontsource-variable/noto-sans-arabic/unicode.json";
import armenian from "@fontsource-variable/noto-sans-armenian/unicode.json";
import georgian from "@fontsource-variable/noto-sans-georgian/unicode.json";
import hebrew from "@fontsource-variable/noto-sans-hebrew/unicode.json";
import thai from "@fontsource-variable/noto-sans-thai/unicode.json";
import { type FontPack, type PackedFont, packedFonts, rangeOf } from "./font-pack.ts";

/** In the order in which the server asks them (`backend/video/load-fonts.ts`), after the fonts that every preview has. */
const alphabets: FontPack[] = [
  {
    family: "Inter",
    ranges: inter,
    files: import.meta.glob("/node_modules/@fontsource-variable/inter/files/*-wght-normal.woff2", {
      query: "?url&no-inline",
      import: "default",
      eager: true,
    }),
  },
  {
    family: "Noto Sans",
    ranges: noto,
    files: import.meta.glob("/node_modules/@fontsource-variable/noto-sans/files/*-wght-normal.woff2", {
      query: "?url&no-inline",
      import: "default",
      eager: true,
    }),
  },
  {
    family: "Noto Sans",
    ranges: hebrew,
    files: import.meta.glob("/node_modules/@fontsource-variable/noto-sans-hebrew/files/*-wght-normal.woff2", {
      query: "?url&no-inline",
      import: "default",
      eager: true,
    }),
  },
  {
    family: "Noto Sans",
    ranges: arabic,
    files: import.meta.glob("/node_modules/@fontsource-variable/noto-sans-arabic/files/*-wght-normal.woff2", {
      query: "?url&no-inline",
      import: "default",
      eager: true,
    }),
  },
  {
    family: "Noto Sans",
    ranges: thai,
    files: import.meta.glob("/node_modules/@fontsource-variable/noto-sans-thai/files/*-wght-normal.woff2", {
      query: "?url&no-inline",
      import: "default",
      eager: true,
    }),
  },
  {
    family: "Noto Sans",
    ranges: georgian,
    files: import.meta.glob("/node_modules/@fontsource-variable/noto-sans-georgian/files/*-wght-normal.woff2", {
      query: "?url&no-inline",
      import: "default",
      eager: true,
    }),
  },
  {
    family: "Noto Sans",
    ranges: armenian,
    files: import.meta.glob("/node_modules/@fontsource-variable/noto-sans-armenian/files/*-wght-normal.woff2", {
      query: "?url&no-inline",
      import: "default",
      eager: true,
    }),
  },
];

const kana = /[\p{sc=Hiragana}\p{sc=Katakana}]/u;
const ofEastAsia = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\u3000-\u30ff\uff00-\uffef]/u;

/**
 * The fonts of letters that few names have, only those files that hold some of them. Of East Asian fonts there are a hundred files
 * each; the list of one comes when no font before it has such a letter.
 * @param text the whole of what is written: kana in it tell that its Han characters are Japanese
 */
export async function farFonts(letters: readonly string[], text: string): Promise<PackedFont[]> {
  const isJapanese = kana.test(text);
  const further = [
    ...(isJapanese ? [() => import("./fonts-jp.ts")] : []),
    () => import("./fonts-sc.ts"),
    ...(isJapanese ? [] : [() => import("./fonts-jp.ts")]),
    () => import("./fonts-kr.ts"),
  ];
  const packs = [...alphabets];
  for (const next of further) {
    const found = new Set(packedFonts(letters, packs).flatMap(({ range }) => range.split(",")));
    if (!letters.some((letter) => ofEastAsia.test(letter) && !found.has(rangeOf(letter)))) break;
    packs.push((await next()).pack);
  }
  return packedFonts(letters, packs);
}
