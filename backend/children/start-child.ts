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
import { loweredCommand, lowerPriority } from "./priority.ts";

export interface ChildSettings extends ChildPlace {
  entry: ChildEntry;
  limits: ChildLimits;
  /** JavaScript heap, where it is not for Node to decide. */
  heapMegabytes?: number;
  /** From 1 to 19, inherited by what the child starts: pages come first on a machine with few cores. */
  niceness: number;
  containment: Containment;
}

/** A process of ours that works on what strangers made. It gets messages and answers so (`message-lines.ts`). */
export interface Child {
  /** Of the child, or of what confines it, whose own child it then is. */
  readonly pid: number | undefined;
  send(message: object): void;
  /** Ends it and everything that it started, at once. */
  kill(): void;
}

export interface ChildListeners<Message> {
  /**
   * Of the message only that it is an object is sure. What this throws ends the child, as a line that is no message does;
   * UnfitMessageError tells why.
   */
  onMessage(message: Message): void;
  /** Once, when it has ended and everything it said was heard; also when it could not be started. */
  onEnd(end: ChildEnd): void;
}

/** The last of what a child wrote to its error output is kept. */
const keptErrorCharacters = 4000;
/** How long what an ended child said may take to arrive; somebody it started may keep the pipes open for ever. */
const hearingMs = 5000;

/**
 * Makes ready one of our child processes, apart from everything that it does not need: an environment without secrets, a folder
 * of its own, limits and namespaces where the machine has them, a process group of its own, so that ending it ends what it
 * started as well.
 *
 * @returns starts it
 * @throws ConfigError when isolation is required and not to be had
 */
export async function prepareChild<Message>(
  settings: ChildSettings,
): Promise<(listeners: ChildListeners<Message>) => Child> {
  const { entry, containment, limits, heapMegabytes } = settings;
  const heap = heapMegabytes ? [`--max-old-space-size=${heapMegabytes}`] : [];
  const own = [process.execPath, ...entry.execArgv, ...heap, entry.modulePath];
  const command = await containment.contained(own, settings, limits, entry);
  const { isConfined, hasNice } = await containment.means();
  const lowered = hasNice ? loweredCommand(command, settings.niceness) : command;
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
      // By the name that OpenTelemetry has for it; a child hands it on to what it starts.
      ...(trace ? { TRACEPARENT: traceparentOf(trace) } : {}),
    },
    // As a pipe elsewhere; on Windows one that is read and written at once.
    stdio: ["ignore", "ignore", "pipe", "overlapped"],
    detached: hasGroup,
  });
  if (child.pid) lowerPriority(child.pid, settings);
  const kill = () => {
    try {
      if (hasGroup && child.pid) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  let words = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    words = (words + text).slice(-keptErrorCharacters);
  });
  // None where the system has no descriptors left.
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
  // That it is gone is heard of by its end.
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
    // What outlives it would go on writing, and keep its pipes open.
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

/** The signal that a shell's exit code stands for. */
function signalOfCode(code: number | null): NodeJS.Signals | null {
  const found = Object.entries(constants.signals).find(([, number]) => number + 128 === code);
  return (found?.[0] as NodeJS.Signals | undefined) ?? null;
}
