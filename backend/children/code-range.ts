import { readFileSync } from "node:fs";

/**
 * Address space that V8 reserves for machine code in the main thread of a process, bytes. Since Node 24 (512 MiB of it) it is writable
 * from the beginning, so that RLIMIT_DATA counts all of it, though hardly any is ever used. 0 where it does not count, or the system
 * does not tell.
 */
export function codeRangeBytes(): number {
  range ??= readCodeRange();
  return range;
}

/** It stays what it was at the start. */
let range: number | undefined;

function readCodeRange(): number {
  try {
    return largestCodeRange(readFileSync("/proc/self/maps", "utf8"));
  } catch {
    return 0;
  }
}

/** @param maps as proc_pid_maps(5) has it */
export function largestCodeRange(maps: string): number {
  // Machine code of nobody's file that may be written to. Other isolates have one each: those of threads are kept small.
  const ranges = maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) rwxp [0-9a-f]+ \S+ 0\b/gm);
  return Math.max(
    0,
    ...Array.from(ranges, ([, from = "", to = ""]) => Number.parseInt(to, 16) - Number.parseInt(from, 16)),
  );
}

/** `resourceLimits` of a thread, MB: its own reservation would count as much as that of the main thread. */
export const threadCodeRangeMb = 64;
