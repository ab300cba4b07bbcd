import { closeSync, fsyncSync, openSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { noFolderSync } from "./durable-files.ts";

/** Parts of emscripten's NODEFS that are missing in its typings. */
interface NodeFileSystemType {
  realPath(node: unknown): string;
  stream_ops: { fsync?: (stream: { nfd?: number; node: unknown }) => number | undefined };
}

/** Emscripten's numbers of possible sync errors; anything else becomes EIO. */
const errnoOf: Record<string, number> = { EDQUOT: 19, EINVAL: 28, EIO: 29, ENOSPC: 51 };

/**
 * PGlite's folder of files, with an fsync that reaches the disk. PGlite 0.5.14 has none: in measurements, 100 commits made no fsync at all,
 * and 7 of 8 power losses left a database that did not open. Needs `durableStartParameters` as well: without any one of the three parts (no
 * -F, this hook, wal_sync_method=fsync) nothing is synced.
 */
export class SyncedNodeFilesystem extends NodeFS {
  /** How many syncs that PostgreSQL requested have succeeded. */
  syncs = 0;

  override async init(...[pglite, options]: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    const ready = await super.init(pglite, options);
    ready.emscriptenOpts.preRun?.push((postgres) => {
      const files = postgres.FS.filesystems.NODEFS as unknown as NodeFileSystemType;
      files.stream_ops.fsync = (stream) => {
        try {
          if (stream.nfd === undefined || stream.nfd === null) syncDirectory(files.realPath(stream.node));
          else fsyncSync(stream.nfd);
        } catch (error) {
          // An exception would bypass PostgreSQL, which has to know that its data is not safe.
          return errnoOf[(error as NodeJS.ErrnoException).code ?? ""] ?? errnoOf.EIO;
        }
        this.syncs++;
        return 0;
      };
    });
    return ready;
  }
}

function syncDirectory(path: string): void {
  try {
    const descriptor = openSync(path, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!noFolderSync.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}

/** PGlite's own start parameters without -F ("do not sync"), and with the only sync method that calls the hook above. */
export const durableStartParameters: string[] = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
  "-c",
  "wal_sync_method=fsync",
];
