import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export interface Measured {
  /** Wall clock. */
  seconds: number;
  /** Processor time of all threads; on a busy machine the fairer figure. null where /proc does not tell. */
  cpuSeconds: number | null;
  /** Largest resident set, mapped files included; null where /proc does not tell. */
  peakBytes: number | null;
}

const lookEveryMs = 10;

/**
 * Runs a program to its end and measures it from outside, so that programs in any language compare.
 * @throws Error when it fails, with the end of what it printed
 */
export function measureProcess(program: string, args: readonly string[]): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    let peakBytes: number | null = null;
    let cpuSeconds: number | null = null;
    const listen = (text: Buffer) => {
      printed = (printed + text).slice(-2000);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    const timer = setInterval(() => {
      peakBytes = highWaterMark(child.pid) ?? peakBytes;
      cpuSeconds = processorSeconds(child.pid) ?? cpuSeconds;
    }, lookEveryMs);
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(timer);
      const seconds = (performance.now() - start) / 1000;
      if (code === 0) resolve({ seconds, cpuSeconds, peakBytes });
      else reject(new Error(`${program} ended with ${code}: ${printed}`));
    });
  });
}

/** Source: proc(5), `VmHWM`: the most a process has had so far, so that the last look is the one that counts. */
function highWaterMark(pid: number | undefined): number | null {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}

const clockTicksPerSecond = 100;

/** Source: proc(5), fields 14 and 15 of `stat`, counted after the program's name, which may contain anything. */
function processorSeconds(pid: number | undefined): number | null {
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
