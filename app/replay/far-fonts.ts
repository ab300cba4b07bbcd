import inter from "@fontsource-variable/inter/unicode.json";
import noto from "@fontsource-variable/noto-sans/unicode.json";
import arabic from "@fontsource-variable/noto-sans-arabic/unicode.json";
import armenian from "@fontsource-variable/noto-sans-armenian/unicode.json";
import georgian from "@fontsource-variable/noto-sans-georgian/unicode.json";
import hebrew from "@fontsource-variable/noto-sans-hebrew/unicode.json";
import thai from "@fontsource-variable/noto-sans-thai/unicode.json";
import { type FontPack, type PackedFont, packedFonts } from "./font-pack.ts";

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
 * each; the lists of them come when such a letter does.
 * @param text the whole of what is written: kana in it tell that its Han characters are Japanese
 */
export async function farFonts(letters: readonly string[], text: string): Promise<PackedFont[]> {
  if (!letters.some((letter) => ofEastAsia.test(letter))) return packedFonts(letters, alphabets);
  const [japanese, chinese, korean] = await Promise.all([
    kana.test(text) ? import("./fonts-jp.ts") : null,
    import("./fonts-sc.ts"),
    /\p{sc=Hangul}/u.test(text) ? import("./fonts-kr.ts") : null,
  ]);
  const further = [japanese, chinese, korean].flatMap((fonts) => (fonts ? [fonts.pack] : []));
  return packedFonts(letters, [...alphabets, ...further]);
}
