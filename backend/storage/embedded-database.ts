import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import type { Logger } from "pino";
import { childProcessEntry } from "../child-process-entry.ts";
import { childEnvironment } from "../children/child-environment.ts";
import { lockDataDirectory } from "./data-directory-lock.ts";
import { syncFolder, syncTree } from "./durable-files.ts";
import { EmbeddedPool } from "./embedded-pool.ts";
import { durableStartParameters, SyncedNodeFilesystem } from "./synced-node-filesystem.ts";
import { embeddedParsers } from "./type-parsers.ts";

export interface EmbeddedDatabase {
  pool: EmbeddedPool;
  pglite: PGlite;
  /** @throws Error when a commit does not reach the disk */
  checkDurability(): Promise<void>;
  close(): Promise<void>;
}

/** Measured: 160 to 180 MB for the whole process instead of 310 with PostgreSQL's 128 MB default. */
const memoryParameters = ["-c", "shared_buffers=16MB", "-c", "max_wal_size=64MB"];

/**
 * Opens the PostgreSQL that lives inside this process, its files in `dataDirectory/postgres`; makes it on the first start.
 * @throws DataDirectoryInUseError when another process has it open
 */
export async function openEmbeddedDatabase(dataDirectory: string, log: Logger): Promise<EmbeddedDatabase> {
  const lock = await lockDataDirectory(dataDirectory);
  try {
    const folder = join(dataDirectory, "postgres");
    if (!existsSync(join(folder, "PG_VERSION"))) await createCluster(dataDirectory, folder, log);
    const files = new SyncedNodeFilesystem(folder);
    const pglite = await openCluster(files, folder);
    const pool = new EmbeddedPool(pglite, endProcess);
    return {
      pool,
      pglite,
      checkDurability: () => checkDurability(pool, files),
      async close() {
        await pool.end();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openCluster(files: SyncedNodeFilesystem, folder: string): Promise<PGlite> {
  const complaints: string[] = [];
  try {
    return await PGlite.create({
      fs: files,
      startParams: [...durableStartParameters, ...memoryParameters],
      parsers: embeddedParsers,
      onStderr(line) {
        if (/\b(FATAL|PANIC):/.test(line)) complaints.push(line.replace(/^.*?\b(FATAL|PANIC):\s*/, ""));
        return true;
      },
    });
  } catch (error) {
    // PGlite says no more than that it failed; PostgreSQL said why.
    const reason = complaints.at(-1) ?? (error instanceof Error ? error.message : String(error));
    throw new Error(`The database in ${folder} could not be opened: ${reason}`, { cause: error });
  }
}

/** As a database server's crash ends its backends: nothing works without it, and only a new start can recover it. */
function endProcess(error: Error): never {
  process.stderr.write(`${error.message}\nNothing stored is lost. Make room if the disk is full, then start again.\n`);
  process.exit(1);
}

/**
 * In a child, and beside its final place: a start that was killed here leaves nothing that the next one takes for whole. Every
 * file is on the disk before the folder gets its name, so that a power cut leaves no database or a whole one.
 */
async function createCluster(dataDirectory: string, folder: string, log: Logger): Promise<void> {
  log.info("first start: creating the database");
  await removeEmpty(folder);
  for (const name of await readdir(dataDirectory)) {
    // Not worth failing for: the child of a killed start may still write there for a moment.
    if (name.startsWith("postgres.new-")) await rm(join(dataDirectory, name), { recursive: true }).catch(() => {});
  }
  const unfinished = join(dataDirectory, `postgres.new-${process.pid}`);
  await mkdir(unfinished, { recursive: true });
  const { modulePath, execArgv, environment } = childProcessEntry("initdb-process");
  await new Promise<void>((resolve, reject) => {
    const child = fork(modulePath, [unfinished], {
      execArgv,
      env: { ...childEnvironment(null), ...environment },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let complaint = "";
    child.stderr?.on("data", (chunk) => {
      complaint = (complaint + chunk).slice(-4000);
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`The database could not be created (${signal ?? `exit ${code}`}).\n${complaint}`));
    });
  });
  await syncTree(unfinished);
  await rename(unfinished, folder);
  await syncFolder(dataDirectory);
}

/** Files without PG_VERSION are no database, but may be what is left of one: never ours to delete. */
async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return;
    throw new Error(
      `${folder} holds files, but its PG_VERSION is missing: what is left of a database? ` +
        "Put a backup in its place, or move the folder away to begin with an empty database.",
      { cause: error },
    );
  });
}

/** Exported for its test, which breaks it. @throws Error when a commit does not reach the disk */
export async function checkDurability(pool: Pick<EmbeddedPool, "query">, files: SyncedNodeFilesystem): Promise<void> {
  const before = files.syncs;
  await pool.query(
    "INSERT INTO settings VALUES ('last_start', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    [new Date().toISOString()],
  );
  if (files.syncs === before) {
    throw new Error(
      "A commit of the embedded database did not reach the disk: a power loss would destroy it. " +
        "This version of PGlite does not fit; install the one in package-lock.json with npm ci.",
    );
  }
}
