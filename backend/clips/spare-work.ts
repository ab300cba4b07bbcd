import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type JobContext, PostponeJob } from "../jobs/job-queue.ts";
import type { Services } from "../services.ts";
import { abortWhenFull } from "../storage/disk-space.ts";
import { withNamedBlobs } from "../storage/named-blobs.ts";
import { requireStore } from "../storage/require-store.ts";

/** How soon what waits for disk space is tried again. */
const waitForDiskMs = 60_000;

export interface SpareRun {
  /** Of this run alone. */
  folder: string;
  /** New with each run: two runs of one job, after a lost heartbeat, never write to the same key. */
  version: string;
  signal: AbortSignal;
}

/**
 * What jobs have in common that make a file beside a clip or match that is as good without it: a disk without room makes them wait, also
 * when it becomes full under them, and their scratch folder goes with them.
 * @param name begins the name of the folder
 * @param what is made, e.g. "a loop"
 * @throws PostponeJob while the disk has no room, an outage while the store is away, and what `make` throws
 */
export async function runSpareWork(
  services: Services,
  context: JobContext,
  { name, what }: { name: string; what: string },
  make: (run: SpareRun) => Promise<void>,
): Promise<void> {
  const noRoom = () => new PostponeJob(`The disk has no room for ${what}.`, waitForDiskMs);
  if (services.diskSpace.isShort(true)) throw noRoom();
  await requireStore(services);
  const version = randomBytes(4).toString("hex");
  const folder = join(services.scratchDirectory, `${name}-${version}`);
  const full = abortWhenFull(services.diskSpace);
  try {
    await mkdir(folder, { recursive: true });
    await make({ folder, version, signal: AbortSignal.any([context.signal, full.signal]) });
  } catch (error) {
    throw full.signal.aborted && !context.signal.aborted ? noRoom() : error;
  } finally {
    full.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

export interface SpareVideo {
  path: string;
  bytes: number;
  maxBytes: number;
}

/**
 * Stores a video that is made and has its clip name it.
 * @param keep writes the key to the clip's row
 * @returns what `keep` does: false when the clip is gone, or has such a file
 * @throws Error when the store has something else than was made, or it is larger than agreed
 */
export function keepSpareVideo(
  services: Services,
  key: string,
  { path, bytes, maxBytes }: SpareVideo,
  keep: () => Promise<boolean>,
): Promise<boolean> {
  return withNamedBlobs(services, [key], async () => {
    await services.blobs.putFile(key, path, "video/mp4");
    const stored = await services.blobs.stat(key);
    if (stored?.bytes !== bytes || bytes > maxBytes) throw new Error("The stored video is not the one that was made.");
    return keep();
  });
}
