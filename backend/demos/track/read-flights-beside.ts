import { Worker } from "node:worker_threads";
import { threadEntry } from "../../child-process-entry.ts";
import { threadCodeRangeMb } from "../../children/code-range.ts";
import { type DemoPart, type Flight, joinFlights, readFlights, readPartsInTurn } from "./grenade-flights.ts";

/** What the thread is given. */
export interface FlightsThreadJob {
  parts: readonly DemoPart[];
  /** How many parts somebody has taken, in shared memory. */
  taken: Int32Array;
}

/** What the thread gives. */
export interface FlightsOfPart {
  part: number;
  flights: Flight[];
}

export interface FlightReading {
  /** Helps to read what is left. @throws DemoImportError `parser_failed`; errors of the file system */
  finish(): Promise<Flight[]>;
  /** Ends the thread. */
  stop(): Promise<void>;
}

/**
 * Reads flights in a second thread while this one does other work: nearly all of the time goes into turning the parser's rows
 * into JavaScript's, which a thread does by itself. Whoever is free takes the next part, so memory holds one part a thread.
 *
 * A part the thread fails on, or a thread that does not start, is left to `finish`: what it throws then is the real error.
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
