import { topListNames } from "../../contract/schemas/clip-lists.ts";

/** Every field of an address that any page reads. A test holds it against `app`. */
const names =
  "account category clip clips demo demo_url format from go highlight id index left_out login logout make map marked next offset order page part " +
  "pick pictures player preview reason refresh round settings share t toggle type unfolded unlisted until untick uploaded uploadProblem url v weapon whose";
const read = new Set<string>([...topListNames, ...names.split(" ")]);

/**
 * An address without the fields that no page reads: what other sites add to a link, each visitor their own (`fbclid`, `utm_source`), and
 * what somebody makes up to be shown no page that others have been shown.
 */
export function withoutUnreadFields(address: URL): URL {
  const kept = [...address.searchParams].filter(([name]) => read.has(name));
  if (kept.length === address.searchParams.size) return address;
  const shown = new URL(address);
  shown.search = new URLSearchParams(kept).toString();
  return shown;
}
