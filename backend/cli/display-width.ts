/** Letters of East Asia and pictures, which terminals draw two columns wide. */
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}])|\ufe0f/u;
/** Marks on their own take no column. */
const narrowest = /^\p{M}+$/u;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

const plain = /^[ -~]*$/;

/** Columns that a cleaned line takes in a terminal. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) columns += widthOf(segment);
  return columns;
}

function widthOf(grapheme: string): number {
  if (wide.test(grapheme)) return 2;
  return narrowest.test(grapheme) ? 0 : 1;
}

/** A line of at most so many columns, with an ellipsis where something was cut. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = "";
  let used = 1;
  for (const { segment } of graphemes.segment(text)) {
    used += widthOf(segment);
    if (used > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** A line filled up with spaces. */
export function padToWidth(text: string, columns: number, side: "left" | "right" = "right"): string {
  const spaces = " ".repeat(Math.max(0, columns - displayWidth(text)));
  return side === "right" ? text + spaces : spaces + text;
}

/** Lines of at most so many columns, broken between words; a word that is longer is cut. */
export function wrapToWidth(text: string, columns: number): string[] {
  if (displayWidth(text) <= columns) return [text];
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && displayWidth(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(cutToWidth(word, columns));
  }
  return lines;
}
