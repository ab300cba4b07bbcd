import { timingSafeEqual } from "node:crypto";
import { parseClipAddress } from "../../contract/clip-address.ts";
import { clipLink } from "../clips/clip-link.ts";
import type { ApiContext } from "./request-context.ts";
import { loadSession } from "./request-security.ts";
import { clipNotFound } from "./routes/one-clip.ts";

/**
 * Before any call that names a clip: an unlisted one is there only for who gives its key, and for its owner. To everybody else it is
 * as if it did not exist.
 * @throws ApiError 404
 */
export async function requireReachableClip(c: ApiContext): Promise<void> {
  const address = parseClipAddress(c.req.param("id") ?? "");
  const link = address && (await clipLink(c.get("services"), address.id));
  if (!link || link.linkKey === null || isEqual(address.linkKey, link.linkKey)) return;
  // Files are given out without a look at who asks: their addresses have the key.
  if (!c.get("user")) await loadSession(c, async () => {});
  if (c.get("user")?.id !== link.ownerId) throw clipNotFound();
  c.set("isOpenToOwnerAlone", true);
}

function isEqual(given: string | null, expected: string): boolean {
  if (given?.length !== expected.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
