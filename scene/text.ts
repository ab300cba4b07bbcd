import { cleanLine } from "../contract/clean-text.ts";
import type { MeasureText, SpriteContext, SpriteKit } from "./display-list.ts";

/** Characters without a glyph, or with a box: private, unassigned and format characters. Joiners and tags of flags stay. */
const undrawable = /(?![\u200c-\u200d\u{e0020}-\u{e007f}])[\p{Cf}\p{Co}\p{Cn}]/gu;
const emojiCluster = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;
/** Digits and signs are pictographs only with a variation selector. */
const plainPictograph = /^[\p{N}#*\u00a9\u00ae\u2122]\p{M}*$/u;
const maxMarks = 3;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Text as players see it: grapheme clusters. */
export function splitClusters(text: string): string[] {
  return Array.from(segmenter.segment(text), (segment) => segment.segment);
}

/**
 * Makes a stranger's text drawable: a clean line (`cleanLine`) of what fonts can draw, without stacks of combining marks.
 * Names are cleaned on import, but here too: replay tracks live for two years, and the names in the first ones were not.
 */
export function cleanText(text: string): string {
  return splitClusters(cleanLine(text).replace(undrawable, "").trim())
    .map((cluster) => (emojiCluster.test(cluster) ? cluster : limitMarks(cluster)))
    .join("");
}

function limitMarks(cluster: string): string {
  let marks = 0;
  return Array.from(cluster)
    .filter((character) => !/\p{M}/u.test(character) || ++marks <= maxMarks)
    .join("");
}

export interface TextRun {
  text: string;
  isEmoji: boolean;
  x: number;
  width: number;
}

/** A line of text laid out: runs of letters and emoji from left to right. */
export interface TextLine {
  runs: TextRun[];
  width: number;
  font: string;
  /** Font size in pixels; emoji are this high. */
  size: number;
}

/** The text of a line, as far as it fits. */
export function writtenIn(line: TextLine): string {
  return line.runs.map(({ text }) => text).join("");
}

/** Lays out one line; emoji that the kit has no picture of are left out. */
export function layOutLine(text: string, font: string, size: number, measure: MeasureText, kit: SpriteKit): TextLine {
  const runs: TextRun[] = [];
  let letters = "";
  let x = 0;
  const endLetters = () => {
    if (letters === "") return;
    const width = measure(letters, font).width;
    runs.push({ text: letters, isEmoji: false, x, width });
    x += width;
    letters = "";
  };
  for (const cluster of splitClusters(text)) {
    if (!emojiCluster.test(cluster) || plainPictograph.test(cluster)) {
      letters += cluster;
      continue;
    }
    if (kit.emoji(cluster) === null) continue;
    endLetters();
    runs.push({ text: cluster, isEmoji: true, x: x + size * 0.06, width: size });
    x += size * 1.12;
  }
  endLetters();
  return { runs, width: x, font, size };
}

/** The longest beginning of the text that fits, with an ellipsis if anything is cut off. */
export function fitLine(
  text: string,
  font: string,
  size: number,
  widest: number,
  measure: MeasureText,
  kit: SpriteKit,
): TextLine {
  const whole = layOutLine(text, font, size, measure, kit);
  if (whole.width <= widest) return whole;
  const clusters = splitClusters(text);
  let fits = 0;
  let tooLong = clusters.length;
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    const line = layOutLine(shortened(clusters, middle), font, size, measure, kit);
    if (line.width <= widest) fits = middle;
    else tooLong = middle;
  }
  return layOutLine(shortened(clusters, fits), font, size, measure, kit);
}

/** Leftovers at a cut: the first letters of a word, or opening and joining marks. */
const beginnings = /(?<=\S{3})\s+\S{1,2}$/u;
const openMarks = /(?<=\S)[\s"'([{<|·•:;,/\\\p{Ps}\p{Pi}\p{Pd}]+$/u;

function shortened(clusters: string[], count: number): string {
  const kept = clusters.slice(0, count).join("");
  const isInWord = /\S$/u.test(kept) && /^\S/u.test(clusters[count] ?? "");
  return `${(isInWord ? kept.replace(beginnings, "") : kept).trimEnd().replace(openMarks, "")}…`;
}

/** Paints a line with its left edge at x and its middle at y. */
export function paintLine(
  context: SpriteContext,
  kit: SpriteKit,
  line: TextLine,
  x: number,
  y: number,
  colour: string,
  outline?: { colour: string; width: number },
): void {
  context.font = line.font;
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (const run of line.runs) {
    if (run.isEmoji) {
      const picture = kit.emoji(run.text);
      if (picture) context.drawImage(picture, x + run.x, y - line.size * 0.52, run.width, run.width);
      continue;
    }
    if (outline) {
      context.lineJoin = "round";
      context.lineWidth = outline.width;
      context.strokeStyle = outline.colour;
      context.strokeText(run.text, x + run.x, y);
    }
    context.fillStyle = colour;
    context.fillText(run.text, x + run.x, y);
  }
}
