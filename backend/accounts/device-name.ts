import Bowser from "bowser";
import { textLimits } from "../../contract/text-limits.ts";

/**
 * A player's name for the device of a request, e.g. "Firefox on Windows".
 * @param userAgent the header as received
 * @returns null when it names neither browser nor system
 */
export function deviceName(userAgent: string): string | null {
  if (!userAgent) return null;
  const { browser, os } = Bowser.parse(userAgent.slice(0, textLimits.userAgent));
  const name = [browser.name, os.name].filter(Boolean).join(" on ");
  return name.replaceAll(/[^\w .+-]/g, "").slice(0, textLimits.deviceName) || null;
}
