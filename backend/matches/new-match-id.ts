import { randomInt } from "node:crypto";

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";

/** An opaque id for a match: 12 letters and digits, so 62 random bits. It never contains an underscore. */
export function newMatchId(): string {
  return Array.from({ length: 12 }, () => alphabet[randomInt(alphabet.length)]).join("");
}
