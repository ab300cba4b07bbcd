/**
 * What strangers write (names in demos, Steam profiles, history providers, clip names) as it may be stored, shown and drawn.
 * The lengths are in `text-limits.ts`.
 */
import { textLimits } from "./text-limits.ts";

/** A text is looked at only so far before it is cleaned, so that nobody makes us clean megabytes. */
const readCharactersPerKept = 8;

/** What most names are made of. Nothing of it has to go, so they cost next to nothing. */
const plainLine = /^[!-~]+(?: [!-~]+)*$/;

/** Half characters too: they are no text, and break whatever encodes it. */
const lineBreakers = /[\p{Cc}\p{Cs}\u2028\u2029]+/gu;

/**
 * Marks nobody sees: those that turn the direction of the text around them, and those without width, by which two names that
 * look alike differ. Signs that are seen although Unicode calls them formats (Arabic numbers, hieroglyphs in a box) stay;
 * joiners and the tags of flags are looked at one by one.
 */
const unseen =
  /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u200c-\u200d\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{e0020}-\u{e007f}])(?:\p{Cf}|\u034f)/gu;

const joinersAndTags = /[\u200c-\u200d\u{e0020}-\u{e007f}]+/gu;
/** The flags of England, Scotland and Wales: a black flag, a region in tags, the end. */
const flagTags = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}/u;
const endsWithPictograph = /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*$/u;
const beginsWithPictograph = /^\p{Extended_Pictographic}/u;
/** Of scripts whose letters change their shape at a joiner: Persian is misspelt without them, Sinhala and Malayalam too. */
const joiningLetter =
  "(?=\\p{L})[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Nkoo}\\p{scx=Mand}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Java}]";
/** With its vowels and accents, in whatever order they come: normalising sorts them. */
const endsWithJoiningLetter = new RegExp(`${joiningLetter}\\p{M}*$`, "u");
const beginsWithJoiningLetter = new RegExp(`^(?:${joiningLetter}|\\p{M})`, "u");
/** Characters (of UTF-16) before a joiner that can tell what it joins: a pictograph with its colour, a letter with its marks, with room. */
const joinedReach = 16;

/**
 * A stranger's text as one line: without control characters, without marks that turn the direction of the text around them or
 * that nobody sees, without half characters. Joiners stay where letters or emoji need them. It stays untrusted: escape it
 * where it is shown.
 * @returns "" when nothing is left of it; the same text again for what was cleaned before
 */
export function cleanLine(text: string): string {
  if (plainLine.test(text)) return text;
  return withoutLooseMarks(text.replace(lineBreakers, " ").replace(unseen, ""))
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * A cleaned line of at most `max` code points, with no letter or emoji cut in two.
 * @returns "" when nothing is left of it
 */
export function boundedLine(text: string, max: number): string {
  const line = cleanLine(text.slice(0, max * readCharactersPerKept));
  return withoutLooseMarks(cut(line, max)).trim();
}

/** A name of a player, user or bot. @returns "" when nothing is left of it */
export function cleanPlayerName(name: string): string {
  return boundedLine(name, textLimits.playerName);
}

/** A name of a clip. @returns "" when nothing is left of it */
export function cleanClipName(name: string): string {
  return boundedLine(name, textLimits.clipName);
}

/** Joiners that join nothing and tags of no flag are as unseen as the other marks. */
function withoutLooseMarks(line: string): string {
  return line.replace(joinersAndTags, (marks: string, at: number) => {
    const before = line.slice(Math.max(0, at - joinedReach), at);
    const tags = before.endsWith("\u{1f3f4}") ? flagTags.exec(marks)?.[0] : undefined;
    if (tags) return tags;
    const [joiner] = marks;
    if (joiner !== "\u200c" && joiner !== "\u200d") return "";
    const after = line.slice(at + marks.length, at + marks.length + 2);
    return isNeeded(joiner, before, after) ? joiner : "";
  });
}

function isNeeded(joiner: "\u200c" | "\u200d", before: string, after: string): boolean {
  if (joiner === "\u200c") return endsWithJoiningLetter.test(before) && beginsWithJoiningLetter.test(after);
  // A letter may be joined to nothing, to show the shape that it has within a word.
  return endsWithJoiningLetter.test(before) || (endsWithPictograph.test(before) && beginsWithPictograph.test(after));
}

function cut(line: string, max: number): string {
  const characters = Array.from(line);
  if (characters.length <= max) return line;
  let kept = "";
  let count = 0;
  // Made where it is needed: not every browser that shows our pages has one.
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(line)) {
    count += Array.from(segment).length;
    if (count > max) break;
    kept += segment;
  }
  // One letter under a tower of marks can be longer than all that is kept.
  return kept || characters.slice(0, max).join("");
}
