import { randomUUID } from "node:crypto";
import { CompiledQuery, sql, type Transaction } from "kysely";
import { type Db, PgBoss, type QueueOptions } from "pg-boss";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { databaseProblem } from "../storage/database-problem.ts";
import type { OpenDatabase } from "../storage/open-database.ts";
import type { Database } from "../storage/schema.ts";
import { outsideTransaction } from "../storage/transaction-guard.ts";
import { parseTraceparent } from "../trace-context.ts";
import { deadlines } from "../waits/deadlines.ts";
import {
  type FailedJob,
  type FailureCause,
  type JobContext,
  type JobInLine,
  type JobName,
  type JobPayloads,
  type JobQueue,
  type JobsOf,
  maxWaitMs,
  NoFailedJobError,
  type OpenJob,
  type SendOptions,
  type WorkPlaces,
} from "./job-queue.ts";
import { automaticBelow, JobTable, jobData, payloadOf, serverOwner } from "./job-table.ts";
import { JobWorker } from "./job-worker.ts";
import { checkQueueVersion, queueSchema } from "./queue-version.ts";

const schema = queueSchema;
const hour = 3600;
const day = 24 * hour;

/**
 * Heartbeats of workers on a PostgreSQL server. We watch them ourselves: pg-boss's monitor counts a dead worker's job as failed, and after
 * an outage of the database it takes jobs from living workers, who could not write either. A silent worker's job may be taken over after
 * `silentMs` and one look.
 */
const heartbeat = { everyMs: 2000, silentMs: 10_000, lookEveryMs: 2000 };

/** A job that is due later than this counts as written by a clock that was set back since, and runs at once (`forgetFuture`). */
const longestRetryDelay = maxWaitMs / 1000;

const queues: Record<JobName, QueueOptions> = {
  // An import may wait for most of this time for a place to parse.
  import: { expireInSeconds: 6 * hour, retryLimit: 4, retryDelay: 5, retryBackoff: true, retryDelayMax: 120 },
  render: { expireInSeconds: 2 * hour, retryLimit: 4, retryDelay: 5, retryBackoff: true, retryDelayMax: 120 },
  join: { expireInSeconds: hour, retryLimit: 4, retryDelay: 5, retryBackoff: true, retryDelayMax: 120 },
  share: { expireInSeconds: 2 * hour, retryLimit: 4, retryDelay: 5, retryBackoff: true, retryDelayMax: 120 },
  loop: { expireInSeconds: hour, retryLimit: 2, retryDelay: 5, retryBackoff: true, retryDelayMax: 120 },
  map: { expireInSeconds: hour, retryLimit: 3, retryDelay: 30, retryBackoff: true, retryDelayMax: longestRetryDelay },
  relief: { expireInSeconds: hour, retryLimit: 1, retryDelay: 5 },
  pictures: { expireInSeconds: hour, retryLimit: 1, retryDelay: 5 },
  // Nobody requests it a second time, so its tries go on for eight hours.
  forget: {
    expireInSeconds: 6 * hour,
    retryLimit: 100,
    retryDelay: 30,
    retryBackoff: true,
    retryDelayMax: longestRetryDelay,
  },
  retention: {
    expireInSeconds: 6 * hour,
    retryLimit: 2,
    retryDelay: 60,
    retryBackoff: true,
    retryDelayMax: longestRetryDelay,
  },
  redetect: { expireInSeconds: 6 * hour, retryLimit: 4, retryDelay: 5, retryBackoff: true, retryDelayMax: 120 },
};

const queueNames = Object.keys(queues) as JobName[];

/** How long a handler may take to end when the server stops. Then its job is given back while it still runs. */
const stopWithinMs = 10_000;

/** Jobs of one owner at once, in all processes together. The number of a player's clips is limited where they are created. */
const placesPerOwner: Record<JobName, number> = {
  import: 1,
  render: 1000,
  join: 1000,
  share: 1000,
  loop: 1000,
  map: 1,
  relief: 1,
  pictures: 1,
  forget: 1,
  retention: 1,
  redetect: 1,
};

/** Tells the workers of all processes that a job was sent; its name is the payload. */
const channel = "clutchcast_jobs";

const forgetFutureEveryMs = 30_000;

/**
 * The queue on pg-boss, in the same database as everything else. pg-boss keeps the jobs, their retries and the schedule; which
 * job is next is decided here, fairly between players (decision 075).
 *
 * A job whose process died is taken up again once its heartbeat has stopped. The embedded database has one process only: there it
 * is taken up when that process starts again.
 * @throws StartProblem for a queue of a newer version, and when its tables may not be made or changed
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
      : ownConnections),
    ...(config.DATABASE_URL === undefined ? {} : { connectionString: config.DATABASE_URL }),
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  });
  boss.on("error", (error) => log.error({ err: error }, "job queue"));
  boss.on("warning", (warning) => log.warn({ warning }, "job queue"));
  await checkQueueVersion(opened.pool);
  try {
    // Creates its schema and tables, for which the database's user may lack the right.
    await boss.start();
    await indexFailedJobs(opened);
  } catch (error) {
    throw databaseProblem(error, config.DATABASE_URL) ?? error;
  }

  for (const name of queueNames) {
    const options = {
      ...queues[name],
      retentionSeconds: 30 * day,
      deleteAfterSeconds: 30 * day,
    };
    await boss.createQueue(name, options);
    await boss.updateQueue(name, { ...options, heartbeatSeconds: null });
    // pg-boss reads a queue's settings at its first use, on the pool: inside a transaction of the embedded database that
    // read would wait for the transaction, which waits for it.
    await boss.findJobs(name, { id: randomUUID() });
  }
  if (embedded) await takeBackOrphans(boss, opened, log);
  const queue = new PgBossQueue(boss, opened, log);
  await queue.open();
  return queue;
}

/**
 * Connections of pg-boss for its upkeep, its clock and its notifications; it passes these options to node-postgres. Statements that
 * somebody waits for go over the pool of everything else.
 */
const ownConnections = {
  max: 4,
  application_name: "clutchcast jobs",
  connectionTimeoutMillis: deadlines.database.connectMs,
  query_timeout: deadlines.database.upkeepMs,
  keepAlive: true,
};

/** "fail" in ASCII. Only one process at a time builds the index. */
const failedJobsLock = 0x6661696c;
const failedJobsIndex = "job_failed_latest";

/**
 * Indexes failed jobs, so that an operator's list of them does not read through all jobs of a month; pg-boss has no index for it. Looks
 * first, because CREATE INDEX waits for everybody who writes jobs, even when the index exists.
 */
async function indexFailedJobs({ database }: OpenDatabase): Promise<void> {
  const { rows } = await sql`SELECT to_regclass(${`${schema}.${failedJobsIndex}`}) AS name`.execute(database);
  if ((rows[0] as { name: string | null }).name !== null) return;
  await database.transaction().execute(async (transaction) => {
    await sql`SELECT pg_advisory_xact_lock(${failedJobsLock})`.execute(transaction);
    await sql`
      CREATE INDEX IF NOT EXISTS ${sql.id(failedJobsIndex)} ON ${sql.table(`${schema}.job_common`)} (completed_on DESC, id)
      WHERE state = 'failed'
    `.execute(transaction);
  });
}

/** Runs pg-boss on the one connection, through the pool, so that its statements are never part of somebody else's transaction. */
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
async function takeBackOrphans(boss: PgBoss, { pool }: OpenDatabase, log: Logger): Promise<void> {
  for (const name of queueNames) {
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

/** Operators and pages may send anything as an id. */
const isJobId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

class PgBossQueue implements JobQueue {
  readonly #boss: PgBoss;
  readonly #opened: OpenDatabase;
  readonly #log: Logger;
  readonly #table: JobTable;
  readonly #workers: Pick<JobWorker<JobName>, "name" | "places" | "running" | "wake" | "abort" | "stop">[] = [];
  #listening: { close(): Promise<void> } | undefined;
  #clockWatch: NodeJS.Timeout | undefined;
  #silenceWatch: NodeJS.Timeout | undefined;
  #isLooking = false;
  /** Since when this process has reached the database without a break, and when it did last, by `performance.now`. */
  #listeningSince = performance.now();
  #lastLook = performance.now();
  #stopping = false;

  constructor(boss: PgBoss, opened: OpenDatabase, log: Logger) {
    this.#boss = boss;
    this.#opened = opened;
    this.#log = log;
    this.#table = new JobTable(boss, opened);
  }

  async open(): Promise<void> {
    const wake = (name?: string) => {
      for (const worker of this.#workers) if (!name || worker.name === name) worker.wake();
    };
    try {
      this.#listening = await this.#boss.getDb().listen?.(channel, wake, () => wake());
    } catch (error) {
      this.#log.warn({ err: error }, "no notifications of new jobs: workers look every second");
    }
    await this.#forgetFuture();
    this.#clockWatch = setInterval(() => this.#forgetFuture(), forgetFutureEveryMs).unref();
  }

  async #forgetFuture(): Promise<void> {
    await this.#table.forgetFuture().catch((error) => this.#log.warn({ err: error }, "job times not checked"));
  }

  async send<Name extends JobName>(
    name: Name,
    payload: JobPayloads[Name],
    { ownerId, transaction, isAutomatic = false }: SendOptions,
  ): Promise<void> {
    if (!transaction) {
      return this.#opened.database
        .transaction()
        .execute((transaction) => this.send(name, payload, { ownerId, transaction, isAutomatic }));
    }
    const db = onTransaction(transaction);
    // The notification goes out when the transaction commits.
    const { rows } = await db.executeSql("SELECT nextval('job_order')::int AS place, pg_notify($1, $2)", [
      channel,
      name,
    ]);
    // By order of sending and not by time: clocks may be set back.
    const priority = -rows[0].place + (isAutomatic ? automaticBelow : 0);
    await this.#boss.send(name, jobData(payload), { db, priority, group: { id: String(ownerId ?? serverOwner) } });
  }

  async work<Name extends JobName>(
    name: Name,
    wanted: number | WorkPlaces,
    handler: (payload: JobPayloads[Name], context: JobContext) => Promise<void>,
  ): Promise<void> {
    const {
      places,
      automaticPlaces = places,
      room,
    }: WorkPlaces = typeof wanted === "number" ? { places: wanted } : wanted;
    if (places < 1) return;
    const options = {
      name,
      places,
      automaticPlaces,
      room: room ?? null,
      placesPerOwner: placesPerOwner[name],
      // The embedded database has one process: after a laptop slept, it would take over its own jobs.
      heartbeatMs: this.#opened.kind === "embedded" ? null : heartbeat.everyMs,
      handler,
    };
    this.#workers.push(new JobWorker(this.#table, options, this.#log));
    if (this.#opened.kind === "postgres")
      this.#silenceWatch ??= setInterval(() => this.#lookForSilent(), heartbeat.lookEveryMs);
  }

  /**
   * Takes over jobs of silent workers. If this process could not reach the database itself, the others could not either: they get time
   * to be heard again.
   */
  async #lookForSilent(): Promise<void> {
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
        await this.#opened.pool.query("SELECT 1");
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

  async openOf(name: JobName, userId: number, of?: JobsOf): Promise<number> {
    return this.#table.openOf(name, userId, of);
  }

  async allOpen(transaction: Transaction<Database>): Promise<OpenJob[]> {
    return this.#table.allOpen(transaction);
  }

  async line<Name extends JobName>(name: Name): Promise<JobInLine<Name>[]> {
    return this.#table.line(name);
  }

  async turns(name: JobName, userIds: readonly number[], isAutomatic = false): Promise<Map<number, number>> {
    return this.#table.turns(name, userIds, isAutomatic);
  }

  async hasten<Name extends JobName>(
    name: Name,
    payload: JobPayloads[Name],
    transaction?: Transaction<Database>,
  ): Promise<void> {
    await this.#table.hasten(name, payload, transaction);
  }

  async schedule(name: "retention", cron: string): Promise<void> {
    await this.#boss.schedule(name, cron, {}, { tz: "UTC", group: { id: String(serverOwner) } });
  }

  async cancel<Name extends JobName>(name: Name, payload: JobPayloads[Name]): Promise<void> {
    const open = await this.#table.open(name, payload);
    if (open.length === 0) return;
    await this.#boss.cancel(name, open, { db: this.#table.ownPool });
    // A worker of another process notices at its next heartbeat that the job is no longer its own.
    const reason = new Error("The job was cancelled.");
    for (const worker of this.#workers) for (const id of open) worker.abort(id, reason);
  }

  async isOpen<Name extends JobName>(
    name: Name,
    payload: JobPayloads[Name],
    transaction?: Transaction<Database>,
  ): Promise<boolean> {
    return this.#table.isOpen(name, payload, transaction);
  }

  async failures(limit: number, offset = 0): Promise<FailedJob[]> {
    const { rows } = await this.#opened.pool.query(
      `SELECT ${failureColumns} FROM ${schema}.job
       WHERE state = 'failed' AND name = ANY($1) ORDER BY completed_on DESC, id LIMIT $2 OFFSET $3`,
      [queueNames, limit, offset],
    );
    return rows.map(failedJob);
  }

  async failure(jobId: string): Promise<FailedJob | null> {
    if (!isJobId(jobId)) return null;
    const { rows } = await this.#opened.pool.query(
      `SELECT ${failureColumns} FROM ${schema}.job WHERE id = $1::uuid AND state = 'failed' AND name = ANY($2)`,
      [jobId, queueNames],
    );
    return rows[0] ? failedJob(rows[0]) : null;
  }

  async failureCauses(limit: number): Promise<{ count: number; causes: FailureCause[] }> {
    const { rows } = await this.#opened.pool.query(
      `SELECT name, ${causeOfFailure} AS cause, count(*)::int AS count, max(completed_on) AS "lastAt",
         (sum(count(*)) OVER ())::int AS total
       FROM ${schema}.job WHERE state = 'failed' AND name = ANY($1)
       GROUP BY 1, 2 ORDER BY 3 DESC, 4 DESC LIMIT $2`,
      [queueNames, limit],
    );
    const causes = rows.map(({ name, cause, count, lastAt }) => ({ name, cause, count, lastAt }));
    return { count: rows[0]?.total ?? 0, causes };
  }

  async failuresOf({ name, cause }: Pick<FailureCause, "name" | "cause">, limit: number): Promise<string[]> {
    const { rows } = await this.#opened.pool.query(
      `SELECT id FROM ${schema}.job WHERE state = 'failed' AND name = $1 AND ${causeOfFailure} = $2
       ORDER BY completed_on, id LIMIT $3`,
      [name, cause, limit],
    );
    return rows.map(({ id }) => id);
  }

  async requeue(jobId: string, transaction?: Transaction<Database>): Promise<void> {
    const db = transaction ? onTransaction(transaction) : this.#table.ownPool;
    const { rows } = isJobId(jobId)
      ? await db.executeSql(
          `SELECT name FROM ${schema}.job WHERE id = $1::uuid AND state = 'failed' AND name = ANY($2) FOR UPDATE`,
          [jobId, queueNames],
        )
      : { rows: [] };
    if (!rows[0]) throw new NoFailedJobError(`There is no failed job with the id ${jobId}.`);
    await this.#boss.retry(rows[0].name, jobId, { db });
  }

  async depth(): Promise<Record<JobName, { waiting: number; running: number }>> {
    const { rows } = await this.#opened.pool.query(
      // In two parts, one for each index, so that the finished jobs of a month are not read.
      `SELECT name, sum(waiting)::int AS waiting, sum(running)::int AS running FROM (
         SELECT name, 1 AS waiting, 0 AS running FROM ${schema}.job
         WHERE state < 'active' AND NOT blocked AND name = ANY($1)
         UNION ALL
         SELECT name, 0, 1 FROM ${schema}.job WHERE state = 'active' AND group_id IS NOT NULL AND name = ANY($1)
       ) AS open GROUP BY name`,
      [queueNames],
    );
    const counts = new Map(rows.map((row) => [row.name, { waiting: row.waiting, running: row.running }]));
    const depths = queueNames.map((name) => [name, counts.get(name) ?? { waiting: 0, running: 0 }]);
    return Object.fromEntries(depths) as Awaited<ReturnType<JobQueue["depth"]>>;
  }

  async oldestWaiting(): Promise<Map<JobName, number>> {
    const { rows } = await this.#opened.pool.query(
      // Uses the index of waiting jobs, as `depth` does.
      `SELECT name, greatest(extract(epoch FROM now() - min(created_on)), 0)::float8 AS seconds FROM ${schema}.job
       WHERE state < 'active' AND NOT blocked AND name = ANY($1) GROUP BY name`,
      [queueNames],
    );
    return new Map(rows.map(({ name, seconds }) => [name, seconds]));
  }

  inHand(): ReturnType<JobQueue["inHand"]> {
    return {
      places: Object.fromEntries(this.#workers.map(({ name, places }) => [name, places])),
      running: this.#workers.flatMap(({ running }) => running),
    };
  }

  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    clearInterval(this.#clockWatch);
    clearInterval(this.#silenceWatch);
    await Promise.all(this.#workers.map((worker) => worker.stop(stopWithinMs)));
    await this.#listening?.close();
    await this.#boss.stop({ graceful: false });
  }
}

const failureColumns = "id, name, data, output, completed_on, retry_count";

/** The first line of a failed job's error, by which causes are grouped. */
const causeOfFailure = "left(split_part(coalesce(output->>'message', output::text, 'unknown'), E'\\n', 1), 300)";

// biome-ignore lint/suspicious/noExplicitAny: a row is whatever the statement selects, as in pg
function failedJob(row: any): FailedJob {
  const { payload, traceparent } = payloadOf(row.data);
  return {
    id: row.id,
    name: row.name,
    payload,
    traceId: traceparent && (parseTraceparent(traceparent)?.traceId ?? null),
    error: String(row.output?.message ?? JSON.stringify(row.output) ?? "unknown"),
    failedAt: row.completed_on,
    attempts: row.retry_count + 1,
  };
}

function onTransaction(transaction: Transaction<Database>): Db {
  return {
    async executeSql(text, values) {
      const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, [...(values ?? [])]));
      return { rows };
    },
  };
}
