import { Worker } from "node:worker_threads";
import { threadEntry } from "../../child-process-entry.ts";
import { threadCodeRangeMb } from "../../children/code-range.ts";
import { type DemoPart, type Flight, joinFlights, readFlights, readPartsInTurn } from "./grenade-flights.ts";

/** Input of the thread. */
export interface FlightsThreadJob {
  parts: readonly DemoPart[];
  /** Number of parts already taken by any thread, in shared memory. */
  taken: Int32Array;
}

/** Output of the thread. */
export interface FlightsOfPart {
  part: number;
  flights: Flight[];
}

export interface FlightReading {
  /** Helps to read the remaining parts. @throws DemoImportError `parser_failed`; errors of the file system */
  finish(): Promise<Flight[]>;
  /** Ends the thread. */
  stop(): Promise<void>;
}

/**
 * Reads flights in a second thread while this one does other work: most of the time goes into converting the parser's rows to JavaScript's,
 * which a thread can do on its own. Whoever is free takes the next part, so each thread has one part in memory. If the thread fails on a
 * part or does not start, `finish` reads it, and throws the real error.
 */
export function readFlightsBeside(parts: readonly DemoPart[], maxThreads: number): FlightReading {
  const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const read: Flight[][] = [];
  const thread = parts.length > 1 && maxThreads > 1 ? startThread({ parts, taken }) : null;
  const ended = new Promise<void>((resolve) => {
    if (!thread) return resolve();
    thread.on("message", ({ part, flights }: FlightsOfPart) => {
      read[part] = flights;
    });
    thread.on("error", () => {});
    thread.on("exit", () => resolve());
  });
  return {
    async finish() {
      await readPartsInTurn(parts, taken, (part, flights) => {
        read[part] = flights;
      });
      await ended;
      for (const [index, part] of parts.entries()) read[index] ??= await readFlights(part);
      return joinFlights(read);
    },
    async stop() {
      await thread?.terminate();
    },
  };
}

function startThread(job: FlightsThreadJob): Worker {
  const { modulePath, execArgv } = threadEntry("flights-thread");
  return new Worker(modulePath, {
    execArgv,
    workerData: job,
    resourceLimits: { codeRangeSizeMb: threadCodeRangeMb },
  });
}
