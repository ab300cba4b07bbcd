import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { clipFormats } from "../../contract/clip-formats.ts";
import type { JobContext } from "../jobs/job-queue.ts";
import { mapInForce } from "../maps/map-files.ts";
import { sendMapJob } from "../maps/map-job.ts";
import { openClipMap } from "../maps/open-clip-map.ts";
import type { Services } from "../services.ts";
import { BlobMissingError } from "../storage/blob-store.ts";
import { abortWhenFull } from "../storage/disk-space.ts";
import type { DemoRow } from "../storage/schema.ts";
import { keepRelief, keptRelief, mapReliefName, matchReliefName } from "../video/kept-reliefs.ts";
import { startRelief } from "../video/start-relief.ts";
import { defaultClipFormat } from "./default-clip-format.ts";
import { requestPictures } from "./match-pictures.ts";

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
  const { blobs, containment, diskSpace } = services;
  if (!demo.track_key || diskSpace.isShort(true)) return;
  const frame = clipFormats[defaultClipFormat(services.config)];
  const name = matchReliefName(demo.track_key, frame);
  if (await keptRelief(services, name)) return;

  const hash = await mapInForce(services, demo.map);
  const folder = join(services.scratchDirectory, `relief-${randomBytes(4).toString("hex")}`);
  const full = abortWhenFull(diskSpace);
  let map: Awaited<ReturnType<typeof openClipMap>> = null;
  let track: Awaited<ReturnType<typeof blobs.openLocal>> | undefined;
  try {
    await mkdir(folder, { recursive: true });
    track = await blobs.openLocal(demo.track_key);
    map = await openClipMap(services, { map_hash: hash });
    const drawn = await startRelief(
      { trackPath: track.path, mapFootprintsPath: map?.path, frame, outputDirectory: folder },
      { signal: AbortSignal.any([context.signal, full.signal]), containment },
    );
    if (drawn) await keepRelief(services, name, drawn);
    else if (hash && !(await keptRelief(services, mapReliefName(hash, frame)))) await sendMapJob(services, demo.map);
  } catch (error) {
    // The match was deleted, or there is no room for what may be done without.
    const isGone = error instanceof BlobMissingError;
    if (!isGone && (!full.signal.aborted || context.signal.aborted)) throw error;
  } finally {
    full.stop();
    await map?.release();
    await track?.release();
    await rm(folder, { recursive: true, force: true });
  }
}
