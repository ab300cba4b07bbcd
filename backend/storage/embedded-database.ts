import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import type { Logger } from "pino";
import { childProcessEntry } from "../child-process-entry.ts";
import { childEnvironment } from "../children/child-environment.ts";
import { deadlines } from "../waits/deadlines.ts";
import { lockDataDirectory } from "./data-directory-lock.ts";
import { DiskFullError, isDiskFull, reportsDiskFull } from "./disk-full.ts";
import { syncFolder, syncTree } from "./durable-files.ts";
import { EmbeddedPool } from "./embedded-pool.ts";
import { FullDiskGuard } from "./full-disk-guard.ts";
import { removeOthersRights } from "./owner-only.ts";
import { durableStartParameters, SyncedNodeFilesystem } from "./synced-node-filesystem.ts";
import { embeddedParsers } from "./type-parsers.ts";

export interface EmbeddedDatabase {
  pool: EmbeddedPool;
  pglite: PGlite;
  guard: FullDiskGuard;
  /** @throws Error when a commit does not reach the disk */
  checkDurability(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Measured: 160 to 180 MB for the whole process instead of 310 with PostgreSQL's default of 128 MB. With twice the buffers a table grows by
 * more pages at once than PostgreSQL writes out, and these have no reserved room (decision 055).
 */
const memoryParameters = ["-c", "shared_buffers=16MB", "-c", "max_wal_size=64MB"];

/**
 * A checkpoint on a full disk must need no room: one that stores the state of replication, which is not used, writes a file of 16 bytes
 * each time and panics without it.
 */
const fullDiskParameters = ["-c", "max_replication_slots=0", "-c", "max_active_replication_origins=0"];

/**
 * Opens the PostgreSQL in this process, with its files in `dataDirectory/postgres`; creates it on the first start.
 * @throws DataDirectoryInUseError when another process has it open
 * @throws DiskFullError when a new one does not fit on the disk
 */
export async function openEmbeddedDatabase(dataDirectory: string, log: Logger): Promise<EmbeddedDatabase> {
  const lock = await lockDataDirectory(dataDirectory);
  try {
    const folder = join(dataDirectory, "postgres");
    const guard = new FullDiskGuard(dataDirectory, folder, log);
    if (!existsSync(join(folder, "PG_VERSION"))) {
      guard.checkFirstStart();
      await createCluster(dataDirectory, folder, log).catch((error: unknown) => {
        throw isDiskFull(error) || reportsDiskFull(String(error)) ? guard.noFirstStart() : error;
      });
    }
    guard.prepareStart();
    const files = new SyncedNodeFilesystem(folder);
    const pglite = await openCluster(files, folder);
    const pool = new EmbeddedPool(pglite, { onDown: endProcess, beforeTurn: (query) => guard.beforeTurn(query) });
    await guard.afterStart((text) => pool.query(text));
    return {
      pool,
      pglite,
      guard,
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
      startParams: [...durableStartParameters, ...memoryParameters, ...fullDiskParameters],
      parsers: embeddedParsers,
      onStderr(line) {
        if (/\b(FATAL|PANIC):/.test(line)) complaints.push(line.replace(/^.*?\b(FATAL|PANIC):\s*/, ""));
        return true;
      },
    });
  } catch (error) {
    // PGlite only reports a failure; PostgreSQL has logged the reason.
    const reason = complaints.at(-1) ?? (error instanceof Error ? error.message : String(error));
    if (reportsDiskFull(reason)) {
      throw new DiskFullError(
        `The disk is full: the database in ${folder} cannot be opened. Make room, then start again.`,
      );
    }
    throw new Error(`The database in ${folder} could not be opened: ${reason}`, { cause: error });
  }
}

/** Ends this process, as a crash of a database server ends its backends: nothing works without it, and only a new start can recover it. */
function endProcess(error: Error): never {
  process.stderr.write(`${error.message}\nNothing stored is lost. Make room if the disk is full, then start again.\n`);
  process.exit(1);
}

/**
 * Created by a child, beside its final place: a killed start leaves nothing that the next one mistakes for a database. Every file is synced
 * before the folder gets its name, so that a power cut leaves a whole database or none.
 */
async function createCluster(dataDirectory: string, folder: string, log: Logger): Promise<void> {
  log.info("first start: creating the database");
  await removeEmpty(folder);
  for (const name of await readdir(dataDirectory)) {
    // Best effort: the child of a killed start may still write there for a moment.
    if (name.startsWith("postgres.new-")) await rm(join(dataDirectory, name), { recursive: true }).catch(() => {});
  }
  const unfinished = join(dataDirectory, `postgres.new-${process.pid}`);
  try {
    await fillCluster(unfinished);
    // PGlite creates some of its files readable for everybody, whatever this process's umask.
    if (process.platform !== "win32") await removeOthersRights(unfinished);
    await syncTree(unfinished);
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(dataDirectory);
}

/** @throws Error with the end of initdb's output */
async function fillCluster(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { modulePath, execArgv, environment } = childProcessEntry("initdb-process");
  await new Promise<void>((resolve, reject) => {
    const child = fork(modulePath, [folder], {
      execArgv,
      env: { ...childEnvironment(null), ...environment },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let complaint = "";
    const overdue = setTimeout(() => child.kill("SIGKILL"), deadlines.database.createMs).unref();
    child.stderr?.on("data", (chunk) => {
      complaint = (complaint + chunk).slice(-4000);
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      clearTimeout(overdue);
      if (code === 0) resolve();
      else reject(new Error(`The database could not be created (${signal ?? `exit ${code}`}).\n${complaint}`));
    });
  });
}

/** Files without PG_VERSION are not a database, but may be the remains of one, so we never delete them. */
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
  // A commit that changes no table, so that it needs no room on a full disk.
  await pool.query("SELECT pg_logical_emit_message(true, 'clutchcast', 'start')");
  if (files.syncs === before) {
    throw new Error(
      "A commit of the embedded database did not reach the disk: a power loss would destroy it. " +
        "This version of PGlite does not fit; install the one in package-lock.json with npm ci.",
    );
  }
}
