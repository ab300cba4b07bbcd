import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DemoImportError } from "../demos/demo-import-error.ts";
import type { ParseFinding } from "../demos/parse-job.ts";
import { startDetection, startParse } from "../demos/start-parse.ts";
import { detectorVersion } from "../highlights/detector-version.ts";
import type { Services } from "../services.ts";
import { BlobMissingError } from "../storage/blob-store.ts";
import type { DemoRow } from "../storage/schema.ts";
import { clippedHighlights } from "./clipped-highlights.ts";
import { noPictures } from "./no-pictures.ts";
import { lockClipsOf, replaceHighlights } from "./replace-highlights.ts";
import { isDemoStored, storeDemo } from "./store-demo.ts";
import { hasSamePlayers } from "./stored-players.ts";

/**
 * Whether the highlights of a demo now follow the current rules: all of them, only those that its replay track knows and can show, or none, so
 * that the demo stayed as it was.
 */
export type Redetection = "whole" | "partly" | "not";

/**
 * Detects the highlights of a stored demo again by the current rules: from its replay track; and, if the track does not contain what the rules
 * find or was read by an older version, from its file while that is kept. `detection_tried` then keeps others from trying again.
 * @throws InterruptedError when somebody ended the process; the signal's reason; errors of the database and of the store
 */
export async function redetectDemo(services: Services, sha256: string, signal: AbortSignal): Promise<Redetection> {
  const demo = await services.database.selectFrom("demos").selectAll().where("sha256", "=", sha256).executeTakeFirst();
  if (!demo || demo.detector_version >= detectorVersion) return "whole";
  const directory = join(services.scratchDirectory, `redetect-${sha256.slice(0, 16)}`);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  try {
    const run = { services, demo, directory, signal };
    const inTrack = await fromTrack(run);
    const isWhole = inTrack?.leftOut === 0 && !inTrack.isOldReading;
    if (!isWhole && (await fromFile(run))) return "whole";
    signal.throwIfAborted();
    if (inTrack && (await storeFound(services, sha256, inTrack, isWhole))) return isWhole ? "whole" : "partly";
    await markTried(services, sha256);
    return "not";
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Marks that a demo cannot be brought up to the current rules. Its highlights and their version stay as they are. */
export async function markTried(services: Services, sha256: string): Promise<void> {
  await services.database
    .updateTable("demos")
    .set({ detection_tried: detectorVersion })
    .where("sha256", "=", sha256)
    .where("detector_version", "<", detectorVersion)
    .execute();
}

interface Run {
  services: Services;
  demo: DemoRow;
  /** For temporary files. */
  directory: string;
  signal: AbortSignal;
}

/** @returns null when there is no track, or none that can be read */
function fromTrack({ services, demo, directory, signal }: Run): Promise<ParseFinding | null> {
  return withBlob(services, demo.track_key, (path) =>
    startDetection({ path, directory }, { signal, containment: services.containment }),
  );
}

/** @returns false when the file is gone, cannot be read, or gives other players than it gave then */
async function fromFile({ services, demo, directory, signal }: Run): Promise<boolean> {
  const { sha256 } = demo;
  const { containment, config } = services;
  const alsoShown = (found: string) => clippedHighlights(services, found);
  const parsed = await withBlob(services, demo.file_key, (path) =>
    startParse({ path, directory, maxBytes: config.MAX_DEMO_BYTES }, { signal, alsoShown, containment }),
  );
  if (!parsed || parsed.isKnown || parsed.sha256 !== sha256) return false;
  signal.throwIfAborted();
  await storeDemo(services, { ...parsed, playedAt: null, raw: null });
  return isDemoStored(services, sha256);
}

/** Works on a stored file. @returns null when it is gone, or wrong in a way that stays */
async function withBlob<Result>(
  { blobs, diskSpace, log }: Services,
  key: string | null,
  work: (path: string) => Promise<Result>,
): Promise<Result | null> {
  if (!key) return null;
  try {
    const local = await blobs.openLocal(key);
    try {
      return await work(local.path);
    } finally {
      await local.release();
    }
  } catch (error) {
    const isWrong = error instanceof DemoImportError || error instanceof BlobMissingError;
    // If others have filled the disk, this file is not to blame.
    if (!isWrong || diskSpace.isShort(true)) throw error;
    log.warn({ key, err: error }, "no highlights to be found in a stored file");
    return null;
  }
}

/** @returns false when the track names other players than the demo's row, so that it says nothing about its highlights */
function storeFound({ database }: Services, sha256: string, found: ParseFinding, isWhole: boolean): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    await lockClipsOf(transaction, sha256);
    const demo = await transaction
      .selectFrom("demos")
      .select(["detector_version", "players"])
      .where("sha256", "=", sha256)
      .forUpdate()
      .executeTakeFirst();
    // Deleted, or imported again, meanwhile.
    if (!demo || demo.detector_version >= detectorVersion) return true;
    if (!hasSamePlayers(demo.players, found.record.players)) return false;
    await replaceHighlights(transaction, sha256, found.highlights);
    await transaction
      .updateTable("demos")
      .set({
        ...noPictures,
        detection_tried: detectorVersion,
        ...(isWhole ? { detector_version: detectorVersion } : {}),
      })
      .where("sha256", "=", sha256)
      .execute();
    return true;
  });
}
