import { LRUCache } from "lru-cache";
import type { HighlightMoment } from "../../highlights/highlight.ts";
import type { Services } from "../../services.ts";
import type { DemoRow, HighlightRow } from "../../storage/schema.ts";
import { firstHeadBytes, type PicturePlace, picturePlaces } from "../../video/picture-file.ts";

/** After this long, failed pictures are requested again when somebody opens the match. */
export const againAfterHours = 12;

/** Name of a highlight's still within the pictures of its match. It stays the same when the highlight is detected anew by other rules. */
export function stillName(row: Pick<HighlightRow, "player"> & DecidedHighlight) {
  return `still-${row.player}-${decisiveTick(row)}.webp`;
}

type DecidedHighlight = Pick<HighlightRow, "type" | "moments" | "start_tick" | "end_tick">;

/**
 * Tick of the kill or defuse that completes a highlight; the end of a clutch without either; the middle of such a moment that was marked by
 * hand.
 */
export function decisiveTick({ type, moments, start_tick: startTick, end_tick: endTick }: DecidedHighlight): number {
  const last = (moments as HighlightMoment[]).at(-1);
  return last?.tick ?? (type === "custom" ? Math.round((startTick + endTick) / 2) : endTick);
}

/** Requests the pictures of a match that has none, at most once in a while. Called when a player opens the match. */
export async function requestPictures(
  { database, jobs, now }: Services,
  demo: Pick<DemoRow, "sha256" | "track_key" | "pictures_key" | "pictures_tried_at">,
): Promise<void> {
  if (!demo.track_key || demo.pictures_key) return;
  const before = new Date(now().getTime() - againAfterHours * 3600_000);
  if (demo.pictures_tried_at && demo.pictures_tried_at > before) return;
  await database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("demos")
      .set({ pictures_tried_at: now() })
      .where("sha256", "=", demo.sha256)
      .where("pictures_key", "is", null)
      .where((row) => row.or([row("pictures_tried_at", "is", null), row("pictures_tried_at", "<=", before)]))
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await jobs.send("pictures", { sha256: demo.sha256 }, { ownerId: null, transaction });
  });
}

/** Heads of files of pictures. A key always names the same content. */
const knownPlaces = new LRUCache<string, Map<string, PicturePlace>>({ max: 200 });

/** Finds a picture within the pictures of a match. @returns null when there is none of that name, or the file is gone */
export async function findPicture(
  { blobs }: Pick<Services, "blobs">,
  key: string,
  name: string,
): Promise<PicturePlace | null> {
  const known = knownPlaces.get(key);
  if (known) return known.get(name) ?? null;
  const stat = await blobs.stat(key, "visitor");
  if (!stat) return null;
  const read = async (bytes: number) => {
    const stream = await blobs.read(key, { start: 0, end: Math.min(bytes, stat.bytes) - 1 }, "visitor");
    return new Uint8Array(await new Response(stream as unknown as BodyInit).arrayBuffer());
  };
  let found = picturePlaces(await read(firstHeadBytes), stat.bytes);
  if (typeof found === "number") found = picturePlaces(await read(found), stat.bytes);
  if (typeof found === "number") return null;
  knownPlaces.set(key, found);
  return found.get(name) ?? null;
}

/** Forgets the head of a file that turned out to be gone. */
export function forgetPictures(key: string): void {
  knownPlaces.delete(key);
}
