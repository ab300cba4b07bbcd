import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DiskFullError } from "./disk-full.ts";
import { abortWhenFull, type DiskSpace } from "./disk-space.ts";

/** Work was aborted because the disk became full. `cause` is the work's error. */
export class DiskBecameFull extends DiskFullError {}

export interface ScratchRun {
  /** Empty at first, and removed when the work ends. */
  folder: string;
  /** Aborts when the caller's signal does, and when the disk becomes full. */
  signal: AbortSignal;
}

/**
 * Runs work that writes temporary files, in a folder of its own.
 * @param name of the folder
 * @param signal ends the work
 * @throws DiskBecameFull when the disk became full, unless the caller had ended the work; otherwise what `work` throws. The folder is
 * deleted before, so that free space can be checked without the work's files.
 */
export async function inScratchFolder<Result>(
  { scratchDirectory, diskSpace }: { scratchDirectory: string; diskSpace: Pick<DiskSpace, "isFull"> },
  name: string,
  signal: AbortSignal,
  work: (run: ScratchRun) => Promise<Result>,
): Promise<Result> {
  const folder = join(scratchDirectory, name);
  const full = abortWhenFull(diskSpace);
  try {
    // A job that another worker took over may have left files in a folder of this name.
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    return await work({ folder, signal: AbortSignal.any([signal, full.signal]) });
  } catch (error) {
    if (!full.signal.aborted || signal.aborted) throw error;
    throw new DiskBecameFull("The disk became full.", { cause: error });
  } finally {
    full.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
