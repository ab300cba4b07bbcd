/** Reads a CSS unicode-range, such as `U+0000-00FF,U+0131`. @returns whether a character, by its code point, is in it */
export function coverage(range: string): (codePoint: number) => boolean {
  const spans = range.split(",").map((span) => {
    const [first = "", last = first] = span.trim().slice(2).split("-");
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
  });
  return (codePoint) => spans.some(([first, last]) => codePoint >= first && codePoint <= last);
}
