import { lstat, mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { childProcessEntry } from "../child-process-entry.ts";
import { type ChildEnd, describeEnd } from "../children/child-end.ts";
import { type ChildLimits, type Containment, limitsOnly } from "../children/containment.ts";
import { UnfitMessageError } from "../children/message-lines.ts";
import { prepareChild } from "../children/start-child.ts";
import type { HighlightTicks } from "../highlights/stretches.ts";
import { InterruptedError } from "../jobs/job-queue.ts";
import { DemoImportError, type DemoImportErrorCode, isDemoImportErrorCode } from "./demo-import-error.ts";
import {
  type MessageFromParse,
  type MessageToParse,
  type ParseFinding,
  type ParseJob,
  type ParseStage,
  parseStages,
  replayTrackFile,
} from "./parse-job.ts";

export interface StartParseJob {
  /** The demo file, packed or not. */
  path: string;
  /** An existing folder of this job: the unpacked demo is removed from it again, the replay track stays. */
  directory: string;
  /** Limit of the unpacked demo. */
  maxBytes: number;
}

export interface StartParseOptions {
  /** Aborts the work and the process; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** @param fraction 0..1 of the stage; null when unknown */
  onStage?: (stage: ParseStage, fraction: number | null) => void;
  /** Called once with the SHA-256 of the unpacked demo, before parsing. If it returns true, the demo is not parsed. */
  isKnown?: (sha256: string) => boolean | Promise<boolean>;
  /** Highlights that the replay track must contain beside the detected ones. Called when the demo is not known. */
  alsoShown?: (sha256: string) => Promise<HighlightTicks[]>;
  /** A process that reports nothing for this long counts as stuck. */
  silenceMs?: number;
  /** Deadline for everything. */
  maxMs?: number;
  /** Limit of the memory of the process itself, measured from outside. */
  maxMemoryBytes?: number;
  /** Limits set in the kernel, where supported. */
  limits?: Partial<ChildLimits>;
  containment?: Containment;
  /** Memory of a process itself; if null because the system does not tell, the process's own report counts. */
  memoryOf?: (pid: number | undefined) => Promise<number | null>;
  /** The process to start; the product's own by default. */
  entry?: { modulePath: string; execArgv: string[] };
}

export interface ParseResult extends ParseFinding {
  /** The gzipped replay track. */
  trackPath: string;
}

export type StartParseResult = { isKnown: true; sha256: string } | ({ isKnown: false; sha256: string } & ParseResult);

/** The largest known matches take half of it. */
const defaultMaxMemoryBytes = 1.5 * 1024 ** 3;
/** For files beside the demo: a shortened copy and the replay track. */
const minFileBytes = 64 * 1024 ** 2;
/** A query of the parser can take a gigabyte in a second. */
const memoryCheckMs = 100;
/** Pages have priority on machines with few cores. */
const niceness = 10;

/**
 * Deadline for unpacking and parsing together. Two idle cores take 0.3 s per packed megabyte, so this only ends queries or archives made to
 * take for ever.
 */
const maxMsFor = (packedBytes: number) => 600_000 + (1000 * packedBytes) / 1024 ** 2;

/** Errors of V8, Node and WebAssembly when they get no memory. */
const memoryRefused =
  /Array buffer allocation failed|ERR_MEMORY_ALLOCATION_FAILED|could not allocate memory|Out of memory: Cannot allocate/i;

/** Must be hexadecimal digits, since it becomes part of file names. */
const sha256Pattern = /^[0-9a-f]{64}$/;

/** The parser gave up, or the process crashed or hung on the demo, which may be the demo's fault. */
class ParserCrashed extends Error {}

/**
 * Unpacks, hashes and parses a demo in a separate process, detects its highlights and writes its replay track. If the process crashes on
 * the demo, or its parser gives up, it is started once more: only the second time is the demo to blame.
 *
 * @throws DemoImportError what is wrong with the demo; `parser_failed` when two processes gave up, crashed or hung on it, `out_of_memory`
 *   and `too_slow` when it exceeded a limit. InterruptedError when somebody else ended the process. The signal's reason when aborted. Error
 *   for our own faults.
 */
export async function startParse(job: StartParseJob, options: StartParseOptions = {}): Promise<StartParseResult> {
  const once = { ...options, isKnown: rememberingAnswer(options.isKnown) };
  return twiceAtMost(() => parseInOwnFolder(job, once));
}

/**
 * Detects the highlights of a stored replay track anew, in a process like that of `startParse`: data read from a demo is trusted no more
 * than the demo.
 * @param job the track, and an existing folder of this job, in which nothing stays
 * @returns only highlights whose ticks the track contains, and how many more there are
 * @throws as `startParse`; DemoImportError `parser_failed` for an unreadable track
 */
export async function startDetection(
  job: Pick<StartParseJob, "path" | "directory">,
  options: Omit<StartParseOptions, "isKnown" | "alsoShown"> = {},
): Promise<ParseFinding> {
  return twiceAtMost(() =>
    inOwnFolder(job, async (folder, { path, bytes }) => {
      const source = { source: "track", path, maxBytes: 0 } as const;
      const found = await parseIn(folder, source, { maxMs: maxMsFor(bytes), ...options });
      if (found.isKnown) throw new ParserCrashed("The process asked for a demo's name.");
      return found;
    }),
  );
}

async function twiceAtMost<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ParserCrashed)) throw error;
  }
  try {
    return await work();
  } catch (error) {
    throw error instanceof ParserCrashed ? new DemoImportError("parser_failed", {}, error) : error;
  }
}

/** Keeps the answer for a demo, since the caller may have claimed it when first asked. */
function rememberingAnswer(isKnown: StartParseOptions["isKnown"]): NonNullable<StartParseOptions["isKnown"]> {
  const answers = new Map<string, boolean | Promise<boolean>>();
  return (sha256) => {
    if (answers.size > 0 && !answers.has(sha256))
      throw new ParserCrashed("The demo unpacked to another one this time.");
    const answer = answers.get(sha256) ?? isKnown?.(sha256) ?? false;
    answers.set(sha256, answer);
    return answer;
  };
}

async function parseInOwnFolder(job: StartParseJob, options: StartParseOptions): Promise<StartParseResult> {
  options.signal?.throwIfAborted();
  return inOwnFolder(job, async (folder, { path, bytes }) => {
    const source = { source: "demo", path, maxBytes: job.maxBytes } as const;
    const parsed = await parseIn(folder, source, { maxMs: maxMsFor(bytes), ...options });
    if (parsed.isKnown) return parsed;
    if (!parsed.sha256) throw new ParserCrashed("The process did not say which demo it unpacked.");
    const trackPath = join(job.directory, replayTrackFile);
    await rename(join(folder, replayTrackFile), trackPath);
    // A process taken over by a demo could have put a link there, to any file that this process may read.
    if (!(await lstat(trackPath)).isFile()) throw new ParserCrashed("The replay track is no file.");
    return { ...parsed, trackPath };
  });
}

async function inOwnFolder<Result>(
  job: Pick<StartParseJob, "path" | "directory">,
  work: (folder: string, source: { path: string; bytes: number }) => Promise<Result>,
): Promise<Result> {
  // The process has another working folder, in which relative paths would lead elsewhere.
  const path = resolve(job.path);
  const bytes = (await stat(path)).size;
  const folder = await mkdtemp(join(resolve(job.directory), "parse-"));
  try {
    return await work(folder, { path, bytes });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Parsed = { isKnown: true; sha256: string } | ({ isKnown: false; sha256: string } & ParseFinding);

type PlacedJob = Omit<StartParseJob, "directory"> & Pick<ParseJob, "source">;

/** @returns a function that starts the process in the folder */
async function prepareParse(folder: string, job: PlacedJob, options: StartParseOptions & { maxMs: number }) {
  return prepareChild<MessageFromParse>({
    entry: options.entry ?? childProcessEntry("parse-process"),
    containment: options.containment ?? limitsOnly,
    directory: folder,
    readable: [job.path],
    limits: {
      memoryBytes: defaultMaxMemoryBytes,
      // Two threads of our own, and at times one of the parser's per core.
      processorSeconds: (3 * options.maxMs) / 1000,
      fileBytes: job.maxBytes + minFileBytes,
      ...options.limits,
    },
    niceness,
  });
}

/** Resolves and rejects only when the process is gone. */
async function parseIn(
  folder: string,
  job: PlacedJob,
  options: StartParseOptions & { maxMs: number },
): Promise<Parsed> {
  const { signal, silenceMs = 120_000, maxMs, maxMemoryBytes = defaultMaxMemoryBytes } = options;
  const memoryOf = options.memoryOf ?? ownMemoryBytes;
  const start = await prepareParse(folder, job, options);
  return await new Promise((resolve, reject) => {
    let sha256 = "";
    let hasBegun = false;
    let reportedBytes = 0;
    let report: (() => void) | null = null;
    let isGone = false;

    /** The first outcome counts. It is delivered once the process is gone, when nothing writes into the folder any more. */
    const settle = (outcome: () => void) => {
      if (report) return;
      report = outcome;
      clearTimeout(silence);
      clearTimeout(deadline);
      clearInterval(memory);
      signal?.removeEventListener("abort", onAbort);
      if (isGone) report();
      else child.kill();
    };
    const fail = (error: unknown) => settle(() => reject(error));
    const tell = (message: MessageToParse) => child.send(message);
    const answer = async () => {
      try {
        const isKnown = (await options.isKnown?.(sha256)) ?? false;
        if (isKnown) settle(() => resolve({ isKnown, sha256 }));
        else tell({ type: "answer", parse: true, alsoShown: (await options.alsoShown?.(sha256)) ?? [] });
      } catch (error) {
        fail(error);
      } finally {
        silence.refresh();
      }
    };
    const hear = (message: MessageFromParse) => {
      switch (message.type) {
        case "stage":
          reportedBytes = message.memoryBytes;
          options.onStage?.(message.stage, message.fraction === null ? null : withinUnit(message.fraction));
          break;
        case "unpacked":
          sha256 = message.sha256;
          void answer();
          break;
        case "done":
          settle(() => resolve({ isKnown: false, sha256, ...message.finding }));
          break;
        case "failed":
        case "broken":
          fail(failureOf(message));
          break;
      }
    };

    const child = start({
      onMessage(message) {
        hasBegun = true;
        if (report) return;
        assertFit(message, sha256);
        silence.refresh();
        try {
          hear(message);
        } catch (error) {
          fail(error);
        }
      },
      onEnd(end) {
        isGone = true;
        if (report) report();
        else fail(errorOf(end, hasBegun || end.fault !== null));
      },
    });
    const silence = setTimeout(() => fail(new ParserCrashed("The parse process stood still.")), silenceMs);
    const deadline = setTimeout(() => fail(ended("too_slow", "out of time")), maxMs);
    const memory = setInterval(async () => {
      const bytes = (await memoryOf(child.pid)) ?? reportedBytes;
      if (bytes > maxMemoryBytes) fail(ended("out_of_memory", "over the limit"));
    }, memoryCheckMs);
    const onAbort = () => fail(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
    tell({ type: "job", job: { source: job.source, sourcePath: job.path, directory: folder, maxBytes: job.maxBytes } });
  });
}

/** The error of a process that was ended because it exceeded a limit. */
function ended(code: DemoImportErrorCode, detail: string): DemoImportError {
  return new DemoImportError(code, {}, new Error(`The parse process was ended: ${detail}.`));
}

function failureOf(message: Extract<MessageFromParse, { type: "failed" | "broken" }>): Error {
  const { detail } = message;
  if (message.type === "broken") {
    return memoryRefused.test(detail)
      ? ended("out_of_memory", detail)
      : new Error(`The parse process failed: ${detail}`);
  }
  // The parser, which reads in several threads at once, was seen to give up on a demo that it read on every other try.
  if (message.code === "parser_failed") return new ParserCrashed(detail);
  return new DemoImportError(message.code, message.facts, new Error(detail));
}

/**
 * Checks a message from the process. The contents of a finding are checked by whoever stores it.
 * @param unpacked SHA-256 of the demo that the process reported earlier, if it did
 * @throws UnfitMessageError
 */
function assertFit(message: MessageFromParse, unpacked: string): void {
  const isFit = () => {
    switch (message.type) {
      case "stage":
        return (
          parseStages.includes(message.stage) &&
          (message.fraction === null || typeof message.fraction === "number") &&
          typeof message.memoryBytes === "number"
        );
      case "unpacked":
        return unpacked === "" && typeof message.sha256 === "string" && sha256Pattern.test(message.sha256);
      case "done":
        return isObject(message.finding);
      case "failed":
        return isDemoImportErrorCode(message.code) && isObject(message.facts) && typeof message.detail === "string";
      case "broken":
        return typeof message.detail === "string";
      default:
        return false;
    }
  };
  if (!isFit()) throw new UnfitMessageError("it said what no parse process says");
}

const withinUnit = (fraction: number) => Math.min(1, Math.max(0, fraction));

const isObject = (value: unknown) => typeof value === "object" && value !== null;

/** @param hasBegun whether the process got as far as looking at the demo */
function errorOf(end: ChildEnd, hasBegun: boolean): Error {
  const detail = new Error(`The parse process ${describeEnd(end)}`);
  if (end.cause === "interrupted") return new InterruptedError(detail.message);
  if (!hasBegun) return detail;
  if (end.cause === "out_of_memory") return new DemoImportError("out_of_memory", {}, detail);
  if (end.cause === "out_of_time") return new DemoImportError("too_slow", {}, detail);
  return new ParserCrashed(detail.message);
}

/**
 * Memory of a process and its children without mapped files such as the demo; null when the system does not tell, or the process is gone.
 * Source: proc(5), `RssAnon`; `children`.
 */
async function ownMemoryBytes(pid: number | undefined): Promise<number | null> {
  try {
    const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1];
    if (kilobytes === undefined) return null;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
    const below = await Promise.all(children.split(" ").filter(Boolean).map(Number).map(ownMemoryBytes));
    return Number(kilobytes) * 1024 + below.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
  } catch {
    return null;
  }
}
