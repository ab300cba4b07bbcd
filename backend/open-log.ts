import { writeSync } from "node:fs";
import { type DestinationStream, type Level, type Logger, pino } from "pino";
import { type LoggedError, loggedError } from "./logged-error.ts";
import { traceFields } from "./trace-context.ts";

/** How long one line waits for the reader of a pipe; the server is blocked meanwhile. */
const maxPauses = 100;
const pauseMs = 10;

/**
 * The log on standard output, one line of JSON per event. If that is a file on a full disk, or a pipe that nobody reads, lines are lost and
 * the process continues. pino's own destination (sonic-boom 4) then throws from the logging call, and keeps an ending process in an endless
 * loop.
 */
export function openLog(level: Level | "silent"): Logger {
  return pino({ level, ...logOptions }, new LossyOutput(process.stdout.fd ?? 1));
}

/** Options of every line: errors under `err`, of whatever type (checked by `tests/unit/log-keys.test.ts`), and the trace. Decision 156. */
export const logOptions = {
  serializers: { err: (value: unknown): LoggedError => loggedError(value) },
  mixin: traceFields,
};

class LossyOutput implements DestinationStream {
  readonly #fd: number;
  /** A disk that fills up accepts the first part of a line. */
  #isLineBroken = false;
  /** The last line was lost because nobody reads the pipe: the next ones do not wait, too. */
  #isUnread = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(line: string): void {
    const bytes = Buffer.from(this.#isLineBroken ? `\n${line}` : line);
    const written = this.#writeWhatFits(bytes);
    if (written > 0) this.#isLineBroken = written < bytes.length;
  }

  #writeWhatFits(bytes: Buffer): number {
    let written = 0;
    let pauses = 0;
    while (written < bytes.length) {
      try {
        const count = writeSync(this.#fd, bytes, written);
        if (count === 0) break;
        written += count;
        this.#isUnread = false;
      } catch (error) {
        // The pipe is full. No other error passes by waiting.
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") break;
        this.#isUnread ||= pauses++ === maxPauses;
        if (this.#isUnread) break;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
      }
    }
    return written;
  }
}
