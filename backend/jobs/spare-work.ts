import { randomBytes } from "node:crypto";
import type { Services } from "../services.ts";
import { requireStore } from "../storage/require-store.ts";
import { DiskBecameFull, inScratchFolder, type ScratchRun } from "../storage/scratch-folder.ts";
import { type JobContext, PostponeJob } from "./job-queue.ts";

/** Delay before work that waits for disk space is tried again. */
const waitForDiskMs = 60_000;

export interface SpareRun extends ScratchRun {
  /** New for each run: two runs of one job, after a lost heartbeat, never write to the same key. */
  version: string;
}

/**
 * Runs a job whose result clips and matches can do without: it is postponed while the disk has no room, or when the disk becomes full
 * during it.
 * @param name prefix of the scratch folder's name
 * @param what is made, e.g. "a loop"
 * @throws PostponeJob while the disk has no room, an outage while the store is unreachable, and whatever `make` throws
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
