import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Visibility } from "../../contract/clip-address.ts";
import { Refusal } from "../refusal.ts";
import type { Services } from "../services.ts";
import { keptPlan } from "../storage/kept-plan.ts";
import { dropFromTopLists, outdateTopLists } from "./lists/top-lists.ts";
import { forgetClip } from "./load-clips.ts";

interface ClipLink {
  ownerId: number;
  /** Null of a public clip. */
  linkKey: string | null;
}

/** A page asks for a clip several times within moments, and a player for its video in ranges. */
const freshMs = 1000;
const maxKept = 5000;

const links = new WeakMap<Services["database"], LRUCache<number, Promise<ClipLink | null>>>();

/** A new key for the address of an unlisted clip: 128 random bits. */
export function newLinkKey(visibility: Visibility | undefined): string | null {
  return visibility === "unlisted" ? randomBytes(16).toString("base64url") : null;
}

/** By what address a clip is found, up to a second old. @returns null when there is no such clip */
export function clipLink({ database }: Services, clipId: number): Promise<ClipLink | null> {
  const kept = links.get(database) ?? new LRUCache({ max: maxKept, ttl: freshMs, ttlResolution: 0 });
  links.set(database, kept);
  const known = kept.get(clipId);
  if (known) return known;
  const asked = database
    .selectFrom("clips")
    .modifyFront(keptPlan)
    .select(["user_id as ownerId", "link_key as linkKey"])
    .where("id", "=", clipId)
    .executeTakeFirst()
    .then((row) => row ?? null);
  kept.set(clipId, asked);
  // Neither a failure nor a clip that is not there yet is anybody else's answer.
  const forget = () => {
    if (kept.peek(clipId) === asked) kept.delete(clipId);
  };
  asked.then((row) => row ?? forget(), forget);
  return asked;
}

/**
 * Lists a player's own clip, or takes it out of every list and gives it an address with a new key. One that is what is asked for
 * stays as it is, with its address.
 * @throws Refusal for a clip that is not theirs
 */
export async function setVisibility(
  services: Services,
  userId: number,
  clipId: number,
  visibility: Visibility,
): Promise<void> {
  const { database } = services;
  const { numUpdatedRows } = await database
    .updateTable("clips")
    .set({ link_key: newLinkKey(visibility), edited_at: services.now() })
    .where("id", "=", clipId)
    .where("user_id", "=", userId)
    .where("link_key", visibility === "unlisted" ? "is" : "is not", null)
    .executeTakeFirst();
  links.get(database)?.delete(clipId);
  if (numUpdatedRows === 0n) {
    if ((await clipLink(services, clipId))?.ownerId !== userId) throw Refusal.notFound("Clip not found");
    return;
  }
  forgetClip(services, clipId);
  if (visibility === "unlisted") dropFromTopLists(services, [clipId]);
  else outdateTopLists(services);
}
