import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Containment } from "./children/containment.ts";
import type { Config } from "./config.ts";
import type { JobQueue } from "./jobs/job-queue.ts";
import type { BlobStore } from "./storage/blob-store.ts";
import type { DiskSpace } from "./storage/disk-space.ts";
import type { Database } from "./storage/schema.ts";

/** What the backend uses of the outside world. `openServices` creates it once at boot; tests create it with a fresh database. */
export interface Services {
  config: Config;
  log: Logger;
  database: Kysely<Database>;
  blobs: BlobStore;
  jobs: JobQueue;
  /** Watches the disks of DATA_DIR. */
  diskSpace: DiskSpace;
  /** Folder for unfinished files, on the same disk as a folder blob store; emptied at boot. */
  scratchDirectory: string;
  /** Contains the processes that parse and render. */
  containment: Containment;
  /** The current time, which tests can set. */
  now(): Date;
}
