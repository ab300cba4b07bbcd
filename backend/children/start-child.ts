import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChildEntry } from "../child-process-entry.ts";
import { currentTrace, traceparentOf } from "../trace-context.ts";
import { type ChildEnd, childEnd, systemOomKills } from "./child-end.ts";
import { childEnvironment } from "./child-environment.ts";
import type { ChildPlace } from "./confined-command.ts";
import type { ChildLimits, Containment, ContainmentMeans } from "./containment.ts";
import { channelDescriptor, MessageLines, messageLine, UnfitMessageError } from "./message-lines.ts";
import { lowerPriority, withLowPriority } from "./priority.ts";

export interface ChildSettings extends ChildPlace {
  entry: ChildEntry;
  limits: ChildLimits;
  /** Maximum JavaScript heap; Node's default if left out. */
  heapMegabytes?: number;
  /** From 1 to 19, inherited by what the child starts: pages come first on a machine with few cores. */
  niceness: number;
  containment: Containment;
}

/** One of our processes that works on strangers' data. It receives and sends messages (`message-lines.ts`). */
export interface Child {
  /** Process id of the child, or of the process that confines it and is its parent. */
  readonly pid: number | undefined;
  send(message: object): void;
  /** Kills it and everything that it started. */
  kill(): void;
}

export interface ChildListeners<Message> {
  /**
   * The message is only known to be an object. If this throws, the child is killed, as after a line that is no message; an
   * UnfitMessageError becomes its fault.
   */
  onMessage(message: Message): void;
  /** Called once, after it has ended and all its messages were read; also when it could not be started. */
  onEnd(end: ChildEnd): void;
}

/** How much of the end of its error output is kept. */
const keptErrorCharacters = 4000;
/** How long the messages of an ended child may take to arrive; a process that it started may keep the pipes open for ever. */
const hearingMs = 5000;

/**
 * Prepares one of our child processes with only what it needs: an environment without secrets, its own folder, limits and namespaces if the
 * machine has them, and its own process group, so that killing it kills what it started.
 * @returns a function that starts it
 * @throws ConfigError when isolation is required but not possible
 */
export async function prepareChild<Message>(
  settings: ChildSettings,
): Promise<(listeners: ChildListeners<Message>) => Child> {
  const { entry, containment, limits, heapMegabytes } = settings;
  const heap = heapMegabytes ? [`--max-old-space-size=${heapMegabytes}`] : [];
  const own = [process.execPath, ...entry.execArgv, ...heap, entry.modulePath];
  const command = await containment.contained(own, settings, limits, entry);
  const { isConfined, hasNice } = await containment.means();
  const lowered = hasNice ? withLowPriority(command, settings.niceness) : command;
  return (listeners) => startChild(lowered, { ...settings, isConfined, hasNice }, listeners);
}

function startChild<Message>(
  command: string[],
  settings: ChildSettings & Pick<ContainmentMeans, "isConfined" | "hasNice">,
  listeners: ChildListeners<Message>,
): Child {
  const hasGroup = process.platform !== "win32";
  const [program = "", ...parameters] = command;
  const oomKillsBefore = systemOomKills();
  const trace = currentTrace();
  const child = spawn(program, parameters, {
    cwd: settings.directory,
    env: {
      ...childEnvironment(settings.directory),
      ...settings.entry.environment,
      // OpenTelemetry's name for it; a child passes it on.
      ...(trace ? { TRACEPARENT: traceparentOf(trace) } : {}),
    },
    // "overlapped" differs from "pipe" only on Windows, where it can be read and written at the same time.
    stdio: ["ignore", "ignore", "pipe", "overlapped"],
    detached: hasGroup,
  });
  if (child.pid) lowerPriority(child.pid, settings);
  const kill = () => {
    try {
      if (hasGroup && child.pid) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    } catch {
      // It has already ended.
    }
  };
  let words = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    words = (words + text).slice(-keptErrorCharacters);
  });
  // Missing when the system has no descriptors left.
  const channel = child.stdio?.[channelDescriptor] as Duplex | undefined;
  const lines = new MessageLines();
  let fault: string | null = null;
  channel?.on("data", (piece: Buffer) => {
    try {
      for (const message of lines.take(piece)) listeners.onMessage(message as Message);
    } catch (error) {
      fault = error instanceof UnfitMessageError ? error.message : `its message could not be dealt with (${error})`;
      channel.destroy();
      kill();
    }
  });
  // The child's end is reported separately.
  channel?.on("error", () => {});
  let isOver = false;
  const end = (code: number | null, signal: NodeJS.Signals | null) => {
    if (isOver) return;
    isOver = true;
    channel?.destroy();
    listeners.onEnd(childEnd(code, signal, words, oomKillsBefore, fault));
  };
  child.on("error", (error) => {
    words ||= error.message;
    if (child.pid === undefined) end(null, null);
  });
  child.on("exit", (code, signal) => {
    // Processes that outlive it could go on writing, and keep its pipes open.
    kill();
    const everything = new Promise((resolve) => child.once("close", resolve));
    const told = settings.isConfined ? signalOfCode(code) : null;
    void Promise.race([everything, sleep(hearingMs, null, { ref: false })]).then(() =>
      told ? end(null, told) : end(code, signal),
    );
  });
  return {
    pid: child.pid,
    send: (message) => void channel?.write(messageLine(message)),
    kill,
  };
}

/** The signal of a shell's exit code. */
function signalOfCode(code: number | null): NodeJS.Signals | null {
  const found = Object.entries(constants.signals).find(([, number]) => number + 128 === code);
  return (found?.[0] as NodeJS.Signals | undefined) ?? null;
}
