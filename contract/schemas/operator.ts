import { z } from "zod";

export const operatorOverviewSchema = z.object({
  queues: z.array(
    z.object({
      /** Of `jobs/job-queue.ts`, e.g. `render`. */
      name: z.string(),
      waiting: z.int(),
      running: z.int(),
      oldest_waiting_seconds: z.int().nullable(),
    }),
  ),
  processes: z.array(
    z.object({
      host: z.string(),
      pid: z.int(),
      role: z.enum(["all", "web", "worker"]),
      version: z.string(),
      started_at: z.string(),
      silent_seconds: z.int(),
      answers: z.boolean(),
      free_bytes: z.number(),
      is_short: z.boolean(),
      /** Jobs at once, by queue. */
      places: z.record(z.string(), z.int()),
      running: z.array(z.object({ queue: z.string(), subject: z.string() })),
      reliefs: z.object({ count: z.int(), bytes: z.number() }),
    }),
  ),
  workers_answer: z.boolean(),
  storage: z.object({
    database_bytes: z.number(),
    /** Null before the first count has ended. */
    counted: z
      .object({
        kinds: z.array(z.object({ kind: z.string(), count: z.int(), bytes: z.number() })),
        begun_at: z.string(),
        ended_at: z.string(),
      })
      .nullable(),
    free_bytes: z.number(),
    reserve_bytes: z.number(),
    standing: z.enum(["fine", "short", "full"]),
    /** Those whose files take most. */
    users: z.array(z.object({ steam_id: z.string(), name: z.string(), bytes: z.number() })),
    /** What each may; null: no limit. */
    quota_bytes: z.number().nullable(),
  }),
  /** Null without BACKUP_DIR. */
  backup: z
    .object({
      newest: z.object({ file: z.string(), at: z.string(), bytes: z.number(), kept: z.int() }).nullable(),
      next_due_at: z.string(),
    })
    .nullable(),
  versions: z.array(z.object({ name: z.string(), value: z.string() })),
  started_at: z.string(),
  configuration: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type OperatorOverview = z.infer<typeof operatorOverviewSchema>;

export const failureSchema = z.object({
  id: z.string(),
  queue: z.string(),
  subject: z.string(),
  href: z.string().nullable(),
  player: z.object({ steam_id: z.string(), name: z.string() }).nullable(),
  /** What the player read; null where players see nothing of such a job. */
  sentence: z.string().nullable(),
  /** The error's first line. */
  cause: z.string(),
  attempts: z.int(),
  /** Under which its lines stand in the log; null of what the clock sent. */
  trace_id: z.string().nullable(),
  failed_at: z.string(),
  standing: z.enum(["failed", "done", "under_way", "gone"]),
});
export type OperatorFailure = z.infer<typeof failureSchema>;

export const failurePageSchema = z.object({
  count: z.int(),
  results: z.array(failureSchema),
  causes: z.array(z.object({ queue: z.string(), cause: z.string(), count: z.int(), last_at: z.string() })),
});
export type FailurePage = z.infer<typeof failurePageSchema>;

/** Names a cause as `failurePageSchema` has it. */
export const requeueCauseSchema = z.object({ queue: z.string().max(32), cause: z.string().max(300) });

export const requeuedSchema = z.object({
  requeued: z.int(),
  /** What happened, for the operator. */
  sentence: z.string(),
});
