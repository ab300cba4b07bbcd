import { writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** Linux accepts ten of these a second from everybody but root. */
const triesOfGroup = 10;
const pauseMs = 150;

/**
 * Lowers the priority of a process that was just started.
 * @param pid of the first process of a session
 * @param hasNice its command begins with `withLowPriority`. Setting the priority from outside can be too late: on a busy machine the process
 * had already started others
 */
export function lowerPriority(pid: number, { niceness, hasNice }: { niceness: number; hasNice: boolean }): void {
  try {
    if (!hasNice) setPriority(pid, Math.min(niceness, constants.priority.PRIORITY_LOW));
  } catch {
    // Not allowed in some containers, or the process is gone: it keeps its priority.
  }
  if (process.platform === "linux") void lowerSession(pid, Math.ceil(niceness / 2));
}

/** Makes a command and everything that it starts run with low priority. */
export function withLowPriority(command: readonly string[], niceness: number): string[] {
  return ["nice", "-n", String(niceness), "--", ...command];
}

/**
 * Kernels of desktops and servers divide the processor among sessions first, and apply priorities only within each
 * (CONFIG_SCHED_AUTOGROUP): two renders, in a session each, took 60 % of two cores from the pages, whatever their niceness. Sessions have a
 * niceness, too. Half the value is used, since it counts against everything on the machine, and a render must not stop because of other
 * work.
 */
async function lowerSession(pid: number, niceness: number): Promise<void> {
  for (let tries = 0; tries < triesOfGroup; tries++) {
    try {
      return await writeFile(`/proc/${pid}/autogroup`, String(niceness));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      await sleep(pauseMs, null, { ref: false });
    }
  }
}
