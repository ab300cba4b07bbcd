import { limits } from "../../../contract/limits.ts";

const anyOrigin = "http://local.invalid";
const ofOneVisit = ["login", "logout", "reason", "uploaded", "uploadProblem", "marked"];
const notChosen = ["inPlace", "intent"];
/** Why a page led to the start page, as `login` of its query says: a session has ended, a server is for members, a page needs a session. */
export const ledHere = ["ended", "members", "needed"] as const;
export type LedHere = (typeof ledHere)[number];

/**
 * A page's address with what its form holds: the server draws the page from it as it was (decision 080).
 * @param address of this site, from its path on
 * @param form what was ticked and typed
 */
export function addressWith(address: string, form?: FormData | null): string {
  const { pathname, searchParams: query, hash } = new URL(address, anyOrigin);
  for (const name of [...ofOneVisit, ...(form?.keys() ?? [])]) query.delete(name);
  for (const [name, value] of form ?? []) {
    if (typeof value === "string" && value && !notChosen.includes(name)) query.append(name, value);
  }
  return `${pathname}${query.size > 0 ? `?${query}` : ""}${hash}`;
}

/** The same for after a sign-in, which cannot carry more than so many characters along; then the page alone. */
export function wayBack(address: string, form?: FormData | null): string {
  const { pathname, searchParams: query } = new URL(address, anyOrigin);
  const isLedHere = ledHere.some((reason) => reason === query.get("login"));
  const whole = isLedHere ? (query.get("next") ?? "/") : addressWith(address, form);
  return whole.length <= limits.wayBackCharacters ? whole : pathname;
}
