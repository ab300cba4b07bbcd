import { LRUCache } from "lru-cache";
import type { HighlightMoment } from "../../highlights/highlight.ts";
import type { Services } from "../../services.ts";
import type { DemoRow, HighlightRow } from "../../storage/schema.ts";
import { firstHeadBytes, type PicturePlace, picturePlaces } from "../../video/picture-file.ts";

/** What failed is tried again after so long, when somebody looks at the match. */
export const againAfterHours = 12;

/** The name of a highlight's still in the pictures of its match: a highlight found anew under other rules keeps it. */
export function stillName(row: Pick<HighlightRow, "player"> & DecidedHighlight) {
  return `still-${row.player}-${decisiveTick(row)}.webp`;
}

type DecidedHighlight = Pick<HighlightRow, "type" | "moments" | "start_tick" | "end_tick">;

/**
 * Of the kill or defuse that completes a highlight; of a clutch won without either, its end; of a moment that was marked by hand and has
 * neither, its middle.
 */
export function decisiveTick({ type, moments, start_tick: startTick, end_tick: endTick }: DecidedHighlight): number {
  const last = (moments as HighlightMoment[]).at(-1);
  return last?.tick ?? (type === "custom" ? Math.round((startTick + endTick) / 2) : endTick);
}

/** Asks for the pictures of a match that has none, once in a while: it is looked at by one of its players. */
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

/** Heads of files of pictures, which never change: keys name one content. */
const knownPlaces = new LRUCache<string, Map<string, PicturePlace>>({ max: 200 });

/** Where a picture lies in the pictures of a match. @returns null when there is none of that name, or the file is gone */
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

/** The file turned out to be gone. */
export function forgetPictures(key: string): void {
  knownPlaces.delete(key);
}
