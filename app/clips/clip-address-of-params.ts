import { clipAddress, parseClipAddress } from "../../contract/clip-address.ts";

/**
 * What stands for the clip in a page's address, as calls take it: its number, with the key of an unlisted clip.
 * @throws Response 404 for what can be none, as for a clip that does not exist
 */
export function clipAddressFromParams(params: { clipId?: string }): string {
  const read = parseClipAddress((params.clipId ?? "").replace(/^0+(?=\d)/, ""));
  if (!read) throw new Response("The requested CS2 clip could not be found", { status: 404 });
  return clipAddress(read.id, read.linkKey);
}
