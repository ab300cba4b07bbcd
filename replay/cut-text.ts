import { maxTextLength } from "./track-format.ts";

/** A text as long as names in what is read may be; "" for what is no text. @returns no half of a character at the end */
export function cut(text: string): string {
  if (typeof text !== "string") return "";
  return text.length <= maxTextLength ? text : text.slice(0, maxTextLength).replace(/[\ud800-\udbff]$/, "");
}
