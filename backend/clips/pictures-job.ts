import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { clipFormats } from "../../contract/clip-formats.ts";
import { limits } from "../../contract/limits.ts";
import type { HighlightMoment } from "../highlights/highlight.ts";
import { type JobContext, PostponeJob } from "../jobs/job-queue.ts";
import { mapInForce } from "../maps/map-files.ts";
import { openClipMap } from "../maps/open-clip-map.ts";
import type { Services } from "../services.ts";
import { BlobMissingError } from "../storage/blob-store.ts";
import { abortWhenFull } from "../storage/disk-space.ts";
import { requireStore } from "../storage/require-store.ts";
import type { StillMoment } from "../video/match-pictures.ts";
import { startPictures } from "../video/start-pictures.ts";
import { keptReliefs, reliefNames } from "./clip-reliefs.ts";
import { decisiveTick, stillName } from "./match-pictures.ts";

/** How soon pictures that wait for disk space are tried again. */
const waitForDiskMs = 60_000;
/** Previews of all formats are drawn on the ground of this one: it is as fine as any of them needs on a page. */
const frame = clipFormats["720p"];

/**
 * The job `pictures`: draws the stills of a match's highlights and packs its ground for browsers, all in one file. Idempotent: a second
 * run finds that they are there. Whatever becomes of it, the match stays as it is, and cards show a placeholder.
 */
export async function runPicturesJob(
  services: Services,
  { sha256 }: { sha256: string },
  context: JobContext,
): Promise<void> {
  const { database, blobs, containment, diskSpace } = services;
  const demo = await database
    .selectFrom("demos")
    .select(["track_key", "map", "pictures_key"])
    .where("sha256", "=", sha256)
    .executeTakeFirst();
  if (!demo?.track_key || demo.pictures_key) return;
  if (diskSpace.isShort(true)) throw new PostponeJob("The disk has no room for pictures.", waitForDiskMs);
  await requireStore(services);
  const moments = await momentsOf(services, sha256);
  const mapHash = await mapInForce(services, demo.map);
  const version = randomBytes(4).toString("hex");
  const folder = join(services.scratchDirectory, `pictures-${version}`);
  const full = abortWhenFull(diskSpace);
  let map: Awaited<ReturnType<typeof openClipMap>> = null;
  let track: Awaited<ReturnType<typeof blobs.openLocal>> | undefined;
  try {
    await mkdir(folder, { recursive: true });
    track = await blobs.openLocal(demo.track_key);
    map = await openClipMap(services, { map_hash: mapHash });
    const made = await startPictures(
      {
        trackPath: track.path,
        mapFootprintsPath: map?.path,
        // As a rule the one that the job `relief` has just left.
        reliefPaths: await keptReliefs(services, reliefNames({ map_hash: mapHash }, demo.track_key, frame)),
        frame,
        moments,
        outputDirectory: folder,
      },
      { signal: AbortSignal.any([context.signal, full.signal]), containment },
    );
    const key = `demos/${sha256}/pictures-${version}.bin`;
    let isKept = false;
    try {
      await blobs.putFile(key, made.path, "application/octet-stream");
      const stored = await blobs.stat(key);
      if (stored?.bytes !== made.bytes) throw new Error("The stored pictures are not those that were made.");
      isKept = await keepPictures(services, sha256, demo.track_key, key);
    } finally {
      if (!isKept) await blobs.delete(key);
    }
  } catch (error) {
    // The match was deleted meanwhile.
    if (error instanceof BlobMissingError) return;
    if (full.signal.aborted && !context.signal.aborted) {
      throw new PostponeJob("The disk has no room for pictures.", waitForDiskMs);
    }
    throw error;
  } finally {
    full.stop();
    await map?.release();
    await track?.release();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The best first, where a match has more highlights than pictures are made of. */
async function momentsOf({ database }: Services, sha256: string): Promise<StillMoment[]> {
  const rows = await database
    .selectFrom("highlights")
    .select(["player", "round", "moments", "end_tick"])
    .where("demo_sha256", "=", sha256)
    .where("is_listed", "=", true)
    // Those marked by hand have the lowest score: they come last.
    .orderBy("score", "desc")
    .orderBy("id")
    .limit(limits.stillsPerMatch)
    .execute();
  const byName = new Map<string, StillMoment>();
  for (const row of rows) {
    const name = stillName(row);
    const tick = decisiveTick(row.moments as HighlightMoment[], row.end_tick);
    byName.set(name, { name, round: row.round, player: row.player, tick });
  }
  return [...byName.values()];
}

/** @returns false when the demo is gone, has another track by now, or has pictures */
async function keepPictures({ database }: Services, sha256: string, trackKey: string, key: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("demos")
    .set({ pictures_key: key })
    .where("sha256", "=", sha256)
    .where("track_key", "=", trackKey)
    .where("pictures_key", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
