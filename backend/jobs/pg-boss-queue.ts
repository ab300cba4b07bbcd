import { randomUUID } from "node:crypto";
import { CompiledQuery, type Transaction } from "kysely";
import { type Db, type JobResult, type JobWithMetadata, PgBoss, type QueueOptions } from "pg-boss";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { OpenDatabase } from "../storage/open-database.ts";
import type { Database } from "../storage/schema.ts";
import { outsideTransaction } from "../storage/transaction-guard.ts";
import {
  type FailedJob,
  type JobContext,
  type JobName,
  type JobPayloads,
  type JobQueue,
  PermanentJobError,
  PostponeJob,
} from "./job-queue.ts";

const schema = "pgboss";
const hour = 3600;
const day = 24 * hour;

/** 10 s is the least that pg-boss allows; a silent worker's job is another's after that and one look of the monitor. */
const heartbeat = { heartbeatSeconds: 10, refreshSeconds: 2 };

const queues: Record<JobName, QueueOptions> = {
  import: { expireInSeconds: 2 * hour, retryLimit: 4, retryDelay: 5, retryBackoff: true, retryDelayMax: 120 },
  render: { expireInSeconds: 2 * hour, retryLimit: 4, retryDelay: 5, retryBackoff: true, retryDelayMax: 120 },
  retention: { expireInSeconds: 6 * hour, retryLimit: 2, retryDelay: 60, retryBackoff: true },
};

/** How long a handler may take to notice that the server stops before its job is given back without it. */
const stopWithinMs = 10_000;

interface Running {
  id: string;
  name: JobName;
  retryCount: number;
  controller: AbortController;
}

/**
 * The queue on pg-boss, in the same database as everything else. First come, first served: jobs start in the order of their
 * creation, and a retry keeps its place.
 *
 * A job whose process died is taken up again when its heartbeat stayed away; in the embedded database, which has one process
 * only, at once when that process starts again.
 */
export async function openJobQueue(
  opened: OpenDatabase,
  config: Pick<Config, "DATABASE_URL">,
  log: Logger,
): Promise<JobQueue> {
  const embedded = opened.kind === "embedded";
  const boss = new PgBoss({
    schema,
    ...(embedded
      ? { db: embeddedAdapter(opened), backend: "pglite" as const, monitorVacuum: false, reindex: false }
      : { connectionString: config.DATABASE_URL, max: 4, application_name: "clutchcast jobs" }),
    useListenNotify: true,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  });
  boss.on("error", (error) => log.error({ error }, "job queue"));
  boss.on("warning", (warning) => log.warn({ warning }, "job queue"));
  await boss.start();

  const names = Object.keys(queues) as JobName[];
  for (const name of names) {
    const options = {
      ...queues[name],
      notify: true,
      retentionSeconds: 30 * day,
      deleteAfterSeconds: 30 * day,
    };
    // The one process of the embedded database is its own witness: a laptop that slept would lose its jobs to itself.
    const heartbeatSeconds = embedded ? null : heartbeat.heartbeatSeconds;
    await boss.createQueue(name, options);
    await boss.updateQueue(name, { ...options, heartbeatSeconds });
    // pg-boss reads a queue's settings at its first use, on the pool: inside a transaction of the embedded database that
    // read would wait for the transaction, which waits for it.
    await boss.findJobs(name, { id: randomUUID() });
  }
  if (embedded) await takeBackOrphans(boss, opened, names, log);
  return new PgBossQueue(boss, opened, log);
}

/** pg-boss on the one connection, through the pool so that it never stands inside somebody else's transaction. */
function embeddedAdapter({ pool, pglite, connect }: OpenDatabase): Db {
  return {
    executeSql: (text, values) => pool.query(text, values),
    async listen(channel, onNotification, onReconnect) {
      if (!pglite || !connect) throw new Error("Only the embedded database listens in its own session.");
      // LISTEN belongs to the session's transaction: it must not run inside one that may be rolled back.
      const client = await connect();
      try {
        // PGlite calls from within the statement that notified, so inside its caller's transaction.
        await pglite.listen(channel, (payload) => outsideTransaction(() => onNotification(payload)));
      } finally {
        client.release();
      }
      onReconnect();
      return {
        async close() {
          const holder = await connect();
          try {
            await pglite.unlisten(channel);
          } finally {
            holder.release();
          }
        },
      };
    },
  };
}

/** Jobs that ran when the embedded database's process died: nobody else can be at work on them, so they restart at once. */
async function takeBackOrphans(boss: PgBoss, { pool }: OpenDatabase, names: JobName[], log: Logger): Promise<void> {
  for (const name of names) {
    const { rows } = await pool.query(`SELECT id FROM ${schema}.job WHERE name = $1 AND state = 'active'`, [name]);
    const ids = rows.map((row) => row.id as string);
    if (ids.length === 0) continue;
    await boss.fail(name, ids, { message: "The process that ran this job ended." });
    // Without the back-off: the interruption says nothing about the job.
    await pool.query(
      `UPDATE ${schema}.job SET start_after = now() WHERE name = $1 AND id = ANY($2) AND state = 'retry'`,
      [name, ids],
    );
    log.info({ name, jobs: ids.length }, "jobs of the last run start again");
  }
}

class PgBossQueue implements JobQueue {
  readonly #boss: PgBoss;
  readonly #opened: OpenDatabase;
  readonly #log: Logger;
  readonly #running = new Map<string, Running>();
  readonly #worked = new Set<JobName>();
  #stopping = false;

  constructor(boss: PgBoss, opened: OpenDatabase, log: Logger) {
    this.#boss = boss;
    this.#opened = opened;
    this.#log = log;
  }

  async send<Name extends JobName>(
    name: Name,
    payload: JobPayloads[Name],
    transaction?: Transaction<Database>,
  ): Promise<void> {
    await this.#boss.send(name, payload, transaction ? { db: onTransaction(transaction) } : undefined);
  }

  async work<Name extends JobName>(
    name: Name,
    concurrency: number,
    handler: (payload: JobPayloads[Name], context: JobContext) => Promise<void>,
  ): Promise<void> {
    if (concurrency < 1) return;
    this.#worked.add(name);
    for (let worker = 0; worker < concurrency; worker++) await this.#startWorker(name, handler);
  }

  async #startWorker<Name extends JobName>(
    name: Name,
    handler: (payload: JobPayloads[Name], context: JobContext) => Promise<void>,
  ): Promise<void> {
    const options = {
      perJobResults: true,
      includeMetadata: true,
      heartbeatRefreshSeconds: heartbeat.refreshSeconds,
      pollingIntervalSeconds: 1,
      // A retry is not notified, so also with notifications the queue is looked at often.
      notifyPollingIntervalSeconds: 1,
    } as const;
    const worker = await this.#boss.work<JobPayloads[Name], unknown, typeof options>(name, options, async (jobs) => {
      const results = await Promise.all(jobs.map((job) => this.#run(name, job, handler)));
      // Else the worker waits for its next look although more may be waiting.
      this.#boss.notifyWorker(worker);
      return results;
    });
  }

  async #run<Name extends JobName>(
    name: Name,
    job: JobWithMetadata<JobPayloads[Name]>,
    handler: (payload: JobPayloads[Name], context: JobContext) => Promise<void>,
  ): Promise<JobResult> {
    const { id, data: payload, retryCount } = job;
    const controller = new AbortController();
    const running: Running = { id, name, retryCount, controller };
    this.#running.set(id, running);
    try {
      if (this.#stopping) controller.abort(new Error("The server stops."));
      controller.signal.throwIfAborted();
      await handler(payload, {
        // pg-boss aborts its signal when the job expired or is no longer ours: cancelled by another process, or taken over.
        signal: AbortSignal.any([controller.signal, job.signal]),
        attempt: retryCount,
        isLastAttempt: retryCount >= job.retryLimit,
      });
      return { id, status: "completed" };
    } catch (error) {
      if (this.#stopping) await this.#giveBack(running);
      else if (error instanceof PostponeJob && !controller.signal.aborted && !job.signal.aborted) {
        this.#log.info({ name, id, payload, reason: error.message, afterMs: error.afterMs }, "job postponed");
        await this.#giveBack(running, error.afterMs);
      } else if (!controller.signal.aborted && !job.signal.aborted)
        this.#log.warn({ error, name, id, payload }, "job failed");
      return { id, status: error instanceof PermanentJobError ? "deadletter" : "failed", output: error };
    } finally {
      this.#running.delete(id);
    }
  }

  /** Back to the queue as if never taken; what pg-boss then settles of this attempt finds nothing to settle. */
  async #giveBack({ id, name, retryCount }: Running, afterMs = 0): Promise<void> {
    await this.#opened.pool.query(
      `UPDATE ${schema}.job
       SET state = 'created', started_on = NULL, heartbeat_on = NULL, start_after = now() + $4 * interval '1 millisecond'
       WHERE name = $1 AND id = $2 AND retry_count = $3 AND state = 'active'`,
      [name, id, retryCount, afterMs],
    );
  }

  async schedule(name: "retention", cron: string): Promise<void> {
    await this.#boss.schedule(name, cron, {}, { tz: "UTC" });
  }

  async cancel<Name extends JobName>(name: Name, payload: JobPayloads[Name]): Promise<void> {
    const open = await this.#openJobs(name, payload);
    if (open.length === 0) return;
    await this.#boss.cancel(
      name,
      open.map((job) => job.id),
    );
    // A worker of another process sees at its next heartbeat that the job is no longer its own.
    for (const { id } of open) this.#running.get(id)?.controller.abort(new Error("The job was cancelled."));
  }

  async isOpen<Name extends JobName>(name: Name, payload: JobPayloads[Name]): Promise<boolean> {
    return (await this.#openJobs(name, payload)).length > 0;
  }

  async #openJobs<Name extends JobName>(name: Name, payload: JobPayloads[Name]) {
    const jobs = await this.#boss.findJobs(name, { data: payload });
    return jobs.filter((job) => job.state === "created" || job.state === "retry" || job.state === "active");
  }

  async failures(limit: number): Promise<FailedJob[]> {
    const { rows } = await this.#opened.pool.query(
      `SELECT id, name, data, output, completed_on FROM ${schema}.job
       WHERE state = 'failed' AND name = ANY($1) ORDER BY completed_on DESC LIMIT $2`,
      [Object.keys(queues), limit],
    );
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      payload: row.data,
      error: String(row.output?.message ?? JSON.stringify(row.output) ?? "unknown"),
      failedAt: row.completed_on,
    }));
  }

  async requeue(jobId: string): Promise<void> {
    const { rows } = await this.#opened.pool.query(
      `SELECT name FROM ${schema}.job WHERE id::text = $1 AND state = 'failed' AND name = ANY($2)`,
      [jobId, Object.keys(queues)],
    );
    if (!rows[0]) throw new Error(`There is no failed job with the id ${jobId}.`);
    await this.#boss.retry(rows[0].name, jobId);
  }

  async depth(): Promise<Record<JobName, { waiting: number; running: number }>> {
    const { rows } = await this.#opened.pool.query(
      `SELECT name, count(*) FILTER (WHERE state < 'active') AS waiting, count(*) FILTER (WHERE state = 'active') AS running
       FROM ${schema}.job WHERE state <= 'active' AND name = ANY($1) GROUP BY name`,
      [Object.keys(queues)],
    );
    const counts = new Map(rows.map((row) => [row.name, { waiting: row.waiting, running: row.running }]));
    const none = { waiting: 0, running: 0 };
    return {
      import: counts.get("import") ?? none,
      render: counts.get("render") ?? none,
      retention: counts.get("retention") ?? none,
    };
  }

  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    for (const name of this.#worked) await this.#boss.offWork(name, { wait: false });
    for (const { controller } of this.#running.values()) controller.abort(new Error("The server stops."));
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, stopWithinMs);
    });
    const settled = Promise.all([...this.#worked].map((name) => this.#boss.offWork(name, { wait: true })));
    await Promise.race([settled, overdue]);
    clearTimeout(timer);
    for (const left of this.#running.values()) await this.#giveBack(left);
    await this.#boss.stop({ graceful: false });
  }
}

function onTransaction(transaction: Transaction<Database>): Db {
  return {
    async executeSql(text, values) {
      const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, [...(values ?? [])]));
      return { rows };
    },
  };
}
