import { sql } from "kysely";
import type { Clip } from "../../contract/api.ts";
import type { Services } from "../services.ts";
import { presentListedClips } from "./present-clip.ts";
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
  const clips = await presentListedClips(
    services,
    rows.map(({ id }) => id),
    null,
  );
  return Promise.all(
    clips.map(async (clip) => {
      const row = rows.find(({ id }) => id === clip.id);
      const published = row?.completed_at ?? row?.created_at ?? new Date(clip.created_at);
      const updated = row?.edited_at && row.edited_at > published ? row.edited_at : published;
      const isSmall = row?.share_key != null && row.share_key !== row.video_key;
      return {
        clip,
        publishedAt: published.toISOString(),
        updatedAt: updated.toISOString(),
        bytes: isSmall
          ? ((await services.blobs.stat(row.share_key ?? "", "visitor"))?.bytes ?? null)
          : (row?.video_bytes ?? null),
        hasShareFile: row?.share_key != null,
      };
    }),
  );
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
