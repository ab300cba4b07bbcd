import { limits } from "../../contract/limits.ts";

/**
 * A clip's name as it is stored: one line without control or invisible direction characters (a name must not turn the
 * text around it), at most 200 characters (by code point, so no letter is cut in half).
 * @returns "" when nothing is left of it
 */
export function cleanClipName(typed: string): string {
  const line = typed
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, " ")
    .replace(/[\u202a-\u202e\u2066-\u2069\u200e\u200f\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return [...line].slice(0, limits.clipNameCharacters).join("").trim();
}
