import { topListNames } from "../../contract/schemas/clip-lists.ts";

/** All address fields that any page reads. A test compares this with `app`. */
const names =
  "account category clip clips demo demo_url format from go highlight id index left_out login logout make map marked next offset order page part " +
  "pick pictures player preview reason refresh round settings share t toggle type unfolded unlisted until untick uploaded uploadProblem url v weapon whose";
const read = new Set<string>([...topListNames, ...names.split(" ")]);

/**
 * Removes address fields that no page reads: those that other sites add to links for each visitor (`fbclid`, `utm_source`), and those made
 * up to bypass shared pages.
 */
export function withoutUnreadFields(address: URL): URL {
  const kept = [...address.searchParams].filter(([name]) => read.has(name));
  if (kept.length === address.searchParams.size) return address;
  const shown = new URL(address);
  shown.search = new URLSearchParams(kept).toString();
  return shown;
}
