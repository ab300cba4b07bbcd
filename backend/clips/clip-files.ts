import { LRUCache } from "lru-cache";
import { cleanClipName } from "../../contract/clean-text.ts";
import type { Services } from "../services.ts";
import type { ClipRow } from "../storage/schema.ts";

/** What an answer with a clip's video or pictures needs to know. */
export type ClipFiles = Pick<ClipRow, "name" | "user_id" | "status" | "video_key" | "poster_key" | "thumbnail_key">;

/** A player asks for a video in ranges and for its pictures, all within moments: one look at the row is enough for them. */
const freshMs = 1000;
const maxKept = 1000;

/**
 * Finished clips by id: of one, none of this changes. A clip deleted meanwhile has no files any more, which whoever reads them
 * finds out.
 */
const finished = new WeakMap<Services["database"], LRUCache<number, ClipFiles>>();

/** @returns null when there is no such clip */
export async function clipFiles(services: Services, clipId: number): Promise<ClipFiles | null> {
  const { database } = services;
  const kept =
    finished.get(database) ?? new LRUCache<number, ClipFiles>({ max: maxKept, ttl: freshMs, ttlResolution: 0 });
  finished.set(database, kept);
  const known = kept.get(clipId);
  if (known) return known;
  const files = await database
    .selectFrom("clips")
    .select(["name", "user_id", "status", "video_key", "poster_key", "thumbnail_key"])
    .where("id", "=", clipId)
    .executeTakeFirst();
  if (!files) return null;
  const cleaned = { ...files, name: cleanClipName(files.name) };
  if (files.status === "completed") kept.set(clipId, cleaned);
  return cleaned;
}
