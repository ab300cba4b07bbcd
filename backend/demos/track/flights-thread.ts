/** The thread that reads flights beside the main thread of the parse process, started by `readFlightsBeside`. */
import { parentPort, workerData } from "node:worker_threads";
import { readPartsInTurn } from "./grenade-flights.ts";
import type { FlightsOfPart, FlightsThreadJob } from "./read-flights-beside.ts";

const { parts, taken } = workerData as FlightsThreadJob;
await readPartsInTurn(parts, taken, (part, flights) => {
  const message: FlightsOfPart = { part, flights };
  parentPort!.postMessage(
    message,
    flights.map(({ points }) => points.buffer as ArrayBuffer),
  );
});
