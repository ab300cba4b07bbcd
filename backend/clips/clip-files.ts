import { LRUCache } from "lru-cache";
import { cleanClipName } from "../../contract/clean-text.ts";
import { type ClipFormat, formatOfSize } from "../../contract/clip-formats.ts";
import type { Services } from "../services.ts";
import { keptPlan } from "../storage/kept-plan.ts";
import type { ClipRow } from "../storage/schema.ts";

/** What an answer with a clip's video or pictures needs to know. */
export type ClipFiles = Pick<
  ClipRow,
  | "name"
  | "user_id"
  | "status"
  | "video_key"
  | "poster_key"
  | "wide_poster_key"
  | "thumbnail_key"
  | "share_key"
  | "loop_key"
>;

/** A player asks for a video in ranges and for its pictures, all within moments: one look at the row is enough for them. */
const freshMs = 1000;
const maxKept = 1000;

/**
 * Finished clips by id, and formats that were added to them: of one, nothing of this changes but the file for chat apps and the
 * loop that come later. A clip deleted meanwhile has no files any more, which whoever reads them finds out.
 */
const finished = new WeakMap<Services["database"], LRUCache<string, ClipFiles>>();

/**
 * @param format without one, or with that in which the clip was created, the clip's own files; of an added one its video and
 *   poster alone
 * @returns null when there is no such clip, or it has no such format
 */
export async function clipFiles(services: Services, clipId: number, format?: ClipFormat): Promise<ClipFiles | null> {
  const { database } = services;
  const kept =
    finished.get(database) ?? new LRUCache<string, ClipFiles>({ max: maxKept, ttl: freshMs, ttlResolution: 0 });
  finished.set(database, kept);
  const key = `${clipId} ${format ?? ""}`;
  const known = kept.get(key);
  if (known) return known;
  const files = format === undefined ? await ownFiles(services, clipId) : await filesIn(services, clipId, format);
  if (files?.status === "completed") kept.set(key, files);
  return files;
}

/** What a format that was added does not have. */
const ofClipAlone = { wide_poster_key: null, thumbnail_key: null, share_key: null, loop_key: null };

async function ownFiles({ database }: Services, clipId: number): Promise<ClipFiles | null> {
  const files = await database
    .selectFrom("clips")
    .modifyFront(keptPlan)
    .select([
      "name",
      "user_id",
      "status",
      "video_key",
      "poster_key",
      "wide_poster_key",
      "thumbnail_key",
      "share_key",
      "loop_key",
    ])
    .where("id", "=", clipId)
    .executeTakeFirst();
  return files ? { ...files, name: cleanClipName(files.name) } : null;
}

async function filesIn(services: Services, clipId: number, format: ClipFormat): Promise<ClipFiles | null> {
  const added = await services.database
    .selectFrom("clip_formats")
    .innerJoin("clips", "clips.id", "clip_formats.clip_id")
    .modifyFront(keptPlan)
    .select([
      "clips.name",
      "clip_formats.user_id",
      "clip_formats.status",
      "clip_formats.video_key",
      "clip_formats.poster_key",
    ])
    .where("clip_id", "=", clipId)
    .where("format", "=", format)
    .executeTakeFirst();
  if (added) return { ...added, ...ofClipAlone, name: cleanClipName(added.name) };
  const clip = await services.database.selectFrom("clips").select("spec").where("id", "=", clipId).executeTakeFirst();
  return clip && formatOfSize(clip.spec) === format ? ownFiles(services, clipId) : null;
}
