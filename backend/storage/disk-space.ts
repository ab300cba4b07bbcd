import { statfsSync } from "node:fs";
import { DiskFullError } from "./disk-full.ts";

const MiB = 1024 ** 2;

/** A look costs microseconds, but there is one for every request. */
const lookedAtForMs = 1000;

/** Kept free for pages and sign-in by default (DISK_RESERVE_BYTES); a share of a small disk. */
const usualReserveBytes = 512 * MiB;
const usualReserveShare = 0.1;

/** Below this nothing new is stored, so that deletions still have room. At most half of the reserve. */
const usualFloorBytes = 64 * MiB;

interface Space {
  freeBytes: number;
  totalBytes: number;
}

export interface DiskSpace {
  /** What a program without privileges may still write to the fullest disk. */
  freeBytes(): number;
  /** The reserve of the disk that has the least room above it. */
  reserveBytes(): number;
  /**
   * True below the reserve: uploads, imports and renders wait; pages, sign-in and deletions continue.
   * @param afresh looks again now, after something was deleted
   */
  isShort(afresh?: boolean): boolean;
  /** True when almost nothing is left: only calls that delete, or change nothing, continue. */
  isFull(): boolean;
}

/**
 * Watches the disks of some folders; if they are on different ones, the fullest counts.
 * @param reserveBytes what is to stay free; by default 512 MiB, or a tenth of a small disk
 * @param look for tests
 */
export function watchDiskSpace(folders: readonly string[], reserveBytes?: number, look = lookAt): DiskSpace {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let spaces: Space[] = [];
  const current = (afresh = false) => {
    const now = performance.now();
    if (afresh || now - lookedAt > lookedAtForMs) {
      lookedAt = now;
      spaces = folders.flatMap((folder) => look(folder) ?? []);
    }
    return spaces;
  };
  const reserveOf = ({ totalBytes }: Space) =>
    reserveBytes ?? Math.min(usualReserveBytes, totalBytes * usualReserveShare);
  return {
    freeBytes: () => Math.min(...current().map(({ freeBytes }) => freeBytes)),
    reserveBytes: () => {
      const room = (space: Space) => space.freeBytes - reserveOf(space);
      const [least] = [...current()].sort((a, b) => room(a) - room(b));
      return least ? reserveOf(least) : 0;
    },
    isShort: (afresh) => current(afresh).some((space) => space.freeBytes < reserveOf(space)),
    isFull: () => current().some((space) => space.freeBytes < Math.min(usualFloorBytes, reserveOf(space) / 2)),
  };
}

/**
 * For work that writes for a while: aborts with a DiskFullError when the disk becomes full, by its own files or others', while there is
 * still room for everybody else. To be stopped when the work is done.
 */
export function abortWhenFull(space: Pick<DiskSpace, "isFull">): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const timer = setInterval(() => {
    if (space.isFull()) controller.abort(new DiskFullError("The disk became full."));
  }, lookedAtForMs);
  timer.unref();
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

/** null if the size is unknown; then a full disk is only noticed when writing fails. */
function lookAt(folder: string): Space | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    // Some network file systems report no size.
    return blocks > 0 ? { freeBytes: bavail * bsize, totalBytes: blocks * bsize } : null;
  } catch {
    return null;
  }
}
