import { timingSafeEqual } from "node:crypto";
import { parseClipAddress } from "../../contract/clip-address.ts";
import { clipLink } from "../clips/clip-link.ts";
import type { ApiContext } from "./request-context.ts";
import { loadSession } from "./request-security.ts";
import { clipNotFound } from "./routes/one-clip.ts";

/**
 * Precedes every call that names a clip: an unlisted one is found only with its key and by its owner.
 * @throws ApiError 404 for everybody else
 */
export async function requireReachableClip(c: ApiContext): Promise<void> {
  const address = parseClipAddress(c.req.param("id") ?? "");
  const link = address && (await clipLink(c.get("services"), address.id));
  if (!link || link.linkKey === null || isEqual(address.linkKey, link.linkKey)) return;
  // Calls for files do not look up the session first, since the address contains the key.
  if (!c.get("user")) await loadSession(c, async () => {});
  if (c.get("user")?.id !== link.ownerId) throw clipNotFound();
  c.set("isOpenToOwnerAlone", true);
}

function isEqual(given: string | null, expected: string): boolean {
  if (given?.length !== expected.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
