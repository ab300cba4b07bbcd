import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Containment } from "./children/containment.ts";
import type { Config } from "./config.ts";
import type { JobQueue } from "./jobs/job-queue.ts";
import type { BlobStore } from "./storage/blob-store.ts";
import type { DiskSpace } from "./storage/disk-space.ts";
import type { Database } from "./storage/schema.ts";

/** What the backend's functions need of the outside; made once at boot by `openServices`, by tests with a fresh database. */
export interface Services {
  config: Config;
  log: Logger;
  database: Kysely<Database>;
  blobs: BlobStore;
  jobs: JobQueue;
  /** Of the disks that DATA_DIR is on. */
  diskSpace: DiskSpace;
  /** Folder for files in the making, on the same disk as a folder blob store; emptied at boot. */
  scratchDirectory: string;
  /** Contains the processes that parse and render. */
  containment: Containment;
  /** Time, so that tests can move it. */
  now(): Date;
}
