/**
 * How long texts of strangers may be, in characters (code points): of demos, players, providers and requests. Every text is cut
 * to these where it comes in, and the database refuses longer ones (migration 002).
 */
export const textLimits = {
  mapName: 64,
  /** Event names such as `knife_survival_bowie`. */
  weapon: 64,
  hitGroup: 32,
  /** Steam allows 32. */
  playerName: 64,
  clanName: 64,
  serverName: 128,
  gameMode: 64,
  clipName: 200,
  /** Why something is a highlight. */
  reason: 200,
  /** What went wrong with an import or a render. */
  errorSentence: 500,
  url: 2048,
  /** Of a page with what its form holds: a sign-in carries it to the identity provider and back, in one address. */
  wayBack: 2000,
  /** Of matches, players and files, here and at providers. */
  id: 200,
  userAgent: 512,
  /** A time as ISO 8601 writes it, with room. */
  date: 64,
  /** A switch or a version in a query. */
  queryValue: 64,
} as const;

/** A text is looked at only so far before it is cleaned, so that nobody makes us clean megabytes. */
const readCharactersPerKept = 8;

const lineBreakers = /[\p{Cc}\p{Cs}\u2028\u2029]+/gu;
/** What turns the direction of the text around it, and marks without width that only programs need. */
const directionControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * A stranger's text as one line that may be stored and shown: without control characters and without characters that turn
 * the direction of the text around them, at most `most` code points, with no letter or emoji cut in two. It stays
 * untrusted: escape it where it is shown.
 * @returns "" when nothing is left of it
 */
export function boundedLine(text: string, most: number): string {
  const line = text
    .slice(0, most * readCharactersPerKept)
    .normalize("NFC")
    .replace(lineBreakers, " ")
    .replace(directionControls, "")
    .replace(/\s+/g, " ")
    .trim();
  return cut(line, most).trim();
}

function cut(line: string, most: number): string {
  const characters = Array.from(line);
  if (characters.length <= most) return line;
  let kept = "";
  let count = 0;
  // Made where it is needed: not every browser that shows our pages has one.
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(line)) {
    count += Array.from(segment).length;
    if (count > most) break;
    kept += segment;
  }
  // One letter under a tower of marks can be longer than all that is kept.
  return kept || characters.slice(0, most).join("");
}
