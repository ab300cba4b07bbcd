import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const bin = `${root}scripts/clutchcast.mjs`;
export const demoFolder = `${root}tests/fixtures/demos`;

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts the program that package.json lists as its `bin`, in a folder. */
export function startCommand(cwd: string, words: string[], environment: Partial<NodeJS.ProcessEnv> = {}) {
  return follow(spawn(process.execPath, [bin, ...words], { cwd, env: { ...process.env, ...environment } }));
}

/** Runs it to its end. */
export function runCommand(cwd: string, words: string[], environment: Partial<NodeJS.ProcessEnv> = {}): Promise<Ended> {
  return startCommand(cwd, words, environment).ended;
}

/** Collects the output of a started program. */
export function follow(child: ChildProcess): { child: ChildProcess; ended: Promise<Ended> } {
  if (!child.stdout || !child.stderr) throw new Error("Its output goes elsewhere.");
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const code = new Promise<number | null>((resolve) => child.once("exit", (status) => resolve(status)));
  const ended = Promise.all([printed, code]).then(([[stdout, stderr], status]) => ({ code: status, stdout, stderr }));
  return { child, ended };
}

/** Processes that are related to a folder: it is in their command line, or their working folder. Linux only. */
export function processesIn(folder: string): number[] {
  if (!existsSync("/proc/self")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return words.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      } catch {
        return false;
      }
    })
    .map(Number);
}
