import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Clip } from "../../../contract/schemas/clips.ts";
import type { Services } from "../../services.ts";
import { outageOf } from "../../waits/outage.ts";
import { presentPublicClips } from "../present-clip.ts";
import { finishedAndListed } from "./visible-clips.ts";

/** Readers ask every hour or so, and nobody finishes more in that time. */
const entries = 30;
/** Of one player among everybody's, while there are others: whoever renames or lists many clips at once does not push them out. */
const entriesOfPlayer = 10;
/** Looked through for everybody's feed. */
const candidates = 10 * entries;

/** A clip of a feed, with what an enclosure has to say of its file. */
export interface FeedClip {
  clip: Clip;
  /** When its video was ready: ISO 8601. */
  publishedAt: string;
  /** When it was renamed or listed after that; else the same. */
  updatedAt: string;
  /** Of the file for chat apps where there is one, else of the video; null where it is not known. */
  bytes: number | null;
  hasShareFile: boolean;
}

/**
 * When readers have something to be told of a clip, whenever it was asked for: its video became ready, or it was renamed or listed after
 * that. Word for word as the indexes `clips_told` and `clips_user_told` have it.
 */
const toldAt = sql`greatest(coalesce(completed_at, created_at), edited_at)`;

/**
 * The listed clips of a player, or of everybody, of which there was something to be told last.
 * @param userId null for everybody's
 */
export async function newestClips(services: Services, userId: number | null): Promise<FeedClip[]> {
  const told = await services.database
    .selectFrom("clips")
    .select(["id", "user_id", "created_at", "completed_at", "edited_at", "share_key", "video_key", "video_bytes"])
    .where(finishedAndListed)
    .$if(userId !== null, (query) => query.where("user_id", "=", userId))
    .orderBy(toldAt, "desc")
    .orderBy("id", "desc")
    .limit(userId === null ? candidates : entries)
    .execute();
  const rows = userId === null ? withFewOfEach(told) : told;
  const clips = await presentPublicClips(
    services,
    rows.map(({ id }) => id),
    null,
  );
  const sizes = await shareFileSizes(
    services,
    rows.flatMap(({ share_key, video_key }) => (share_key !== null && share_key !== video_key ? [share_key] : [])),
  );
  return clips.map((clip) => {
    const row = rows.find(({ id }) => id === clip.id);
    const published = row?.completed_at ?? row?.created_at ?? new Date(clip.created_at);
    const updated = row?.edited_at && row.edited_at > published ? row.edited_at : published;
    const isSmall = row?.share_key != null && row.share_key !== row.video_key;
    return {
      clip,
      publishedAt: published.toISOString(),
      updatedAt: updated.toISOString(),
      bytes: isSmall ? (sizes.get(row.share_key ?? "") ?? null) : (row?.video_bytes ?? null),
      hasShareFile: row?.share_key != null,
    };
  });
}

/** Bytes by key, of each store: a file that a clip names is written once, and stays as it is. */
const knownSizes = new WeakMap<Services["blobs"], LRUCache<string, number>>();
const maxKnownSizes = 5000;

/**
 * Bytes of files for chat apps, by key; no row has them. The store is asked once for each. What it does not tell, since it is away or the
 * file is gone, is left out: readers do without a length.
 */
async function shareFileSizes({ blobs, log }: Services, keys: readonly string[]): Promise<Map<string, number>> {
  const known = knownSizes.get(blobs) ?? new LRUCache<string, number>({ max: maxKnownSizes });
  knownSizes.set(blobs, known);
  const sizes = new Map<string, number>();
  const askFor = async (key: string) => {
    const bytes = known.get(key) ?? (await blobs.stat(key, "visitor"))?.bytes;
    if (bytes === undefined) return;
    known.set(key, bytes);
    sizes.set(key, bytes);
  };
  const asked = await Promise.allSettled(keys.map(askFor));
  const failures = asked.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
  for (const error of failures) if (outageOf(error) !== "store") throw error;
  if (failures.length > 0) log.warn({ err: failures[0], files: failures.length }, "feed without lengths of files");
  return sizes;
}

/** As many as a feed has, in their order: few of each player, and more where that leaves room. */
function withFewOfEach<Row extends { id: number; user_id: number }>(rows: readonly Row[]): Row[] {
  const taken = new Map<number, number>();
  const isAmongFew = ({ user_id }: Row) => {
    const count = (taken.get(user_id) ?? 0) + 1;
    taken.set(user_id, count);
    return count <= entriesOfPlayer;
  };
  const few = rows.filter(isAmongFew).slice(0, entries);
  const others = rows.filter((row) => !few.includes(row));
  const chosen = new Set([...few, ...others.slice(0, entries - few.length)]);
  return rows.filter((row) => chosen.has(row));
}
