import { createHash, randomUUID } from "node:crypto";
import { link, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { makeFolder } from "./durable-files.ts";

/** Another process uses this data directory. */
export class DataDirectoryInUseError extends Error {
  constructor(directory: string, holder: string) {
    super(
      `Another Clutchcast${holder} already uses the data directory ${directory}. ` +
        "Stop it first, or choose another folder with DATA_DIR.",
    );
  }
}

export interface DirectoryLock {
  release(): Promise<void>;
}

/**
 * Makes this process the only one that opens the embedded database in a directory. PGlite has no lock: two processes on one directory lose
 * acknowledged rows without an error.
 * Linux and Windows: a socket name that the kernel frees however the process dies. Elsewhere: a file with the process id. Both work within
 * one machine (Linux: one network namespace).
 * @throws DataDirectoryInUseError
 */
export async function lockDataDirectory(directory: string): Promise<DirectoryLock> {
  await makeFolder(directory);
  const path = await realpath(directory);
  const digest = createHash("sha256").update(path).digest("hex").slice(0, 32);
  if (process.platform === "linux") return await lockByName(`\0clutchcast-${digest}`, path);
  if (process.platform === "win32") return await lockByName(`\\\\.\\pipe\\clutchcast-${digest}`, path);
  return await lockByFile(path);
}

function lockByName(name: string, directory: string): Promise<DirectoryLock> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? new DataDirectoryInUseError(directory, "") : error);
    });
    server.listen({ path: name, exclusive: true }, () => {
      server.unref();
      resolve({ release: () => new Promise((closed) => server.close(() => closed())) });
    });
  });
}

/** For systems without socket names that end with their process; exported for its test. */
export async function lockByFile(directory: string): Promise<DirectoryLock> {
  const path = join(directory, "clutchcast.pid");
  // A unique name for each call: two starts in one process must not remove each other's file.
  const own = `${path}.${randomUUID()}`;
  for (let attempt = 0; attempt < 5; attempt++) {
    // Written beside it and then linked, so that the file never exists without its process id.
    await writeFile(own, String(process.pid));
    try {
      await link(own, path);
      return { release: () => rm(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      await rm(own, { force: true });
    }
    const holder = await readHolder(path);
    if (holder && isAlive(holder)) throw new DataDirectoryInUseError(directory, ` (process ${holder})`);
    await removeStale(path, `${own}.stale`);
  }
  throw new DataDirectoryInUseError(directory, "");
}

async function readHolder(path: string): Promise<number | null> {
  const text = await readFile(path, "utf8").catch(() => "");
  return Number.parseInt(text, 10) || null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Removes the stale file, but restores it if another start has put its own there meanwhile. */
async function removeStale(path: string, aside: string): Promise<void> {
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const holder = await readHolder(aside);
  if (holder && isAlive(holder)) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}
