import { writeSync } from "node:fs";
import { type DestinationStream, type Level, type Logger, pino } from "pino";
import { type LoggedError, loggedError } from "./logged-error.ts";
import { traceFields } from "./trace-context.ts";

/** How long one line waits for whoever reads the log through a pipe; the server stands still meanwhile. */
const maxPauses = 100;
const pauseMs = 10;

/**
 * The log, one line of JSON an event, on standard output. That may be a file on the disk that is just full, or a pipe that
 * nobody reads: then lines are lost, and the process goes on. pino's own destination (sonic-boom 4) throws from whoever logs
 * then, and keeps a process that ends in an endless loop.
 */
export function openLog(level: Level | "silent"): Logger {
  return pino({ level, ...logOptions }, new LossyOutput(process.stdout.fd ?? 1));
}

/**
 * What every line has in common: errors under `err`, whatever they are (`tests/unit/log-keys.test.ts` keeps it), and the
 * trace it belongs to. Decision 156.
 */
export const logOptions = {
  serializers: { err: (value: unknown): LoggedError => loggedError(value) },
  mixin: traceFields,
};

class LossyOutput implements DestinationStream {
  readonly #fd: number;
  /** A disk that fills up takes the first part of a line. */
  #isLineBroken = false;
  /** The last line was lost because nobody reads the pipe: the next ones do not wait as well. */
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
        // The pipe is full. Anything else does not pass by waiting.
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") break;
        this.#isUnread ||= pauses++ === maxPauses;
        if (this.#isUnread) break;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
      }
    }
    return written;
  }
}
