import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

/** Linux's file system in memory. */
const memory = "/dev/shm";
const prefix = "clutchcast-tests-";
const neededBytes = 4 * 1024 ** 3;

/** Whether it has room for the files, and memory has room for the rest of the tests. */
function hasRoom() {
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= neededBytes && freemem() >= 2 * neededBytes;
}

/** Containers often forbid programs there, and tests put some into their folders. */
function runsPrograms(folder) {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

/**
 * An empty folder in memory for the temporary files of tests. An embedded database is a thousand files: copying them takes a disk's file
 * system 1.6 s of processor time, and memory's a tenth of a second. It is removed when this process ends.
 * @returns its path; null on a machine without such a file system, or if it is too small
 */
export function makeMemoryFolder() {
  try {
    for (const name of readdirSync(memory).filter((entry) => entry.startsWith(prefix))) {
      // Left by a run that was killed.
      if (!existsSync(`/proc/${name.slice(prefix.length)}`))
        rmSync(join(memory, name), { recursive: true, force: true });
    }
    if (!hasRoom()) return null;
    const folder = join(memory, `${prefix}${process.pid}`);
    mkdirSync(folder);
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    // As /tmp: PostgreSQL's server, which must not run as root, needs access.
    chmodSync(folder, 0o1777);
    return runsPrograms(folder) ? folder : null;
  } catch {
    return null;
  }
}
