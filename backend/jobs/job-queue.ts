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
  /** Of a format that was added to a finished clip, its name; a clip's own job has none. */
  render: { clipId: number; format?: ClipFormat };
  /** A compilation: finished clips become one video. */
  join: { clipId: number };
  /** The file of a finished clip for previews and chat apps. */
  share: { clipId: number };
  /** The loop of a finished clip for cards. */
  loop: { clipId: number };
  /** Merges where players walked in the matches of a map. */
  map: { map: string };
  /** Draws the ground of a match before its first clip. */
  relief: { sha256: string };
  /**
   * Draws the stills of a match's highlights, and packs its ground for browsers; of moments: the stills of those that were marked by hand
   * and have none.
   */
  pictures: { sha256: string; ofMoments?: true };
  /** Deletes an account with all that is its, because its owner asks for it. */
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
  /** Nobody pressed for it: it lets go first whatever somebody did press for. */
  isAutomatic: boolean;
}

/** Thrown by a handler whose failure no retry can mend. */
export class PermanentJobError extends Error {}

/** The same where nothing of ours is at fault: a demo that is not at its address, or is none. Its player was told. */
export class RefusedJobError extends PermanentJobError {}

/** What is to be put back is no failed job: unknown, or put back already. The message has its id. */
export class NoFailedJobError extends Error {}

/**
 * The work was interrupted through no fault of its own: its process was killed or stood still, as happens when the machine
 * runs out of memory. Another try may well succeed, so the job goes back to the queue, at most its retry limit.
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
  /** Nobody pressed for it: it begins when nothing waits that somebody pressed for, its owner or anyone else. Decision 163. */
  isAutomatic?: boolean;
}

export interface JobsOf {
  /** The automatic ones alone, or the others alone. */
  isAutomatic?: boolean;
  transaction?: Transaction<Database> | undefined;
}

/** How many jobs a process has in hand at once. */
export interface WorkPlaces {
  places: number;
  /** Of those, for automatic ones; the others stay free for what somebody presses for. Default: all. */
  automaticPlaces?: number;
  /** Shared with other queues: what finds no place in it stays in its queue, for another process or for later. */
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
  /** Removes waiting jobs with this payload, or with more beside it, and aborts a running one, in this process or another. */
  cancel<Name extends JobName>(name: Name, payload: JobPayloads[Name]): Promise<void>;
  /** Somebody presses for what waits as automatic: it stands where their own presses do from now on. */
  hasten<Name extends JobName>(
    name: Name,
    payload: JobPayloads[Name],
    transaction?: Transaction<Database>,
  ): Promise<void>;
  /** Whether a job waits or runs whose payload is this one and says no more. */
  isOpen<Name extends JobName>(
    name: Name,
    payload: JobPayloads[Name],
    transaction?: Transaction<Database>,
  ): Promise<boolean>;
  /** Every job that waits or runs, but for what runs by the clock; in the transaction's snapshot. */
  allOpen(transaction: Transaction<Database>): Promise<OpenJob[]>;
  /** What waits or runs in a queue: what began first, then what was sent first. Does not look at what has ended. */
  line<Name extends JobName>(name: Name): Promise<JobInLine<Name>[]>;
  /** How many jobs of a user wait or run: of one lane, or of both. */
  openOf(name: JobName, userId: number, of?: JobsOf): Promise<number>;
  /** When players were served last: the higher the number the later, none for who never was. Decides who is next. */
  turns(name: JobName, userIds: readonly number[], isAutomatic?: boolean): Promise<Map<number, number>>;
  /** Jobs that failed for good, newest first. */
  failures(limit: number, offset?: number): Promise<FailedJob[]>;
  /** One of them; null when there is none of this id. */
  failure(jobId: string): Promise<FailedJob | null>;
  /** How many there are, and of which causes most. */
  failureCauses(limit: number): Promise<{ count: number; causes: FailureCause[] }>;
  /** Ids of those that failed of one cause, the one that failed first at the beginning. */
  failuresOf(cause: Pick<FailureCause, "name" | "cause">, limit: number): Promise<string[]>;
  /** Puts a failed job back, with what the transaction writes. @throws NoFailedJobError when there is none of this id */
  requeue(jobId: string, transaction?: Transaction<Database>): Promise<void>;
  depth(): Promise<Record<JobName, { waiting: number; running: number }>>;
  /** How long the oldest waiting job of each queue has waited, in seconds; queues in which none waits are left out. */
  oldestWaiting(): Promise<Map<JobName, number>>;
  /** Of this process alone: how many jobs it takes at once, by queue, and which it has in hand. */
  inHand(): { places: Partial<Record<JobName, number>>; running: RunningJob[] };
  /** Stops taking jobs, aborts running ones, which go back to the queue. */
  stop(): Promise<void>;
}

export interface JobInLine<Name extends JobName = JobName> {
  payload: JobPayloads[Name];
  /** 0: the server's own. */
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
  /** Under which its lines stand in the log; null of what the clock sent. */
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
