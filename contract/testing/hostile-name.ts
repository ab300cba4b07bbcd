/** Every mark that turns the direction of text, some of those without width, loose joiners, half of an emoji. */
const unseen = [
  "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
  "\u00ad\u034f\u180e\u200b\u2060\u2064\u206f\ufeff\ufff9\u{e0041}",
].join("");

/** A name as somebody writes it who wants to turn a page around, or to look like somebody else. */
export const hostileName = `\u202eNo${unseen}\u200dva\u200c\ud83e\u0007 👩🏽\u200d🚀 می\u200cخواهم\u202c`;

/** What is left of it wherever it is shown. */
export const hostileNameCleaned = "Nova 👩🏽\u200d🚀 می\u200cخواهم";

/** Matches a text with a character in it that no page, answer or frame may have. */
export const unseenMark =
  /\u034f|[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9\u{e0041}]/u;
