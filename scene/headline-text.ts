import { cleanText } from "./text.ts";

/** A label as a headline: in capitals, but for the v of 1v3. */
export function headlineText(label: string): string {
  return cleanText(label)
    .toUpperCase()
    .replace(/(\d)V(\d)/g, "$1v$2");
}
