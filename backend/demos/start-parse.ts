import { type ChildProcess, fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { childProcessEntry } from "../child-process-entry.ts";
import { DemoImportError } from "./demo-import-error.ts";
import type { MessageFromParse, MessageToParse, ParseResult, ParseStage } from "./parse-job.ts";

export interface StartParseJob {
  /** The demo as it came, packed or not. */
  path: string;
  /** An existing folder of the job's own: the unpacked demo comes and goes there, the replay track stays. */
  directory: string;
  /** Most bytes of the unpacked demo. */
  maxBytes: number;
}

export interface StartParseOptions {
  /** Ends the work and the process; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** @param fraction 0..1 of the stage; null when nobody can say */
  onStage?: (stage: ParseStage, fraction: number | null) => void;
  /** Asked with the SHA-256 of the unpacked demo, before it is parsed. True: it is not. */
  isKnown?: (sha256: string) => boolean | Promise<boolean>;
  /** Without a word for this long the process is taken for stuck. */
  silenceMs?: number;
  /** Most memory of its own the process may hold. */
  maxMemoryBytes?: number;
  /** Memory of its own a process holds; null where the system does not say, then what the process reports counts. */
  memoryOf?: (pid: number | undefined) => Promise<number | null>;
  /** The process to start; the product's own by default. */
  entry?: { modulePath: string; execArgv: string[] };
}

export type StartParseResult = { isKnown: true; sha256: string } | ({ isKnown: false; sha256: string } & ParseResult);

/** A query of the parser can take a gigabyte in a second. */
const memoryCheckMs = 100;
/** The last of what the process wrote to its error output: a native panic says there what happened. */
const keptErrorCharacters = 4000;

/**
 * Unpacks, hashes and parses a demo in a process of its own, finds its highlights and writes its replay track.
 *
 * @throws DemoImportError what is wrong with the demo; `parser_failed` when the process died or hung over it,
 *   `out_of_memory` when it wanted too much. The signal's reason when it was aborted. Error for faults of ours.
 */
export async function startParse(job: StartParseJob, options: StartParseOptions = {}): Promise<StartParseResult> {
  options.signal?.throwIfAborted();
  const { modulePath, execArgv } = options.entry ?? childProcessEntry("parse-process");
  const child = fork(modulePath, [], {
    execArgv,
    // The parser reads what strangers made; nothing secret has to be near it.
    env: environmentFor(process.env) as NodeJS.ProcessEnv,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization: "advanced",
  });
  try {
    return await followed(child, job, options);
  } finally {
    child.removeAllListeners();
    child.on("error", () => {});
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  }
}

/** The few variables a Node process needs to run. */
function environmentFor(environment: NodeJS.ProcessEnv): Record<string, string> {
  const needed = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SystemRoot", "NODE_ENV", "LD_LIBRARY_PATH"];
  return Object.fromEntries(
    needed.flatMap((name) => {
      const value = environment[name];
      return value ? [[name, value]] : [];
    }),
  );
}

function followed(child: ChildProcess, job: StartParseJob, options: StartParseOptions): Promise<StartParseResult> {
  const { signal, silenceMs = 120_000, maxMemoryBytes = 1.5 * 1024 ** 3, memoryOf = ownMemoryBytes } = options;
  lowerPriority(child);
  let errorOutput = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errorOutput = (errorOutput + text).slice(-keptErrorCharacters);
  });

  return new Promise((resolve, reject) => {
    let sha256 = "";
    const silence = setTimeout(() => settle(() => reject(failure("parser_failed", "no progress"))), silenceMs);
    let reportedBytes = 0;
    const memory = setInterval(async () => {
      const bytes = (await memoryOf(child.pid)) ?? reportedBytes;
      if (bytes > maxMemoryBytes) settle(() => reject(failure("out_of_memory", "over the limit")));
    }, memoryCheckMs);
    const onAbort = () => settle(() => reject(signal?.reason));
    signal?.addEventListener("abort", onAbort, { once: true });

    const settle = (report: () => void) => {
      clearTimeout(silence);
      clearInterval(memory);
      signal?.removeEventListener("abort", onAbort);
      report();
    };
    const failure = (code: "parser_failed" | "out_of_memory", detail: string) =>
      new DemoImportError(code, {}, new Error(`The parse process ended: ${detail}. ${errorOutput}`.trim()));
    const tell = (message: MessageToParse) => child.send(message, () => {});
    const answer = async () => {
      try {
        const isKnown = (await options.isKnown?.(sha256)) ?? false;
        if (isKnown) settle(() => resolve({ isKnown, sha256 }));
        else if (child.connected) tell({ type: "answer", parse: true });
      } catch (error) {
        settle(() => reject(error));
      } finally {
        silence.refresh();
      }
    };

    child.on("message", (message: MessageFromParse) => {
      silence.refresh();
      switch (message.type) {
        case "stage":
          reportedBytes = message.memoryBytes;
          options.onStage?.(message.stage, message.fraction);
          break;
        case "unpacked":
          sha256 = message.sha256;
          void answer();
          break;
        case "done":
          settle(() => resolve({ isKnown: false, sha256, ...message.result }));
          break;
        case "failed":
          settle(() => reject(new DemoImportError(message.code, message.facts, new Error(message.detail))));
          break;
        case "broken":
          settle(() => reject(new Error(`The parse process failed: ${message.detail}`)));
          break;
      }
    });
    child.on("error", (error) => settle(() => reject(error)));
    child.on("close", (code, exitSignal) => {
      const detail = exitSignal ?? `exit code ${code}`;
      // A kill that was not ours is the system's, out of memory; Node says so itself when its own heap is full.
      const outOfMemory = exitSignal === "SIGKILL" || /heap out of memory|memory allocation/i.test(errorOutput);
      settle(() => reject(failure(outOfMemory ? "out_of_memory" : "parser_failed", detail)));
    });
    tell({ type: "job", job: { sourcePath: job.path, directory: job.directory, maxBytes: job.maxBytes } });
  });
}

/** Pages come first on a machine with few cores. */
function lowerPriority(child: ChildProcess): void {
  try {
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed in some containers, or the process is gone already: then it runs at the priority it has.
  }
}

/**
 * Memory of a process without the files it maps (the demo is one); null where the system does not say, or it is gone.
 * Source: proc(5), `RssAnon`.
 */
async function ownMemoryBytes(pid: number | undefined): Promise<number | null> {
  try {
    const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}
