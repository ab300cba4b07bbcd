import { boundedLine, textLimits } from "../../contract/text-limits.ts";

/** A player's name as it may be stored and shown. It stays untrusted text: escape it where it is shown. */
export function cleanPersonaName(name: string): string {
  return boundedLine(name, textLimits.playerName);
}
