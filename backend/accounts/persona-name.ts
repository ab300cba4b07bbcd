const longestName = 64;

/**
 * A player's name as it may be stored and shown: without control characters and without characters that turn the direction
 * of the text around them, in one line, at most 64 characters. It stays untrusted text: escape it where it is shown.
 */
export function cleanPersonaName(name: string): string {
  const visible = name
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, " ")
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return [...visible].slice(0, longestName).join("").trim();
}
