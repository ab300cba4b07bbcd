import { randomBytes } from "node:crypto";
import type { Services } from "../services.ts";
import { requireStore } from "../storage/require-store.ts";
import { DiskBecameFull, inScratchFolder, type ScratchRun } from "../storage/scratch-folder.ts";
import { type JobContext, PostponeJob } from "./job-queue.ts";

/** How soon what waits for disk space is tried again. */
const waitForDiskMs = 60_000;

export interface SpareRun extends ScratchRun {
  /** New with each run: two runs of one job, after a lost heartbeat, never write to the same key. */
  version: string;
}

/**
 * Runs a job that makes what clips and matches can do without: it waits while the disk has no room, and when the disk becomes
 * full under it.
 * @param name begins the name of the scratch folder
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
  try {
    await inScratchFolder(services, `${name}-${version}`, context.signal, (run) => make({ ...run, version }));
  } catch (error) {
    throw error instanceof DiskBecameFull ? noRoom() : error;
  }
}
