import { mkdir, rm, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { Containment } from "./children/containment.ts";
import type { Config } from "./config.ts";
import { openJobQueue } from "./jobs/pg-boss-queue.ts";
import { sendRestoredJobs } from "./jobs/restored-jobs.ts";
import { openLog } from "./open-log.ts";
import { isServed, serveOperator } from "./operator/operator-socket.ts";
import { withinMemory } from "./places-by-memory.ts";
import type { Services } from "./services.ts";
import { DataDirectoryInUseError } from "./storage/data-directory-lock.ts";
import { watchDiskSpace } from "./storage/disk-space.ts";
import { withHeldDeletions } from "./storage/held-deletions.ts";
import { deleteLeftScratchParts, scratchTouchedEveryMs } from "./storage/left-scratch.ts";
import { openBlobStore } from "./storage/open-blob-store.ts";
import { openDatabase } from "./storage/open-database.ts";

/**
 * Opens all services of the backend: log, database (migrated), blobs, queue, scratch folder. `close` first gives running jobs back to the
 * queue, then closes the database.
 * @throws DataDirectoryInUseError when another process has the embedded database open
 */
export async function openServices(configured: Config): Promise<{ services: Services; close(): Promise<void> }> {
  const log = openLog(configured.LOG_LEVEL);
  const config = withinMemory(configured, log);
  if (!config.DATABASE_URL && (await isServed(config.DATA_DIR))) throw new DataDirectoryInUseError(config.DATA_DIR, "");
  const opened = await openDatabase(config, log);
  try {
    const scratchDirectory = await freshScratchDirectory(config);
    const now = () => new Date();
    const blobs = withHeldDeletions(await openBlobStore(config, scratchDirectory), opened.database, now);
    const jobs = await openJobQueue(opened, config, log);
    await sendRestoredJobs(opened.database, jobs);
    const services: Services = {
      config,
      log,
      database: opened.database,
      blobs,
      jobs,
      diskSpace: watchDiskSpace(foldersOf(config), config.DISK_RESERVE_BYTES),
      scratchDirectory,
      containment: new Containment(
        { isolation: config.CHILD_ISOLATION, dataDirectory: config.DATA_DIR, ffmpegPath: config.FFMPEG_PATH },
        log,
      ),
      now,
    };
    const sign = giveSignOfLife(scratchDirectory);
    // The operator's program opens a PostgreSQL server by itself.
    const operator = opened.kind === "embedded" ? await serveOperator(services) : null;
    return {
      services,
      async close() {
        await operator?.close();
        await jobs.stop();
        await opened.close();
        clearInterval(sign);
        await rm(scratchDirectory, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Each may be on another disk. Missing folders are ignored. */
function foldersOf({ DATA_DIR }: Config): string[] {
  return ["", "postgres", "blobs", "scratch"].map((name) => resolve(DATA_DIR, name));
}

/**
 * With the embedded database this process is alone in DATA_DIR, so all of `scratch` is left over from the last run. With a PostgreSQL
 * server several processes may share the folder: each has its own part, and parts that were not touched for hours are left over.
 */
async function freshScratchDirectory(config: Config): Promise<string> {
  const root = resolve(config.DATA_DIR, "scratch");
  if (!config.DATABASE_URL) {
    await rm(root, { recursive: true, force: true });
    await mkdir(root, { recursive: true });
    return root;
  }
  await mkdir(root, { recursive: true });
  await deleteLeftScratchParts(root, null);
  const own = join(root, `${hostname()}-${process.pid}-${Date.now()}`);
  await mkdir(own);
  return own;
}

/** Touches the folder, which others would delete after hours without a change. */
function giveSignOfLife(scratchDirectory: string): NodeJS.Timeout {
  const touch = () => utimes(scratchDirectory, new Date(), new Date()).catch(() => {});
  return setInterval(touch, scratchTouchedEveryMs).unref();
}
