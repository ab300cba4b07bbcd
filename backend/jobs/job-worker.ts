import type { Logger } from "pino";
import { continueTrace, withTrace } from "../trace-context.ts";
import { outageOf } from "../waits/outage.ts";
import {
  type JobContext,
  type JobName,
  type JobPayloads,
  PermanentJobError,
  PostponeJob,
  RefusedJobError,
  type RunningJob,
} from "./job-queue.ts";
import type { JobTable, TakenJob } from "./job-table.ts";
import type { SharedRoom } from "./shared-room.ts";

export interface JobWorkerOptions<Name extends JobName> {
  name: Name;
  /** Jobs at once in this process. */
  places: number;
  /** Automatic jobs at once in this process. */
  automaticPlaces: number;
  /** Each job needs a place in this room as well; null: in none. */
  room: SharedRoom | null;
  /** Jobs of one owner at once, in all processes. */
  placesPerOwner: number;
  /** How often running jobs are touched; null where no other process could take them. */
  heartbeatMs: number | null;
  handler: (payload: JobPayloads[Name], context: JobContext) => Promise<void>;
}

interface Running<Name extends JobName> {
  job: TakenJob<Name>;
  controller: AbortController;
  /** The job was cancelled, or another worker has it: the outcome of this run does not matter. */
  isLost: boolean;
  since: Date;
}

/** Without a notification, a new job or a retry is found after this long. */
const lookEveryMs = 1000;
/** Longest wait between two tries to reach the database. */
const maxPauseMs = 5000;

/** How soon a job is tried again after it found the store or the database away. */
const waitForOutageMs = 15_000;
/** How soon a job is tried again after it found them full: somebody has to make room first, and each try may be wasted work. */
const waitForRoomMs = 2 * 60_000;

/** Takes jobs of one queue as long as it has places, and settles each when its handler ends. */
export class JobWorker<Name extends JobName> {
  readonly #table: JobTable;
  readonly #options: JobWorkerOptions<Name>;
  readonly #log: Logger;
  readonly #running = new Map<string, Running<Name>>();
  readonly #settling = new Set<Promise<void>>();
  readonly #loop: Promise<void>;
  readonly #heartbeat: NodeJS.Timeout | undefined;
  #isTouching = false;
  #isStopping = false;
  #isWoken = false;
  #wakeLoop = () => {};
  readonly #wakeForRoom = () => this.wake();

  constructor(table: JobTable, options: JobWorkerOptions<Name>, log: Logger) {
    this.#table = table;
    this.#options = options;
    this.#log = log;
    if (options.heartbeatMs !== null) this.#heartbeat = setInterval(() => this.#touch(), options.heartbeatMs);
    this.#loop = this.#takeJobs();
  }

  get name(): Name {
    return this.#options.name;
  }

  get places(): number {
    return this.#options.places;
  }

  /** Jobs that it is running and that are still its own. */
  get running(): RunningJob[] {
    return [...this.#running.values()]
      .filter(({ isLost }) => !isLost)
      .map(({ job: { name, payload }, since }) => ({ name, payload, since }));
  }

  /** Looks for jobs at once. */
  wake(): void {
    this.#isWoken = true;
    this.#wakeLoop();
  }

  /** Ends the run of a job that is no longer to be done. */
  abort(jobId: string, reason: Error): void {
    const running = this.#running.get(jobId);
    if (!running) return;
    running.isLost = true;
    running.controller.abort(reason);
  }

  /** Takes no more jobs, aborts running ones and gives them back: those that do not end in time, while they still run. */
  async stop(withinMs: number): Promise<void> {
    this.#isStopping = true;
    this.wake();
    for (const { controller } of this.#running.values()) controller.abort(new Error("The server stops."));
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, withinMs);
    });
    const ended = this.#loop.then(() => Promise.all(this.#settling));
    await Promise.race([ended, overdue]);
    clearTimeout(timer);
    clearInterval(this.#heartbeat);
    for (const { job, isLost } of this.#running.values()) if (!isLost) await this.#table.giveBack(job);
  }

  async #takeJobs(): Promise<void> {
    let failures = 0;
    while (!this.#isStopping) {
      this.#isWoken = false;
      let pauseMs = lookEveryMs;
      if (this.#running.size < this.#options.places && this.#hasRoom()) {
        let job: TakenJob<Name> | null = null;
        try {
          const automatic = [...this.#running.values()].filter(({ job }) => job.isAutomatic).length;
          const alsoAutomatic = automatic < this.#options.automaticPlaces;
          job = await this.#table.take(this.name, this.#options.placesPerOwner, alsoAutomatic);
          if (job) {
            this.#begin(job);
            continue;
          }
          failures = 0;
        } catch (error) {
          this.#log.error({ err: error, name: this.name }, "no job could be taken");
          pauseMs = Math.min(lookEveryMs * 2 ** failures++, maxPauseMs);
        } finally {
          if (!job) this.#options.room?.giveBack();
        }
      }
      if (!this.#isWoken) await this.#pause(pauseMs);
    }
  }

  #hasRoom(): boolean {
    return this.#options.room?.take(this.#wakeForRoom) ?? true;
  }

  #begin(job: TakenJob<Name>): void {
    const settling = withTrace(continueTrace(job.traceparent), () => this.#run(job)).finally(() => {
      this.#settling.delete(settling);
      this.#options.room?.giveBack();
    });
    this.#settling.add(settling);
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wakeLoop = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #run(job: TakenJob<Name>): Promise<void> {
    const { id, payload, isAutomatic, retryCount, retryLimit, expireSeconds } = job;
    const controller = new AbortController();
    const running: Running<Name> = { job, controller, isLost: false, since: new Date() };
    this.#running.set(id, running);
    const expiry = setTimeout(
      () => controller.abort(new Error(`The job took longer than ${expireSeconds} s.`)),
      expireSeconds * 1000,
    );
    const began = performance.now();
    this.#log.info({ name: this.name, id, payload, attempt: retryCount }, "job begins");
    let settle: () => Promise<void>;
    try {
      if (this.#isStopping) controller.abort(new Error("The server stops."));
      controller.signal.throwIfAborted();
      const attempt = { attempt: retryCount, isLastAttempt: retryCount >= retryLimit, isAutomatic };
      await this.#options.handler(payload, { signal: controller.signal, ...attempt });
      this.#log.info({ name: this.name, id, payload, ms: Math.round(performance.now() - began) }, "job done");
      settle = () => this.#table.complete(job);
    } catch (error) {
      settle = this.#afterFailure(running, error);
    } finally {
      clearTimeout(expiry);
    }
    await this.#settle(running, settle);
    this.#running.delete(id);
    this.wake();
  }

  #afterFailure({ job, isLost }: Running<Name>, error: unknown): () => Promise<void> {
    // It still counts as work for its owner: deleting and starting again must not put anyone ahead of others.
    if (isLost) return () => this.#table.serve(job);
    if (this.#isStopping) return () => this.#table.giveBack(job);
    const { id, name, payload } = job;
    if (error instanceof PostponeJob) {
      const { message: reason, afterMs } = error;
      this.#log.info({ name, id, payload, reason, afterMs }, "job postponed");
      return () => this.#table.postpone(job, afterMs);
    }
    const outage = outageOf(error);
    if (outage) {
      this.#log.warn({ err: error, name, id, payload, outage }, "job waits for what is away");
      const isAway = outage === "database" || outage === "store";
      return () => this.#table.postpone(job, isAway ? waitForOutageMs : waitForRoomMs);
    }
    if (error instanceof RefusedJobError) this.#log.info({ err: error, name, id, payload }, "job refused");
    else this.#log.warn({ err: error, name, id, payload }, "job failed");
    if (error instanceof PermanentJobError) return () => this.#table.failForGood(job, error);
    return () => this.#table.fail(job, error);
  }

  /** Tries until the database is reached: if it gave up, the finished job would run once more. */
  async #settle(running: Running<Name>, settle: () => Promise<void>): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        await settle();
        return;
      } catch (error) {
        this.#log.error({ err: error, name: this.name, id: running.job.id }, "job not settled");
        if (this.#isStopping || running.isLost) return;
        await new Promise((resolve) => setTimeout(resolve, Math.min(250 * 2 ** failures, maxPauseMs)));
      }
    }
  }

  async #touch(): Promise<void> {
    if (this.#isTouching || this.#running.size === 0) return;
    this.#isTouching = true;
    try {
      const held = [...this.#running.values()].filter((running) => !running.isLost);
      if (held.length === 0) return;
      const own = await this.#table.touch(held.map(({ job }) => job));
      for (const { job } of held) {
        if (!own.has(job.id)) this.abort(job.id, new Error("The job is no longer this worker's own."));
      }
    } catch (error) {
      // Whether the jobs are still its own is found out by the next heartbeat.
      this.#log.warn({ err: error, name: this.name }, "heartbeat not written");
    } finally {
      this.#isTouching = false;
    }
  }
}
