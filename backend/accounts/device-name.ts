import Bowser from "bowser";
import { textLimits } from "../../contract/text-limits.ts";

/**
 * What a player calls the device that a request comes from, e.g. "Firefox on Windows".
 * @param userAgent the header as it came
 * @returns null when it tells neither browser nor system
 */
export function deviceName(userAgent: string): string | null {
  if (!userAgent) return null;
  const { browser, os } = Bowser.parse(userAgent.slice(0, textLimits.userAgent));
  const name = [browser.name, os.name].filter(Boolean).join(" on ");
  return name.replaceAll(/[^\w .+-]/g, "").slice(0, textLimits.deviceName) || null;
}
