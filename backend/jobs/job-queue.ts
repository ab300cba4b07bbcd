import type { Transaction } from "kysely";
import type { ClipFormat } from "../../contract/clip-formats.ts";
import type { Database } from "../storage/schema.ts";
import type { SharedRoom } from "./shared-room.ts";

/**
 * Work that outlives a request. At-least-once: a job may run again after a crash, so every handler is idempotent: it looks at
 * the row in the database first and does what is still to be done.
 */
export interface JobPayloads {
  import: { matchId: string };
  /** With `format`, renders that format of a finished clip; without, the clip itself. */
  render: { clipId: number; format?: ClipFormat };
  /** Joins finished clips into the video of a compilation. */
  join: { clipId: number };
  /** Makes the file of a finished clip for previews and chat apps. */
  share: { clipId: number };
  /** Makes the loop of a finished clip for cards. */
  loop: { clipId: number };
  /** Merges where players walked in the matches of a map. */
  map: { map: string };
  /** Draws the ground of a match before its first clip. */
  relief: { sha256: string };
  /**
   * Draws the stills of a match's highlights and packs its ground for browsers. With `ofMoments`, draws the missing stills of moments that
   * were marked by hand.
   */
  pictures: { sha256: string; ofMoments?: true };
  /** Deletes an account with everything it has, at its owner's request. */
  forget: { userId: number };
  retention: Record<string, never>;
  redetect: Record<string, never>;
}

export type JobName = keyof JobPayloads;

export interface JobContext {
  /** Aborted when the server stops or the job is cancelled. */
  signal: AbortSignal;
  /** 0 on the first run. */
  attempt: number;
  /** True on the last allowed run: a failure now is final. */
  isLastAttempt: boolean;
  /** True for automatic work, which leaves precedence to whatever a player requested. */
  isAutomatic: boolean;
}

/** Thrown by a handler when no retry can help. */
export class PermanentJobError extends Error {}

/** No retry can help, and the fault is not ours: the address leads to no demo, for example. The player was told. */
export class RefusedJobError extends PermanentJobError {}

/** A job to be requeued is unknown, or has not failed. The message has its id. */
export class NoFailedJobError extends Error {}

/**
 * The work was interrupted through no fault of its own: its process was killed or stood still, as happens when the machine
 * runs out of memory. Another try may well succeed, so the job goes back to the queue, up to its retry limit.
 */
export class InterruptedError extends Error {}

/** Longest wait of a job between two tries, whatever a handler asks for. */
export const maxWaitMs = 5 * 60_000;

/**
 * Thrown by a handler that cannot begin now and has not begun: the disk is short, the store is away. The job goes back as if
 * never taken, uses up no attempt, keeps its place, and is due again after a while.
 */
export class PostponeJob extends Error {
  readonly afterMs: number;

  /** @param afterMs bounded by `maxWaitMs` */
  constructor(reason: string, afterMs: number) {
    super(reason);
    this.afterMs = Math.min(Math.max(afterMs, 0), maxWaitMs);
  }
}

export interface SendOptions {
  /** The user whose job it is, for the fair order; null for the server's own. */
  ownerId: number | null;
  transaction?: Transaction<Database>;
  /** Automatic work: it begins only when no job waits that any player requested. Decision 163. */
  isAutomatic?: boolean;
}

export interface JobsOf {
  /** Only automatic jobs, or only requested ones; left out: both. */
  isAutomatic?: boolean;
  transaction?: Transaction<Database> | undefined;
}

/** How many jobs a process has in hand at once. */
export interface WorkPlaces {
  places: number;
  /** How many of them automatic jobs may take; the others stay free for requested ones. Default: all. */
  automaticPlaces?: number;
  /** Places shared with other queues. A job that finds none stays in its queue, for another process or for later. */
  room?: SharedRoom;
}

export interface JobQueue {
  /** Enqueues inside the caller's transaction: the job exists exactly when the row does. */
  send<Name extends JobName>(name: Name, payload: JobPayloads[Name], options: SendOptions): Promise<void>;
  /** Starts taking jobs in this process, in fair order: decision 075. */
  work<Name extends JobName>(
    name: Name,
    places: number | WorkPlaces,
    handler: (payload: JobPayloads[Name], context: JobContext) => Promise<void>,
  ): Promise<void>;
  /** Runs a job on a cron schedule (UTC). */
  schedule(name: "retention", cron: string): Promise<void>;
  /** Removes waiting jobs whose payload contains this one, and aborts a running one, in this process or another. */
  cancel<Name extends JobName>(name: Name, payload: JobPayloads[Name]): Promise<void>;
  /** Turns a waiting automatic job into a requested one. */
  hasten<Name extends JobName>(
    name: Name,
    payload: JobPayloads[Name],
    transaction?: Transaction<Database>,
  ): Promise<void>;
  /** Whether a job with exactly this payload waits or runs. */
  isOpen<Name extends JobName>(
    name: Name,
    payload: JobPayloads[Name],
    transaction?: Transaction<Database>,
  ): Promise<boolean>;
  /** Every job that waits or runs in the transaction's snapshot, except scheduled ones. */
  allOpen(transaction: Transaction<Database>): Promise<OpenJob[]>;
  /** Jobs of a queue that run, then those that wait, each in order of beginning or sending. */
  line<Name extends JobName>(name: Name): Promise<JobInLine<Name>[]>;
  /** How many jobs of a user wait or run. */
  openOf(name: JobName, userId: number, of?: JobsOf): Promise<number>;
  /** When players were served last, which decides who is next: a higher number is later; who never was has none. */
  turns(name: JobName, userIds: readonly number[], isAutomatic?: boolean): Promise<Map<number, number>>;
  /** Jobs that failed for good, newest first. */
  failures(limit: number, offset?: number): Promise<FailedJob[]>;
  /** A job that failed for good; null when there is none of this id. */
  failure(jobId: string): Promise<FailedJob | null>;
  /** How many jobs failed for good, and their most frequent causes. */
  failureCauses(limit: number): Promise<{ count: number; causes: FailureCause[] }>;
  /** Ids of jobs that failed for good of one cause, oldest failure first. */
  failuresOf(cause: Pick<FailureCause, "name" | "cause">, limit: number): Promise<string[]>;
  /** Puts a failed job back, within the transaction if there is one. @throws NoFailedJobError when there is none of this id */
  requeue(jobId: string, transaction?: Transaction<Database>): Promise<void>;
  depth(): Promise<Record<JobName, { waiting: number; running: number }>>;
  /** How long the oldest waiting job of each queue has waited, in seconds. Empty queues are left out. */
  oldestWaiting(): Promise<Map<JobName, number>>;
  /** How many jobs this process takes at once, by queue, and which it is running. */
  inHand(): { places: Partial<Record<JobName, number>>; running: RunningJob[] };
  /** Stops taking jobs, and aborts running ones, which go back to the queue. */
  stop(): Promise<void>;
}

export interface JobInLine<Name extends JobName = JobName> {
  payload: JobPayloads[Name];
  /** 0 for the server's own jobs. */
  ownerId: number;
  isAutomatic: boolean;
  isRunning: boolean;
}

export interface OpenJob {
  name: JobName;
  payload: JobPayloads[JobName];
  ownerId: number | null;
  isAutomatic: boolean;
}

export interface FailedJob {
  id: string;
  name: JobName;
  payload: unknown;
  error: string;
  failedAt: Date;
  /** How often it was tried. */
  attempts: number;
  /** Trace id of its lines in the log; null for scheduled jobs. */
  traceId: string | null;
}

/** Failed jobs of one queue whose errors begin with the same line. */
export interface FailureCause {
  name: JobName;
  /** The first line of the error, at most 300 characters of it. */
  cause: string;
  count: number;
  lastAt: Date;
}

export interface RunningJob {
  name: JobName;
  payload: JobPayloads[JobName];
  since: Date;
}
