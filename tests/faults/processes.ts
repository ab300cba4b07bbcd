import { readdirSync, readFileSync } from "node:fs";

/** A process below the server, as proc(5) shows it. */
export interface SeenProcess {
  pid: number;
  /** Words of its command line; empty for a zombie. */
  command: string[];
  /** R, S, D, T, Z … */
  state: string;
}

/** Whether this system tells which processes another one started. */
export const canSeeProcesses = process.platform === "linux" && childrenOf(process.pid) !== null;

/** All processes that `pid` started, and those that they started. Those that end meanwhile are left out. */
export function descendantsOf(pid: number): SeenProcess[] {
  return (childrenOf(pid) ?? []).flatMap((child) => {
    const seen = lookAt(child);
    return seen ? [seen, ...descendantsOf(child)] : [];
  });
}

/** The product's processes of one kind among all that `pid` started. */
export function processesOf(pid: number, kind: "parser" | "renderer" | "ffmpeg"): SeenProcess[] {
  return descendantsOf(pid).filter(({ command }) => {
    const [program = "", ...words] = command;
    if (kind === "ffmpeg") return /(^|\/)ffmpeg[^/]*$/.test(program);
    const entry = kind === "parser" ? /\/parse-process\.[jt]s$/ : /\/render-process\.[jt]s$/;
    // What confines a process starts it by its name, too; the process itself is the one that runs node.
    return /(^|\/)node[^/]*$/.test(program) && words.some((word) => entry.test(word));
  });
}

export interface ProcessMemory {
  /** Without the files it maps. */
  ownBytes: number;
  fileBytes: number;
  /** The most it ever held, files included. */
  peakBytes: number;
}

/** What a process holds; null when it is gone. */
export function memoryOf(pid: number): ProcessMemory | null {
  const status = readProc(`/proc/${pid}/status`);
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status ?? "")?.[1]) * 1024;
  if (!status || Number.isNaN(bytes("RssAnon"))) return null;
  return { ownBytes: bytes("RssAnon"), fileBytes: bytes("RssFile") + bytes("RssShmem"), peakBytes: bytes("VmHWM") };
}

/** Watches what a server and its children hold, until it is stopped. */
export class MemoryWatch {
  /** The most that one process held, by its kind: the server, or its children. */
  readonly peaks = { server: 0, child: 0 };
  readonly #timer: NodeJS.Timeout;
  readonly #pid: () => number;

  /** @param pid of the server; asked each time, since a server may be started again */
  constructor(pid: () => number, everyMs = 20) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#look(), everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const server = this.#pid();
    this.peaks.server = Math.max(this.peaks.server, memoryOf(server)?.ownBytes ?? 0);
    for (const { pid } of descendantsOf(server)) {
      const memory = memoryOf(pid);
      // Between two looks it may have held more: the kernel's own peak, without the files that are mapped now.
      if (memory) {
        const own = Math.max(memory.ownBytes, memory.peakBytes - memory.fileBytes);
        this.peaks.child = Math.max(this.peaks.child, own);
      }
    }
  }
}

function childrenOf(pid: number): number[] | null {
  let threads: string[];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return null;
  }
  const lists = threads.map((thread) => readProc(`/proc/${pid}/task/${thread}/children`));
  if (lists.every((list) => list === null)) return null;
  return lists.flatMap((list) => (list ?? "").split(" ").filter(Boolean).map(Number));
}

function lookAt(pid: number): SeenProcess | null {
  const stat = readProc(`/proc/${pid}/stat`);
  if (!stat) return null;
  const [state = "?"] = stat.slice(stat.lastIndexOf(")") + 2);
  const command = (readProc(`/proc/${pid}/cmdline`) ?? "").split("\0").filter(Boolean);
  return { pid, command, state };
}

function readProc(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
