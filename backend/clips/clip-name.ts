import { boundedLine, textLimits } from "../../contract/text-limits.ts";

/**
 * A clip's name as it is stored.
 * @returns "" when nothing is left of it
 */
export function cleanClipName(typed: string): string {
  return boundedLine(typed, textLimits.clipName);
}
