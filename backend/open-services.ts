import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { pino, stdSerializers } from "pino";
import type { Config } from "./config.ts";
import { openJobQueue } from "./jobs/pg-boss-queue.ts";
import { serveOperator } from "./operator/operator-socket.ts";
import type { Services } from "./services.ts";
import { openBlobStore } from "./storage/open-blob-store.ts";
import { openDatabase } from "./storage/open-database.ts";

const dayMs = 24 * 3600_000;

/**
 * Opens everything the backend works with: log, database (migrated), blobs, queue, scratch folder.
 * `close` first gives running jobs back to the queue, then closes the database.
 * @throws DataDirectoryInUseError when another process has the embedded database open
 */
export async function openServices(config: Config): Promise<{ services: Services; close(): Promise<void> }> {
  const log = pino({ level: config.LOG_LEVEL, serializers: { error: stdSerializers.err } });
  const opened = await openDatabase(config, log);
  try {
    const scratchDirectory = await freshScratchDirectory(config);
    const blobs = await openBlobStore(config, scratchDirectory);
    const jobs = await openJobQueue(opened, config, log);
    const services: Services = {
      config,
      log,
      database: opened.database,
      blobs,
      jobs,
      scratchDirectory,
      now: () => new Date(),
    };
    // With a server's database the operator's program opens it itself.
    const operator = opened.kind === "embedded" ? await serveOperator(services) : null;
    return {
      services,
      async close() {
        await operator?.close();
        await jobs.stop();
        await opened.close();
        await rm(scratchDirectory, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/**
 * With the embedded database this process is alone in DATA_DIR and all of `scratch` is left over from the last run. With a
 * server, others may share the folder: each has its own part, and only parts that nobody touched for a day are left over.
 */
async function freshScratchDirectory(config: Config): Promise<string> {
  const root = resolve(config.DATA_DIR, "scratch");
  if (!config.DATABASE_URL) {
    await rm(root, { recursive: true, force: true });
    await mkdir(root, { recursive: true });
    return root;
  }
  await mkdir(root, { recursive: true });
  for (const name of await readdir(root)) {
    const path = join(root, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > dayMs) await rm(path, { recursive: true, force: true });
  }
  const own = join(root, `${hostname()}-${process.pid}-${Date.now()}`);
  await mkdir(own);
  return own;
}
