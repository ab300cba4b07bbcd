import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import { PgBoss } from "pg-boss";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { databaseProblem } from "../storage/database-problem.ts";
import type { OpenDatabase } from "../storage/open-database.ts";
import type { Database } from "../storage/schema.ts";
import { FailedJobs, indexFailedJobs } from "./failed-jobs.ts";
import {
  type FailedJob,
  type FailureCause,
  type JobContext,
  type JobInLine,
  type JobName,
  type JobPayloads,
  type JobQueue,
  type JobsOf,
  NoFailedJobError,
  type OpenJob,
  type SendOptions,
  type WorkPlaces,
} from "./job-queue.ts";
import { automaticBelow, JobTable, jobData, serverOwner } from "./job-table.ts";
import { JobWorker } from "./job-worker.ts";
import { embeddedAdapter, onTransaction, ownConnections } from "./pg-boss-connections.ts";
import { placesPerOwner, queueNames, queueOptions } from "./queue-settings.ts";
import { checkQueueVersion, queueSchema as schema } from "./queue-version.ts";
import { heartbeat, SilenceWatch } from "./silence-watch.ts";

/** How long a handler may take to end when the server stops. Then its job is given back while it still runs. */
const stopWithinMs = 10_000;

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
    const options = queueOptions(name);
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

class PgBossQueue implements JobQueue {
  readonly #boss: PgBoss;
  readonly #opened: OpenDatabase;
  readonly #log: Logger;
  readonly #table: JobTable;
  readonly #failed: FailedJobs;
  readonly #silenceWatch: SilenceWatch;
  readonly #workers: Pick<JobWorker<JobName>, "name" | "places" | "running" | "wake" | "abort" | "stop">[] = [];
  #listening: { close(): Promise<void> } | undefined;
  #clockWatch: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(boss: PgBoss, opened: OpenDatabase, log: Logger) {
    this.#boss = boss;
    this.#opened = opened;
    this.#log = log;
    this.#table = new JobTable(boss, opened);
    this.#failed = new FailedJobs(opened.pool);
    this.#silenceWatch = new SilenceWatch(this.#table, opened.pool, this.#workers, log);
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
    if (this.#opened.kind === "postgres") this.#silenceWatch.begin();
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
    return this.#failed.latest(limit, offset);
  }

  async failure(jobId: string): Promise<FailedJob | null> {
    return this.#failed.find(jobId);
  }

  async failureCauses(limit: number): Promise<{ count: number; causes: FailureCause[] }> {
    return this.#failed.causes(limit);
  }

  async failuresOf(cause: Pick<FailureCause, "name" | "cause">, limit: number): Promise<string[]> {
    return this.#failed.idsOf(cause, limit);
  }

  async requeue(jobId: string, transaction?: Transaction<Database>): Promise<void> {
    const db = transaction ? onTransaction(transaction) : this.#table.ownPool;
    const name = await this.#failed.lock(jobId, db);
    if (name === null) throw new NoFailedJobError(`There is no failed job with the id ${jobId}.`);
    await this.#boss.retry(name, jobId, { db });
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
    this.#silenceWatch.end();
    await Promise.all(this.#workers.map((worker) => worker.stop(stopWithinMs)));
    await this.#listening?.close();
    await this.#boss.stop({ graceful: false });
  }
}
