import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

/** Where Linux has files in memory. */
const memory = "/dev/shm";
const prefix = "clutchcast-tests-";
const neededBytes = 4 * 1024 ** 3;

/** Whether there is room for the files, and in memory for what the tests need besides. */
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
 * An empty folder in memory for the temporary files of tests: an embedded database is a thousand files, which cost a disk's file system
 * 1.6 s of processor time each time they are copied, and memory's a tenth of a second. It is removed when this process ends.
 * @returns its path; null on a machine without such a place, or where it is too small
 */
export function makeMemoryFolder() {
  try {
    for (const name of readdirSync(memory).filter((entry) => entry.startsWith(prefix))) {
      // A run that was killed left it.
      if (!existsSync(`/proc/${name.slice(prefix.length)}`))
        rmSync(join(memory, name), { recursive: true, force: true });
    }
    if (!hasRoom()) return null;
    const folder = join(memory, `${prefix}${process.pid}`);
    mkdirSync(folder);
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    // As /tmp: PostgreSQL's server, which must not run as root, goes through it.
    chmodSync(folder, 0o1777);
    return runsPrograms(folder) ? folder : null;
  } catch {
    return null;
  }
}
