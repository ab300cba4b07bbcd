import { readFileSync } from "node:fs";

/**
 * Bytes of address space that V8 reserves for machine code in a process's main thread. Since Node 24 (512 MiB of it) it is writable from
 * the start, so that RLIMIT_DATA counts all of it, though hardly any is used. 0 where it is not counted, or the system does not tell.
 */
export function codeRangeBytes(): number {
  range ??= readCodeRange();
  return range;
}

/** Does not change after the start. */
let range: number | undefined;

function readCodeRange(): number {
  try {
    return largestCodeRange(readFileSync("/proc/self/maps", "utf8"));
  } catch {
    return 0;
  }
}

/** @param maps in the format of proc_pid_maps(5) */
export function largestCodeRange(maps: string): number {
  // Writable machine code that belongs to no file. Other isolates have one each: those of threads are kept small.
  const ranges = maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rwxp [0-9a-f]+ \S+ 0\b/gm);
  return Math.max(
    0,
    ...Array.from(ranges, ([, from = "", to = ""]) => Number.parseInt(to, 16) - Number.parseInt(from, 16)),
  );
}

/** `resourceLimits` of a thread in MB; by default its reservation would count as much as the main thread's. */
export const threadCodeRangeMb = 64;
