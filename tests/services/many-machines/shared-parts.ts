import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { readConfig } from "../../../backend/config.ts";
import { moveBlobs } from "../../../backend/operator/move-blobs/move-blobs.ts";
import { namedBlobsAfter } from "../../../backend/operator/move-blobs/named-blobs.ts";
import { moveToPostgres } from "../../../backend/operator/move-to-postgres/move-to-postgres.ts";
import { openFolderBlobStore } from "../../../backend/storage/folder-blob-store.ts";
import { blobFolder, openConfiguredS3 } from "../../../backend/storage/open-blob-store.ts";
import { openDatabase } from "../../../backend/storage/open-database.ts";
import { freshPlace, keptDatabase, migratedPlace } from "../../../backend/storage/testing/fresh-database.ts";
import { type Bucket, newBucket } from "../ceph-store.ts";
import { startS3 } from "../s3.ts";

/** `DEPLOYMENT=many npm run test:e2e`: products are two webs and two workers on a PostgreSQL server and an S3 store. */
export const isOfManyMachines = process.env.DEPLOYMENT === "many";

/** Database and store that all machines of a product share. They outlive the machines. */
export interface SharedParts {
  /** DATABASE_URL and S3_…. */
  environment: Record<string, string>;
}

const known = new Map<string, SharedParts>();

/**
 * Shared parts of a product whose machines keep their folders in `dataDirectory`; the same ones after a restart.
 * @returns null for a folder that the test has filled, which belongs to a single machine
 */
export async function sharedParts(given: {
  dataDirectory?: string;
  isFirstStart?: boolean;
  shared?: SharedParts;
}): Promise<{ dataDirectory: string; parts: SharedParts } | null> {
  if (given.shared) {
    const dataDirectory = given.dataDirectory ?? mkdtempSync(join(tmpdir(), "clutchcast-machines-"));
    mkdirSync(dataDirectory, { recursive: true });
    return { dataDirectory, parts: given.shared };
  }
  if (given.dataDirectory !== undefined) {
    const parts = known.get(given.dataDirectory);
    return parts ? { dataDirectory: given.dataDirectory, parts } : null;
  }
  const dataDirectory = mkdtempSync(join(tmpdir(), "clutchcast-machines-"));
  const { DATABASE_URL = "" } = await (given.isFirstStart ? freshPlace("postgres") : migratedPlace("postgres"));
  const parts = { environment: { DATABASE_URL, ...(await newStore()) } };
  known.set(dataDirectory, parts);
  return { dataDirectory, parts };
}

/** A new bucket: in a Ceph cluster with S3_SERVER=radosgw, otherwise in a small store in this process. */
async function newStore(): Promise<Record<string, string>> {
  return storeVariables(process.env.S3_SERVER === "radosgw" ? await newBucket() : await startS3());
}

/** The environment variables for a store. */
export function storeVariables(store: Bucket): Record<string, string> {
  return {
    S3_ENDPOINT: store.endpoint,
    S3_BUCKET: store.bucket,
    S3_REGION: store.region,
    S3_ACCESS_KEY_ID: store.accessKeyId,
    S3_SECRET_ACCESS_KEY: store.secretAccessKey,
  };
}

export interface MovedParts extends SharedParts {
  /**
   * Keeps the current contents. No machine may run, neither now nor at a restore.
   * @returns restores them: every row, and every file in the folder
   */
  keep(): Promise<() => Promise<void>>;
}

/** Moves the data of one machine to a server and a store, as an operator does. */
export async function moveToMany(DATA_DIR: string): Promise<MovedParts> {
  const { DATABASE_URL = "" } = await freshPlace("postgres");
  const environment = { DATABASE_URL, ...(await newStore()) };
  await moveToPostgres({ DATA_DIR }, silent, DATABASE_URL);
  await moveFiles(DATA_DIR, environment);
  return {
    environment,
    async keep() {
      const restoreDatabase = await keptDatabase(DATABASE_URL);
      return async () => {
        await restoreDatabase();
        await moveFiles(DATA_DIR, environment);
      };
    },
  };
}

const silent = pino({ level: "silent" });

/** Copies files that the store lacks, and removes additional ones that an earlier test left. */
async function moveFiles(DATA_DIR: string, environment: Record<string, string>): Promise<void> {
  const config = readConfig({ ...environment, DATA_DIR, ROLE: "web" });
  const scratch = mkdtempSync(join(tmpdir(), "clutchcast-move-"));
  const opened = await openDatabase(config, silent);
  try {
    const target = openConfiguredS3(config, scratch);
    const source = await openFolderBlobStore(blobFolder(DATA_DIR));
    const { missing } = await moveBlobs(source, target!, (after) => namedBlobsAfter(opened.database, after));
    if (missing.length > 0) throw new Error(`Files were not moved: ${missing.join(", ")}`);
    const kept = new Set<string>();
    for await (const key of source.list("")) kept.add(key);
    for await (const key of target!.list("")) if (!kept.has(key)) await target!.delete(key);
  } finally {
    await opened.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A folder for one machine of several. */
export function machineFolder(dataDirectory: string, name: string): string {
  const folder = join(dataDirectory, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

export type MachineName = "web-1" | "web-2" | "worker-1" | "worker-2";

/** Process IDs of a product's running machines. */
export function machinesOf(dataDirectory: string): Record<MachineName, number> {
  return JSON.parse(readFileSync(join(dataDirectory, "machines.json"), "utf8"));
}
