import { readFileSync } from "node:fs";

/** How a child ended. */
export interface ChildEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The last of what it wrote to its error output: a native panic says there what happened. */
  words: string;
  /** What it said that no process of ours says, as the end of a sentence; it was ended for that. null: nothing. */
  fault: string | null;
  /**
   * `exited` by itself; `crashed`: its own code brought it down; `out_of_memory`, `out_of_time`: it met a limit of ours or the
   * system's; `interrupted`: somebody else ended it, which says nothing about its work.
   */
  cause: "exited" | "crashed" | "out_of_memory" | "out_of_time" | "interrupted";
}

/** The signals of a fault in the process itself. */
const crashSignals: ReadonlySet<string> = new Set([
  "SIGSEGV",
  "SIGABRT",
  "SIGILL",
  "SIGBUS",
  "SIGFPE",
  "SIGTRAP",
  "SIGSYS",
]);

/** How V8, Rust and the C++ library say that they were refused memory, before they abort. */
const memoryWords =
  /heap out of memory|Allocation failed - |memory allocation of \d+ bytes failed|std::bad_alloc|OOM error in V8|Fatal process out of memory/i;

/**
 * @param oomKillsBefore what `systemOomKills` said when the child began
 * @param fault as `ChildEnd` has it
 */
export function childEnd(
  code: number | null,
  signal: NodeJS.Signals | null,
  words: string,
  oomKillsBefore: number,
  fault: string | null = null,
): ChildEnd {
  const cause = (): ChildEnd["cause"] => {
    if (fault !== null) return "crashed";
    if (memoryWords.test(words)) return "out_of_memory";
    if (signal === null) return "exited";
    if (signal === "SIGKILL" && systemOomKills() > oomKillsBefore) return "out_of_memory";
    if (signal === "SIGXCPU") return "out_of_time";
    return crashSignals.has(signal) ? "crashed" : "interrupted";
  };
  return { code, signal, words, fault, cause: cause() };
}

/** As the end of a sentence that begins with who ended: "was ended by SIGKILL: …". */
export function writtenEnd({ code, signal, words, fault }: ChildEnd): string {
  const byItself = signal ? `was ended by ${signal}` : `ended with code ${code}`;
  const end = fault === null ? byItself : `was ended because ${fault}`;
  return words.trim() ? `${end}: ${words.trim()}` : `${end}.`;
}

/**
 * Processes that the system ended since it started because memory ran out, those of a container's limit included; 0 where
 * it does not count them. Source: proc_vmstat(5), `oom_kill`, since Linux 4.13.
 */
export function systemOomKills(): number {
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync("/proc/vmstat", "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
