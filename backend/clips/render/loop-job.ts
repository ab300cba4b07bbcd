import { randomBytes } from "node:crypto";
import { limits } from "../../../contract/limits.ts";
import { type JobContext, PermanentJobError } from "../../jobs/job-queue.ts";
import { runSpareWork, type SpareRun } from "../../jobs/spare-work.ts";
import { openClipMap } from "../../maps/open-clip-map.ts";
import type { Services } from "../../services.ts";
import { BlobMissingError } from "../../storage/blob-store.ts";
import { withNamedBlobs } from "../../storage/named-blobs.ts";
import { startLoop } from "../../video/start-loop.ts";
import { deleteClipFiles } from "../delete-clip.ts";
import { outdateTopLists } from "../lists/top-lists.ts";
import { copyBlob, partsByScore } from "./clip-parts.ts";
import { keptReliefs, reliefNames } from "./clip-reliefs.ts";
import { keepSpareVideo } from "./keep-spare-video.ts";

/**
 * The job `loop`: draws the three seconds of a finished clip that its cards repeat, from the replay data. Idempotent, as the render
 * is. Whatever becomes of it, the clip stays as it is; without replay data it has none.
 */
export function runLoopJob(services: Services, { clipId }: { clipId: number }, context: JobContext): Promise<void> {
  const loop = { name: `loop-${clipId}`, what: "a loop" };
  return runSpareWork(services, context, loop, (run) => makeLoop(services, clipId, run));
}

async function makeLoop(services: Services, clipId: number, { folder, version, signal }: SpareRun): Promise<void> {
  const { database, config } = services;
  const clip = await database
    .selectFrom("clips")
    .innerJoin("demos", "demos.sha256", "clips.demo_sha256")
    .select(["clips.id", "clips.spec", "clips.map_hash", "demos.track_key"])
    .where("clips.id", "=", clipId)
    .where("clips.status", "=", "completed")
    .where("clips.loop_key", "is", null)
    .executeTakeFirst();
  if (!clip) await adoptLoop(services, clipId);
  if (!clip?.track_key) return;
  const track = await openTrack(services, clip.track_key);
  let map: Awaited<ReturnType<typeof openClipMap>> = null;
  let made: Awaited<ReturnType<typeof startLoop>>;
  try {
    map = await openClipMap(services, clip);
    made = await startLoop(
      {
        trackPath: track.path,
        mapFootprintsPath: map?.path,
        // As a rule the one that the render has just left.
        reliefPaths: await keptReliefs(services, reliefNames(clip, clip.track_key, clip.spec)),
        spec: clip.spec,
        outputDirectory: folder,
        ffmpegPath: config.FFMPEG_PATH,
      },
      { signal, containment: services.containment },
    );
  } finally {
    await map?.release();
    await track.release();
  }
  const key = `clips/${clipId}/loop-${version}.mp4`;
  const video = { path: made.loopPath, bytes: made.bytes, maxBytes: limits.loopBytes };
  const isKept = await keepSpareVideo(services, key, video, () => keepLoop(services, clipId, key));
  if (!isKept) return;
  outdateTopLists(services);
  // What a run left that died between storing and naming.
  await deleteClipFiles(services, `clips/${clipId}/loop-`, { keep: [key] });
}

/**
 * A compilation has the loop of one of its clips: that which its poster shows, or the first that has one.
 * What has none yet is asked again with the files that are missing.
 */
async function adoptLoop(services: Services, clipId: number): Promise<void> {
  const compilation = await services.database
    .selectFrom("clips")
    .select("id")
    .where("id", "=", clipId)
    .where("match_id", "is", null)
    .where("status", "=", "completed")
    .where("loop_key", "is", null)
    .executeTakeFirst();
  if (!compilation) return;
  const [best] = await partsByScore(services.database, clipId);
  const loopKey = best?.loop_key;
  if (!loopKey) return;
  const key = `clips/${clipId}/loop-${randomBytes(4).toString("hex")}.mp4`;
  const isKept = await withNamedBlobs(services, [key], async () => {
    await copyBlob(services, { from: loopKey, to: key, contentType: "video/mp4" });
    return keepLoop(services, clipId, key);
  });
  if (isKept) outdateTopLists(services);
}

/** @returns false when the clip was deleted meanwhile, or has a loop */
async function keepLoop({ database }: Services, clipId: number, key: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("clips")
    .set({ loop_key: key })
    .where("id", "=", clipId)
    .where("loop_key", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function openTrack({ blobs }: Services, key: string) {
  try {
    return await blobs.openLocal(key);
  } catch (error) {
    if (error instanceof BlobMissingError) throw new PermanentJobError("The replay data is not stored any more.");
    throw error;
  }
}
