import { LRUCache } from "lru-cache";
import { clipAddress } from "../../contract/clip-address.ts";
import type { Services } from "../services.ts";
import { anyOf } from "../storage/any-of.ts";
import { keptPlan } from "../storage/kept-plan.ts";
import { isLikedBy } from "./lists/visible-clips.ts";
import { clipTitle, loopUrl, type PublicClip, readClips } from "./read-clips.ts";

/** A clip, and what of it is a visitor's own. */
export interface SeenClip extends PublicClip {
  isLiked: boolean;
}

/** For this long a finished clip is shown with the names and pictures of players as they were. */
const freshMs = 60_000;
const maxKept = 2000;

/**
 * Finished clips by id. Nothing of one changes but its name, its counters, its mark and the loop that comes later, which are read every time; what else
 * could (a player's new name) may be a minute old. A shared clip's page is then one small query instead of five.
 */
const finishedClips = new WeakMap<Services["database"], LRUCache<number, PublicClip>>();

/**
 * Clips with all that pages show of them, in a fixed number of queries however many there are.
 * @param viewerId null for a visitor who is signed out
 * @returns in the order of `ids`; ids of deleted clips are left out
 */
export async function loadClips(
  services: Services,
  ids: readonly number[],
  viewerId: number | null = null,
): Promise<SeenClip[]> {
  if (ids.length === 0) return [];
  const { database } = services;
  const kept =
    finishedClips.get(database) ?? new LRUCache<number, PublicClip>({ max: maxKept, ttl: freshMs, ttlResolution: 0 });
  finishedClips.set(database, kept);
  const counters = await database
    .selectFrom("clips")
    .select(["id", "name", "status", "likes_count", "views_count", "loop_key", "link_key", "made_for_you"])
    .select((row) => isLikedBy(viewerId)(row).as("isLiked"))
    .modifyFront(keptPlan)
    .where("id", "=", anyOf(ids))
    .execute();
  const clips = new Map<number, PublicClip>();
  const missing: number[] = [];
  for (const { id, name, status, likes_count, views_count, loop_key, link_key, made_for_you } of counters) {
    const found = status === "completed" ? kept.get(id) : undefined;
    const address = clipAddress(id, link_key);
    // Another process may have given it another address, or another name.
    if (found?.clip.public_id === address && found.clip.name === clipTitle({ id, name })) {
      const clip = { ...found.clip, likes_count, views_count, loop_url: loopUrl(address, loop_key) };
      clips.set(id, { ...found, isMadeForOwner: made_for_you, clip });
    } else missing.push(id);
  }
  for (const shown of await readClips(services, missing)) {
    const { id, render_status } = shown.clip;
    clips.set(id, shown);
    if (render_status === "completed") kept.set(id, shown);
    else kept.delete(id);
  }
  const liked = new Set(counters.filter(({ isLiked }) => isLiked).map(({ id }) => id));
  return ids.flatMap((id) => {
    const shown = clips.get(id);
    return shown ? { ...shown, isLiked: liked.has(id) } : [];
  });
}

/** A clip is read anew the next time it is shown, in this process; in others within a minute. */
export function forgetClip({ database }: Services, clipId: number): void {
  finishedClips.get(database)?.delete(clipId);
}
