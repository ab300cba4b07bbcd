import type { Logger } from "pino";
import type { OpenDatabase } from "../storage/open-database.ts";
import type { JobName } from "./job-queue.ts";
import type { JobTable } from "./job-table.ts";
import type { JobWorker } from "./job-worker.ts";

/**
 * Heartbeats of workers on a PostgreSQL server. We watch them ourselves: pg-boss's monitor counts a dead worker's job as failed, and after
 * an outage of the database it takes jobs from living workers, who could not write either. A silent worker's job may be taken over after
 * `silentMs` and one look.
 */
export const heartbeat = { everyMs: 2000, silentMs: 10_000, lookEveryMs: 2000 };

type WatchedWorker = Pick<JobWorker<JobName>, "name" | "wake">;

/**
 * Takes over jobs of silent workers. If this process could not reach the database itself, the others could not either: they get time
 * to be heard again.
 */
export class SilenceWatch {
  readonly #table: JobTable;
  readonly #pool: OpenDatabase["pool"];
  readonly #workers: readonly WatchedWorker[];
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  /** Since when this process has reached the database without a break, and when it did last, by `performance.now`. */
  #listeningSince = performance.now();
  #lastLook = performance.now();

  /** @param workers of this process, whose queues are watched; may grow */
  constructor(table: JobTable, pool: OpenDatabase["pool"], workers: readonly WatchedWorker[], log: Logger) {
    this.#table = table;
    this.#pool = pool;
    this.#workers = workers;
    this.#log = log;
  }

  begin(): void {
    this.#timer ??= setInterval(() => this.#look(), heartbeat.lookEveryMs);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const now = performance.now();
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const hasListened = now - this.#listeningSince > heartbeat.silentMs && now - this.#lastLook < heartbeat.silentMs;
      const names = this.#workers.map(({ name }) => name);
      if (hasListened) {
        const { again, failed } = await this.#table.takeBackSilent(names, heartbeat.silentMs);
        if (again.length + failed.length > 0) this.#log.warn({ again, failed }, "jobs of a silent process taken back");
        if (again.length > 0) for (const worker of this.#workers) worker.wake();
      } else {
        await this.#pool.query("SELECT 1");
        if (now - this.#lastLook >= heartbeat.silentMs) this.#listeningSince = now;
      }
      this.#lastLook = performance.now();
    } catch {
      // The database is away, which others have logged.
      this.#listeningSince = performance.now();
    } finally {
      this.#isLooking = false;
    }
  }
}
