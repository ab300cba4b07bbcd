import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Logger } from "pino";
import { type ChildEntry, childProcessEntry } from "../child-process-entry.ts";
import { ConfigError } from "../config.ts";
import { findFfmpeg } from "../video/ffmpeg.ts";
import { childEnvironment } from "./child-environment.ts";
import { codeRangeBytes } from "./code-range.ts";
import { type ChildPlace, confinedCommand } from "./confined-command.ts";
import { withLowPriority } from "./priority.ts";
import type { ProbeAnswer, ProbeQuestion } from "./probe-process.ts";

/** Limits of each process of a child. */
export interface ChildLimits {
  /**
   * Private memory, written to or writable (RLIMIT_DATA). Mapped files do not count, and Node's reservation for machine code is added.
   */
  memoryBytes: number;
  processorSeconds: number;
  /** Size of any file it writes. */
  fileBytes: number;
}

/** The means of this machine to contain a child. */
export interface ContainmentMeans {
  /** prlimit exists: the kernel enforces limits. */
  hasLimits: boolean;
  /** nice exists: a child has low priority from its start. */
  hasNice: boolean;
  /** setpriv exists: a child dies with the server, whatever it is doing. */
  diesWithParent: boolean;
  /** Namespaces are allowed. */
  isConfined: boolean;
}

export interface ContainmentSettings {
  /** CHILD_ISOLATION */
  isolation: "auto" | "require" | "off";
  /** DATA_DIR */
  dataDirectory: string;
  /** FFMPEG_PATH */
  ffmpegPath?: string | undefined;
}

/** Open files of a child; Node and its modules take a few dozen. */
const maxFiles = 1024;
/** A slower probe must not keep the first job waiting. */
const probeMs = 30_000;

/**
 * Contains the processes that work on strangers' data: limits of memory, processor time and file size, and on Linux, where allowed, their
 * own namespaces. The machine's means are determined once, by trying them.
 */
export class Containment {
  readonly #settings: ContainmentSettings;
  readonly #log: Pick<Logger, "info" | "warn">;
  #means: Promise<ContainmentMeans> | null = null;

  constructor(settings: ContainmentSettings, log: Pick<Logger, "info" | "warn">) {
    this.#settings = settings;
    this.#log = log;
  }

  /** @throws ConfigError when isolation is required but not possible */
  means(): Promise<ContainmentMeans> {
    this.#means ??= this.#findMeans();
    return this.#means;
  }

  /**
   * The command line that runs a command contained.
   * @throws ConfigError as `means`
   */
  async contained(
    command: readonly string[],
    place: ChildPlace,
    limits: ChildLimits,
    entry: ChildEntry,
  ): Promise<string[]> {
    const means = await this.means();
    return [
      ...(means.hasLimits ? limitCommand(limits, entry) : []),
      ...(means.diesWithParent ? ["setpriv", "--pdeathsig", "KILL", "--"] : []),
      ...(means.isConfined ? this.#confined(command, place, entry) : command),
    ];
  }

  #confined(command: readonly string[], place: ChildPlace, entry: ChildEntry): string[] {
    const { ffmpegPath, dataDirectory } = this.#settings;
    return confinedCommand(command, place, { entry, started: [ffmpegPath ?? "ffmpeg"] }, [resolve(dataDirectory)]);
  }

  async #findMeans(): Promise<ContainmentMeans> {
    const { isolation } = this.#settings;
    const [hasNice, hasLimits, diesWithParent] = await Promise.all([
      runs(withLowPriority(["true"], 1)),
      runs(["prlimit", "--core=0", "--", "true"]),
      runs(["setpriv", "--pdeathsig", "KILL", "--", "true"]),
    ]);
    const fault = isolation === "off" ? null : await this.#confinementFault();
    const isConfined = isolation !== "off" && fault === null;
    if (fault !== null && isolation === "require") {
      throw new ConfigError(`CHILD_ISOLATION: it is required, but ${fault}. ${howToAllow}`);
    }
    if (fault !== null) {
      this.#log.warn(
        { reason: fault, hasLimits },
        `parsers and renderers run without namespaces of their own, ${hasLimits ? "within limits" : "and without limits but the server's own watch"}. ${howToAllow}`,
      );
    } else if (!hasLimits) this.#log.warn("parsers and renderers run without limits: prlimit (util-linux) is missing");
    else this.#log.info({ isConfined }, "parsers and renderers are contained");
    return { hasNice, hasLimits, diesWithParent, isConfined };
  }

  /** Why a child cannot be confined, as the end of a sentence; null if one was. */
  async #confinementFault(): Promise<string | null> {
    if (process.platform !== "linux") return `${process.platform} has no namespaces`;
    const outside = await mkdtemp(join(tmpdir(), "clutchcast-probe-"));
    try {
      const directory = await mkdtemp(join(outside, "own-"));
      const readable = join(outside, "readable");
      const hidden = join(outside, "hidden");
      await Promise.all([writeFile(readable, "readable"), writeFile(hidden, "hidden")]);
      const entry = childProcessEntry("probe-process");
      const place = { directory, readable: [readable] };
      // A missing ffmpeg is reported by the first render.
      const ffmpegPath = await findFfmpeg({ configured: this.#settings.ffmpegPath }).catch(() => null);
      const question = JSON.stringify({ readable, hidden, ffmpegPath } satisfies ProbeQuestion);
      const command = [process.execPath, ...entry.execArgv, entry.modulePath, question];
      const { fault } = JSON.parse(
        await outputOf(this.#confined(command, place, entry), { ...childEnvironment(directory), ...entry.environment }),
      ) as ProbeAnswer;
      return fault;
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      return words.trim().split("\n").slice(-2).join(" / ").replace(/\.$/, "");
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  }
}

const howToAllow =
  "It takes Linux, util-linux (unshare, mount, setpriv) and leave to make user namespaces: in a container a seccomp and AppArmor " +
  "profile that has it, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0. CHILD_ISOLATION=off ends this line.";

function limitCommand({ memoryBytes, processorSeconds, fileBytes }: ChildLimits, entry: ChildEntry): string[] {
  // The compiler that loads sources has its own thread.
  const nodeThreads = entry.execArgv.length > 0 ? 2 : 1;
  const seconds = Math.ceil(processorSeconds);
  return [
    "prlimit",
    "--core=0",
    `--data=${Math.ceil(memoryBytes + nodeThreads * codeRangeBytes())}`,
    // The first limit sends a signal that tells the cause, the second kills.
    `--cpu=${seconds}:${seconds + 10}`,
    `--fsize=${Math.ceil(fileBytes)}`,
    `--nofile=${maxFiles}`,
    "--",
  ];
}

async function runs(command: string[]): Promise<boolean> {
  try {
    await outputOf(command, childEnvironment(null));
    return true;
  } catch {
    return false;
  }
}

/** @throws Error with the end of a failed command's error output */
function outputOf([program = "", ...parameters]: string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((done, failed) => {
    const options = { env, timeout: probeMs, killSignal: "SIGKILL" } as const;
    execFile(program, parameters, options, (error, stdout, stderr) =>
      error ? failed(stderr.trim() ? new Error(stderr) : error) : done(stdout),
    );
  });
}

/** For programs without a server: limits if possible, but no namespaces. */
export const limitsOnly = new Containment(
  { isolation: "off", dataDirectory: tmpdir() },
  { info: () => {}, warn: () => {} },
);
