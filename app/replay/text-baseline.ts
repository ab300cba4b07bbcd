/** How far below the middle of a line its letters stand, in font sizes: half of what ascent and descent of a font differ by. */
const dropOf = { rajdhani: 0.292, inter: 0.364, both: 0.311, han: 0.436 };

/**
 * Where the server's canvas puts the baseline of a text whose "middle" is asked for: it goes by the ascent and descent of the fonts that
 * the text is written in, browsers by the first font's em square. Two pixels in a headline.
 */
export function baselineDrop(text: string): number {
  if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(text)) return dropOf.han;
  if (!/[\p{sc=Cyrillic}\p{sc=Greek}]/u.test(text)) return dropOf.rajdhani;
  return /\p{sc=Latin}/u.test(text) ? dropOf.both : dropOf.inter;
}

type TextContext = Pick<CanvasRenderingContext2D, "fillText" | "strokeText" | "font" | "textBaseline">;

/** Makes a context write texts as high as the server's canvas does. */
export function writeAsServer(context: TextContext): void {
  const drawn = { fillText: context.fillText.bind(context), strokeText: context.strokeText.bind(context) };
  for (const name of ["fillText", "strokeText"] as const) {
    context[name] = (text, x, y) => {
      if (context.textBaseline !== "middle") return drawn[name](text, x, y);
      const [, size = "0"] = /([\d.]+)px/.exec(context.font) ?? [];
      context.textBaseline = "alphabetic";
      drawn[name](text, x, y + Number(size) * baselineDrop(text));
      context.textBaseline = "middle";
    };
  }
}
