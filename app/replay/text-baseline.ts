/** Ascent and descent, in font sizes, of the fonts that letters come from. */
const faces = [
  { letters: /\p{sc=Latin}/u, ascent: 0.93, descent: 0.346 },
  { letters: /[\p{sc=Cyrillic}\p{sc=Greek}]/u, ascent: 0.969, descent: 0.241 },
  { letters: /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u, ascent: 1.16, descent: 0.288 },
  { letters: /\p{sc=Arabic}/u, ascent: 1.374, descent: 0.738 },
  { letters: /[\p{sc=Hebrew}\p{sc=Georgian}\p{sc=Armenian}]/u, ascent: 1.069, descent: 0.293 },
  { letters: /\p{sc=Thai}/u, ascent: 1.061, descent: 0.45 },
];

/**
 * Where the server's canvas puts the baseline of a text whose "middle" is asked for, below it in font sizes: it goes by the highest ascent
 * and the lowest descent of the fonts that the text is written in, browsers by the first font's em square. Two pixels in a headline.
 */
export function baselineDrop(text: string): number {
  const found = faces.filter(({ letters }) => letters.test(text));
  const used = found.length > 0 ? found : faces.slice(0, 1);
  return (Math.max(...used.map(({ ascent }) => ascent)) - Math.max(...used.map(({ descent }) => descent))) / 2;
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
