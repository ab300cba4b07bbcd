import { randomBytes } from "node:crypto";
import { clipFormats } from "../../../contract/clip-formats.ts";
import type { JobContext } from "../../jobs/job-queue.ts";
import { mapInForce } from "../../maps/map-files.ts";
import { sendMapJob } from "../../maps/map-job.ts";
import { openClipMap } from "../../maps/open-clip-map.ts";
import type { Services } from "../../services.ts";
import { BlobMissingError } from "../../storage/blob-store.ts";
import type { DemoRow } from "../../storage/schema.ts";
import { DiskBecameFull, inScratchFolder, type ScratchRun } from "../../storage/scratch-folder.ts";
import { type FrameSize, keepRelief, keptRelief, mapReliefName, matchReliefName } from "../../video/kept-reliefs.ts";
import { startRelief } from "../../video/start-relief.ts";
import { defaultClipFormat } from "../create/default-clip-format.ts";
import { requestPictures } from "../match-replay/match-pictures.ts";

/**
 * The job `relief`: draws the ground of a match that has just been imported, in the format that clips have unless another is
 * chosen, while its player still looks at the highlights. A clip that finds none draws it itself, so nothing waits for this.
 */
export async function runReliefJob(
  services: Services,
  { sha256 }: { sha256: string },
  context: JobContext,
): Promise<void> {
  const demo = await services.database
    .selectFrom("demos")
    .select(["sha256", "track_key", "map", "pictures_key", "pictures_tried_at"])
    .where("sha256", "=", sha256)
    .executeTakeFirst();
  if (!demo) return;
  await drawRelief(services, demo, context);
  await requestPictures(services, demo);
}

async function drawRelief(
  services: Services,
  demo: Pick<DemoRow, "track_key" | "map">,
  context: JobContext,
): Promise<void> {
  if (!demo.track_key || services.diskSpace.isShort(true)) return;
  const frame = clipFormats[defaultClipFormat(services.config)];
  if (await keptRelief(services, matchReliefName(demo.track_key, frame))) return;
  const hash = await mapInForce(services, demo.map);
  const drawn = { trackKey: demo.track_key, hash, frame };
  try {
    await inScratchFolder(services, `relief-${randomBytes(4).toString("hex")}`, context.signal, async (run) => {
      const isOfMatch = await drawMatchRelief(services, drawn, run);
      const isMapMissing = !isOfMatch && hash && !(await keptRelief(services, mapReliefName(hash, frame)));
      if (isMapMissing) await sendMapJob(services, demo.map);
    });
  } catch (error) {
    // The match was deleted, or there is no room for what may be done without.
    if (!(error instanceof BlobMissingError) && !(error instanceof DiskBecameFull)) throw error;
  }
}

/** @returns false when the match is drawn on the ground of its map, so that nothing of its own is kept */
async function drawMatchRelief(
  services: Services,
  { trackKey, hash, frame }: { trackKey: string; hash: string | null; frame: FrameSize },
  { folder, signal }: ScratchRun,
): Promise<boolean> {
  const track = await services.blobs.openLocal(trackKey);
  let map: Awaited<ReturnType<typeof openClipMap>> = null;
  try {
    map = await openClipMap(services, { map_hash: hash });
    const drawn = await startRelief(
      { trackPath: track.path, mapFootprintsPath: map?.path, frame, outputDirectory: folder },
      { signal, containment: services.containment },
    );
    if (drawn) await keepRelief(services, matchReliefName(trackKey, frame), drawn);
    return drawn !== null;
  } finally {
    await map?.release();
    await track.release();
  }
}
