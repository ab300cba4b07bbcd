import { readFileSync } from "node:fs";

/** How a child ended. */
export interface ChildEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** The end of its error output; a native panic explains itself there. */
  words: string;
  /** A message that none of our processes sends, as the end of a sentence; the child was killed for it. null: none. */
  fault: string | null;
  /**
   * `exited`: by itself; `crashed`: by its own code; `out_of_memory`, `out_of_time`: at a limit of ours or of the system; `interrupted`: by
   * somebody else, which says nothing about its work.
   */
  cause: "exited" | "crashed" | "out_of_memory" | "out_of_time" | "interrupted";
}

/** Signals of a fault in the process itself. */
const crashSignals: ReadonlySet<string> = new Set([
  "SIGSEGV",
  "SIGABRT",
  "SIGILL",
  "SIGBUS",
  "SIGFPE",
  "SIGTRAP",
  "SIGSYS",
]);

/** What V8, Rust and the C++ library write before they abort for lack of memory. */
const memoryWords =
  /heap out of memory|Allocation failed - |memory allocation of \d+ bytes failed|std::bad_alloc|OOM error in V8|Fatal process out of memory/i;

/**
 * @param oomKillsBefore `systemOomKills` when the child began
 * @param fault see `ChildEnd`
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

/** The end of a sentence that begins with the process: "was ended by SIGKILL: …". */
export function describeEnd({ code, signal, words, fault }: ChildEnd): string {
  const byItself = signal ? `was ended by ${signal}` : `ended with code ${code}`;
  const end = fault === null ? byItself : `was ended because ${fault}`;
  return words.trim() ? `${end}: ${words.trim()}` : `${end}.`;
}

/**
 * How many processes the system has killed for lack of memory since it started, including those at a container's limit; 0 where it does not
 * count them. Source: proc_vmstat(5), `oom_kill`, since Linux 4.13.
 */
export function systemOomKills(): number {
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync("/proc/vmstat", "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
