import { limits } from "../../contract/limits.ts";
import { demoUrlTooLong } from "../../contract/schemas/imports.ts";
import { Refusal } from "../refusal.ts";

/**
 * Checks the address of a demo as a player types it. Whether the host may be asked is the downloader's business: a name
 * can resolve to another address by then.
 * @returns the address in its normal form, without a fragment
 * @throws Refusal with a sentence for the field `demo_url`
 */
export function checkedDemoUrl(typed: string): string {
  const refuse = (sentence: string) => Refusal.ofField("demo_url", sentence);
  const text = typed.trim();
  if (text === "") throw refuse("Please enter a demo URL");
  if (text.length > limits.demoUrlCharacters) throw refuse(demoUrlTooLong);
  if (!URL.canParse(text))
    throw refuse("This is not a URL. Enter the full address of a demo, beginning with https://.");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refuse("Only addresses that begin with http:// or https:// can be imported.");
  }
  if (url.username || url.password) throw refuse("The demo URL must not contain a user name or password.");
  const normal = normalDemoUrl(text);
  // Letters beyond ASCII and spaces become three characters and more.
  if (normal.length > limits.demoUrlCharacters) throw refuse(demoUrlTooLong);
  return normal;
}

/** An address as imports store it, by which they are found: what is none stays as it is. */
export function normalDemoUrl(typed: string): string {
  const text = typed.trim();
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.hash = "";
  return url.href;
}
