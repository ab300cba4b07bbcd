import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export interface Measured {
  /** Wall clock. */
  seconds: number;
  /** Processor time of all threads and processes, which is fairer on a busy machine. Null when /proc does not tell. */
  cpuSeconds: number | null;
  /** Sum of each process's largest resident set, including mapped files; null when /proc does not tell. */
  peakBytes: number | null;
}

const lookEveryMs = 10;

/**
 * Runs a program to its end and measures it from outside, with its child processes, so that programs in any language are comparable.
 * @throws Error when it fails, with the end of its output
 */
export function measureProcess(program: string, args: readonly string[]): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    const peakOf = new Map<number, number>();
    const cpuOf = new Map<number, number>();
    const listen = (text: Buffer) => {
      printed = (printed + text).slice(-2000);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    const timer = setInterval(() => {
      for (const pid of child.pid ? withDescendants(child.pid) : []) {
        const peak = highWaterMark(pid);
        const cpu = processorSeconds(pid);
        if (peak !== null) peakOf.set(pid, peak);
        if (cpu !== null) cpuOf.set(pid, cpu);
      }
    }, lookEveryMs);
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(timer);
      const seconds = (performance.now() - start) / 1000;
      if (code !== 0) return reject(new Error(`${program} ended with ${code}: ${printed}`));
      resolve({ seconds, cpuSeconds: sum(cpuOf.values()), peakBytes: sum(peakOf.values()) });
    });
  });
}

/** Null for an empty list: the system does not tell. */
function sum(values: Iterable<number>): number | null {
  const list = [...values];
  return list.length === 0 ? null : list.reduce((total, value) => total + value, 0);
}

/** A process and all its living descendants. Source: proc(5), `children`. */
function withDescendants(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
    return [pid, ...children.flatMap(withDescendants)];
  } catch {
    return [pid];
  }
}

/** Source: proc(5), `VmHWM`: the peak so far, so the last measurement counts. */
function highWaterMark(pid: number): number | null {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}

const clockTicksPerSecond = 100;

/** Source: proc(5), fields 14 and 15 of `stat`, counted after the program's name, which may contain anything. */
function processorSeconds(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    const seconds = (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond;
    return Number.isFinite(seconds) ? seconds : null;
  } catch {
    return null;
  }
}
