import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { pino } from "pino";
import { type OpenDatabase, openDatabase } from "../../storage/open-database.ts";
import { forkSource } from "../../storage/testing/fork-source.ts";
import { migratedPlace } from "../../storage/testing/fresh-database.ts";
import type { JobQueue } from "../job-queue.ts";
import { openJobQueue } from "../pg-boss-queue.ts";

const log = pino({ level: "silent" });

export type Place = Awaited<ReturnType<typeof migratedPlace>>;

/** A queue on the database there, as a separate process would open it. */
export async function openAt(place: Place): Promise<{ opened: OpenDatabase; jobs: JobQueue; close(): Promise<void> }> {
  const opened = await openDatabase(place, log);
  const jobs = await openJobQueue(opened, place, log);
  return {
    opened,
    jobs,
    async close() {
      await jobs.stop();
      await opened.close();
    },
  };
}

/** Runs work with a queue on a fresh database. */
export async function withQueue(
  kind: "embedded" | "postgres",
  work: (queue: { opened: OpenDatabase; jobs: JobQueue; place: Place }) => Promise<void>,
): Promise<void> {
  const place = await migratedPlace(kind);
  const queue = await openAt(place);
  try {
    await work({ ...queue, place });
  } finally {
    await queue.close();
    rmSync(place.DATA_DIR, { recursive: true });
  }
}

/** Waits until it is true; the test's time-out is the limit. */
export async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await what())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The process's messages from now on. */
export const heard = (child: ChildProcess) => {
  const messages: unknown[] = [];
  child.on("message", (message) => messages.push(message));
  return messages;
};

/** A process that takes imports and finishes none. */
export const hangingWorker = (place: Place) =>
  forkSource(new URL("./hanging-worker.ts", import.meta.url), [place.DATA_DIR, place.DATABASE_URL ?? ""]);

/** A process takes the job that `send` sends, and is killed while working on it. */
export async function dieAtWork(
  place: Place,
  matchId: string,
  send: (worker: ReturnType<typeof hangingWorker>) => unknown,
): Promise<void> {
  const worker = hangingWorker(place);
  const said = heard(worker);
  await until(() => said.includes("ready"));
  await send(worker);
  await until(() => said.includes(matchId));
  worker.kill("SIGKILL");
  await until(() => worker.signalCode === "SIGKILL");
}
