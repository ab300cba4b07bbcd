/** Names of zones that were asked for, by what they were asked for as. Kept: finding one out takes a third of a millisecond. */
const found = new Map<string, string>();
/** There are 600; written in small and capital letters anyhow, any number. */
const maxFound = 2000;

/**
 * The time zone that is meant, by the one name that the engine has for it: whatever is kept for a zone is not kept once for every way of
 * writing it.
 * @param name IANA name, in whatever letters
 * @returns null where there is no such zone
 */
export function timeZoneNamed(name: string): string | null {
  const known = found.get(name);
  if (known !== undefined) return known;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions();
    if (found.size < maxFound) found.set(name, timeZone);
    return timeZone;
  } catch {
    return null;
  }
}
