import { writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** Linux takes ten of these a second from everybody but root. */
const triesOfGroup = 10;
const pauseMs = 150;

/**
 * Lets everything else go before a process that was just started.
 * @param pid of the first process of a session
 * @param hasNice its command begins with `loweredCommand`: set from outside, the process may have started others by then,
 *   and on a busy machine it had
 */
export function lowerPriority(pid: number, { niceness, hasNice }: { niceness: number; hasNice: boolean }): void {
  try {
    if (!hasNice) setPriority(pid, Math.min(niceness, constants.priority.PRIORITY_LOW));
  } catch {
    // Not allowed in some containers, or the process is gone already: then it runs at the priority it has.
  }
  if (process.platform === "linux") void lowerSession(pid, Math.ceil(niceness / 2));
}

/** Makes a command start itself and all that it starts with low priority. */
export function loweredCommand(command: readonly string[], niceness: number): string[] {
  return ["nice", "-n", String(niceness), "--", ...command];
}

/**
 * Desktop and server kernels share out the processor among sessions first and look at priorities within each only
 * (CONFIG_SCHED_AUTOGROUP): two renders, each a session of its own, took 60 % of two cores from the pages, whatever their
 * niceness. A session has one of its own; half as much of it, since it counts against everything on the machine, and a
 * render must not stand still because of somebody else's work.
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
