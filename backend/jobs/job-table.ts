import { isDeepStrictEqual } from "node:util";
import { type Kysely, sql } from "kysely";
import type { Db, PgBoss } from "pg-boss";
import type { OpenDatabase } from "../storage/open-database.ts";
import type { Database } from "../storage/schema.ts";
import { currentTrace, traceparentOf } from "../trace-context.ts";
import { type JobInLine, type JobName, type JobPayloads, type JobsOf, maxWaitMs, type OpenJob } from "./job-queue.ts";

/** A job that this process works on. `retryCount` identifies the attempt: the results of a lost attempt are discarded. */
export interface TakenJob<Name extends JobName = JobName> {
  id: string;
  name: Name;
  payload: JobPayloads[Name];
  ownerId: number;
  isAutomatic: boolean;
  retryCount: number;
  retryLimit: number;
  expireSeconds: number;
  /** Trace of the request or job that sent it; null for scheduled jobs. */
  traceparent: string | null;
}

/** Key in a job's data, beside its payload. */
const traceKey = "traceparent";

/** The stored data of a job: its payload and the trace that it belongs to. */
export function jobData(payload: object): object {
  const trace = currentTrace();
  return trace ? { ...payload, [traceKey]: traceparentOf(trace) } : payload;
}

/** The reverse of `jobData`. */
export function payloadOf<Name extends JobName>(
  data: unknown,
): {
  payload: JobPayloads[Name];
  traceparent: string | null;
} {
  const { [traceKey]: traceparent, ...payload } = (data ?? {}) as Record<string, unknown>;
  return { payload: payload as JobPayloads[Name], traceparent: typeof traceparent === "string" ? traceparent : null };
}

/** Owner of jobs that nobody asked for, such as cleaning up. Written like any other, so that the indexes by owner have every job. */
export const serverOwner = 0;

/** Jobs that a row stands for; `retention` and `redetect` are scheduled. */
export const carriedJobs: readonly JobName[] = [
  "import",
  "render",
  "join",
  "share",
  "loop",
  "map",
  "relief",
  "pictures",
  "forget",
];

/**
 * Wait before a job is taken again whose process died for the second time, still within 20 s of the death: noticing it takes 12 s, and
 * workers look every second. Doubles each further time, up to the longest.
 */
const lostAgainMs = 4000;
const mostLostMs = 120_000;

/** First key of the advisory locks under which jobs are taken: "take" in ASCII. */
const takeLockSpace = 0x74616b65;

/** Automatic jobs have priorities below this, behind all others; the numbers of `job_order` stay above it for a billion jobs. */
export const automaticBelow = -(2 ** 30);

const isAutomaticJob = sql`(priority < ${sql.lit(automaticBelow)})`;

/** Turns are counted separately for automatic jobs, so that these do not put a player's own requests behind those of others. */
const turnsOf = (name: JobName, isAutomatic: boolean) => (isAutomatic ? `${name} automatic` : name);

const keptErrorCharacters = 4000;

/**
 * Statements on pg-boss's table of jobs that bypass pg-boss itself, which takes jobs only by priority and creation and trusts the clock.
 * Decisions 052 and 075.
 */
export class JobTable {
  readonly #boss: PgBoss;
  readonly #database: Kysely<Database>;
  /** pg-boss's statements that somebody waits for, on the pool with deadlines; its own pool is for its maintenance. */
  readonly ownPool: Db;

  constructor(boss: PgBoss, opened: OpenDatabase) {
    this.#boss = boss;
    this.#database = opened.database;
    this.ownPool = { executeSql: (text, values) => opened.pool.query(text, values) };
  }

  /**
   * Takes the next job in fair order: that of the owner with the fewest running, then of the one served longest ago, then the one sent
   * first; automatic jobs only when no other can be taken, in the same order among themselves. One process decides at a time, so that two
   * never count the same owner's jobs.
   * @param maxPerOwner an owner with this many running has to wait; automatic ones are counted separately
   * @param alsoAutomatic false to exclude automatic jobs
   */
  async take<Name extends JobName>(
    name: Name,
    maxPerOwner: number,
    alsoAutomatic = true,
  ): Promise<TakenJob<Name> | null> {
    const wanted = alsoAutomatic ? isDue(name) : sql`${isDue(name)} AND NOT ${isAutomaticJob}`;
    // There is usually nothing to do; this finds out without a lock or a transaction.
    const due = await sql`SELECT 1 FROM pgboss.job WHERE ${wanted} LIMIT 1`.execute(this.#database);
    if (due.rows.length === 0) return null;
    return await this.#database.transaction().execute(async (transaction) => {
      await sql`SELECT pg_advisory_xact_lock(${sql.lit(takeLockSpace)}, hashtext(${name}))`.execute(transaction);
      const { rows } = await sql<TakenRow>`
        WITH first_of_each AS (
          SELECT DISTINCT ON (group_id, automatic) id, group_id, ${isAutomaticJob} AS automatic, priority, created_on
          FROM pgboss.job
          WHERE ${wanted}
          ORDER BY group_id, automatic, priority DESC, created_on
        ), running AS (
          SELECT group_id, ${isAutomaticJob} AS automatic, count(*) AS jobs FROM pgboss.job
          WHERE name = ${name} AND state = 'active' AND group_id IS NOT NULL
          GROUP BY group_id, automatic
        ), next AS (
          SELECT first_of_each.id
          FROM first_of_each
            LEFT JOIN running
              ON running.group_id = first_of_each.group_id AND running.automatic = first_of_each.automatic
            LEFT JOIN job_turns ON job_turns.user_id = first_of_each.group_id::bigint
              AND job_turns.queue = CASE WHEN first_of_each.automatic THEN ${turnsOf(name, true)} ELSE ${name} END
          WHERE coalesce(running.jobs, 0) < ${maxPerOwner}
          ORDER BY first_of_each.automatic, coalesce(running.jobs, 0), coalesce(job_turns.turn, 0), priority DESC, created_on
          LIMIT 1
        )
        UPDATE pgboss.job SET
          state = 'active',
          started_on = now(),
          heartbeat_on = now(),
          -- Given back, it was never started; anything else that was is a new attempt.
          retry_count = CASE WHEN started_on IS NULL THEN retry_count ELSE retry_count + 1 END
        FROM next
        WHERE job.name = ${name} AND job.id = next.id AND job.state < 'active'
        RETURNING job.id, data, group_id, ${isAutomaticJob} AS automatic, retry_count, retry_limit, expire_seconds
      `.execute(transaction);
      const row = rows[0];
      return row
        ? {
            id: row.id,
            name,
            ...payloadOf<Name>(row.data),
            ownerId: Number(row.group_id ?? serverOwner),
            isAutomatic: row.automatic,
            retryCount: row.retry_count,
            retryLimit: row.retry_limit,
            expireSeconds: row.expire_seconds,
          }
        : null;
    });
  }

  /** Reports that these jobs are being worked on. @returns the ids of those that still belong to this process */
  async touch(jobs: readonly TakenJob[]): Promise<Set<string>> {
    const { rows } = await sql<{ id: string }>`
      UPDATE pgboss.job SET heartbeat_on = now()
      FROM unnest(
        ${jobs.map(({ name }) => name)}::text[], ${jobs.map(({ id }) => id)}::uuid[], ${jobs.map(({ retryCount }) => retryCount)}::int[]
      ) AS held (name, id, retry_count)
      WHERE job.name = held.name AND job.id = held.id AND job.retry_count = held.retry_count AND job.state = 'active'
      RETURNING job.id
    `.execute(this.#database);
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Puts jobs back whose process has been silent for this long. The first time they may be taken at once, since its death says nothing
   * about them. When it happens again they may be the cause, and must not end one process after another within a minute. A job that has
   * used all its tries has failed. Statements find them by the index of running jobs.
   * @returns ids of those put back, and of those that failed
   */
  async takeBackSilent(names: readonly JobName[], silentMs: number): Promise<{ again: string[]; failed: string[] }> {
    const lost = JSON.stringify(outputOf(new Error("The process that ran this job ended in every try.")));
    const { rows } = await sql<{ id: string; state: string }>`
      UPDATE pgboss.job SET
        state = (CASE WHEN retry_count < retry_limit THEN 'retry' ELSE 'failed' END)::pgboss.job_state,
        start_after = now() + CASE WHEN retry_count = 0 THEN 0 ELSE least(${lostAgainMs} * 2 ^ (retry_count - 1), ${mostLostMs}) END
          * interval '1 millisecond',
        heartbeat_on = NULL,
        completed_on = CASE WHEN retry_count < retry_limit THEN NULL ELSE now() END,
        output = CASE WHEN retry_count < retry_limit THEN output ELSE ${lost}::jsonb END
      WHERE name = ANY (${[...names]}::text[]) AND state = 'active' AND group_id IS NOT NULL
        AND heartbeat_on < now() - ${silentMs} * interval '1 millisecond'
      RETURNING id, state
    `.execute(this.#database);
    const idsOf = (state: string) => rows.filter((row) => row.state === state).map(({ id }) => id);
    return { again: idsOf("retry"), failed: idsOf("failed") };
  }

  /** The job is done, and counts as a turn of its owner. */
  async complete(job: TakenJob): Promise<void> {
    await this.serve(job);
    await this.#boss.complete(job.name, job, null, { db: this.ownPool });
  }

  /** The attempt failed: the job is tried again later, unless that was its last try. It counts as a turn of its owner. */
  async fail(job: TakenJob, error: unknown): Promise<void> {
    await this.serve(job);
    await this.#boss.fail(job.name, job, outputOf(error), { db: this.ownPool });
  }

  /** The job failed and is not tried again. */
  async failForGood(job: TakenJob, error: unknown): Promise<void> {
    await this.serve(job);
    await sql`
      UPDATE pgboss.job SET state = 'failed', completed_on = now(), heartbeat_on = NULL,
        output = ${JSON.stringify(outputOf(error))}::jsonb
      WHERE ${isOwn(job)}
    `.execute(this.#database);
  }

  /** Puts the job back in its place as if never taken; it does not count as a turn. */
  async giveBack(job: TakenJob): Promise<void> {
    await sql`
      UPDATE pgboss.job SET state = 'created', started_on = NULL, heartbeat_on = NULL WHERE ${isOwn(job)}
    `.execute(this.#database);
  }

  /** As `giveBack`, but it may only be taken after a while. */
  async postpone(job: TakenJob, afterMs: number): Promise<void> {
    await sql`
      UPDATE pgboss.job SET state = 'retry', started_on = NULL, heartbeat_on = NULL,
        start_after = now() + ${afterMs} * interval '1 millisecond'
      WHERE ${isOwn(job)}
    `.execute(this.#database);
  }

  /** Ids of the waiting or running jobs with this payload. */
  async open<Name extends JobName>(name: Name, payload: JobPayloads[Name]): Promise<string[]> {
    const jobs = await this.#openJobs(name, payload, this.#database);
    return jobs.map(({ id }) => id);
  }

  /** Whether a job with exactly this payload waits or runs. */
  async isOpen<Name extends JobName>(
    name: Name,
    payload: JobPayloads[Name],
    database: Kysely<Database> = this.#database,
  ): Promise<boolean> {
    const jobs = await this.#openJobs(name, payload, database);
    // As it is stored, without undefined values.
    const stored: unknown = JSON.parse(JSON.stringify(payload));
    return jobs.some(({ data }) => isDeepStrictEqual(payloadOf(data).payload, stored));
  }

  async #openJobs<Name extends JobName>(name: Name, payload: JobPayloads[Name], database: Kysely<Database>) {
    const data = JSON.stringify(payload);
    // In two parts, like the indexes, so that a month of finished jobs is not read.
    const { rows } = await sql<{ id: string; data: unknown }>`
      SELECT id, data FROM pgboss.job WHERE name = ${name} AND state < 'active' AND NOT blocked AND data @> ${data}::jsonb
      UNION ALL
      SELECT id, data FROM pgboss.job
      WHERE name = ${name} AND state = 'active' AND group_id IS NOT NULL AND data @> ${data}::jsonb
    `.execute(database);
    return rows;
  }

  /** Waiting automatic jobs with this payload become ordinary ones. */
  async hasten<Name extends JobName>(
    name: Name,
    payload: JobPayloads[Name],
    database: Kysely<Database> = this.#database,
  ): Promise<void> {
    await sql`
      UPDATE pgboss.job SET priority = priority - ${sql.lit(automaticBelow)}
      WHERE name = ${name} AND state < 'active' AND NOT blocked AND ${isAutomaticJob}
        AND data @> ${JSON.stringify(payload)}::jsonb
    `.execute(database);
  }

  /** How many jobs of this owner wait or run. */
  async openOf(name: JobName, ownerId: number, { isAutomatic, transaction }: JobsOf = {}): Promise<number> {
    const ofLane = isAutomatic === undefined ? sql`true` : sql`${isAutomaticJob} = ${isAutomatic}`;
    const { rows } = await sql<{ jobs: number }>`
      SELECT (
        SELECT count(*) FROM pgboss.job
        WHERE name = ${name} AND state < 'active' AND NOT blocked AND group_id = ${String(ownerId)} AND ${ofLane}
      ) + (
        SELECT count(*) FROM pgboss.job
        WHERE name = ${name} AND state = 'active' AND group_id = ${String(ownerId)} AND ${ofLane}
      ) AS jobs
    `.execute(transaction ?? this.#database);
    return Number(rows[0]?.jobs);
  }

  /** Running jobs by their begin, then waiting ones by when they were sent. */
  async line<Name extends JobName>(name: Name): Promise<JobInLine<Name>[]> {
    // In two parts, like the indexes.
    const { rows } = await sql<{ data: unknown; group_id: string | null; automatic: boolean; running: boolean }>`
      SELECT data, group_id, ${isAutomaticJob} AS automatic, started_at IS NOT NULL AS running FROM (
        SELECT data, group_id, priority, created_on, NULL::timestamptz AS started_at FROM pgboss.job
        WHERE name = ${name} AND state < 'active' AND NOT blocked
        UNION ALL
        SELECT data, group_id, priority, created_on, started_on FROM pgboss.job
        WHERE name = ${name} AND state = 'active' AND group_id IS NOT NULL
      ) AS line
      ORDER BY started_at NULLS LAST, priority DESC, created_on
    `.execute(this.#database);
    return rows.map(({ data, group_id: owner, automatic: isAutomatic, running: isRunning }) => ({
      payload: payloadOf<Name>(data).payload,
      ownerId: Number(owner ?? serverOwner),
      isAutomatic,
      isRunning,
    }));
  }

  /** In the order in which they were sent, without scheduled jobs, which come again by themselves. */
  async allOpen(database: Kysely<Database>): Promise<OpenJob[]> {
    const names = sql.join(carriedJobs);
    // In two parts, like the indexes, so that a month of finished jobs is not read.
    const { rows } = await sql<{ name: JobName; data: unknown; group_id: string | null; automatic: boolean }>`
      SELECT name, data, group_id, ${isAutomaticJob} AS automatic FROM (
        SELECT name, data, group_id, priority, created_on FROM pgboss.job
        WHERE state < 'active' AND NOT blocked AND name IN (${names})
        UNION ALL
        SELECT name, data, group_id, priority, created_on FROM pgboss.job
        WHERE state = 'active' AND group_id IS NOT NULL AND name IN (${names})
      ) AS open ORDER BY priority DESC, created_on
    `.execute(database);
    return rows.map(({ name, data, group_id: owner, automatic: isAutomatic }) => ({
      name,
      isAutomatic,
      payload: payloadOf(data).payload,
      ownerId: owner === null || Number(owner) === serverOwner ? null : Number(owner),
    }));
  }

  /** Numbers in the order in which owners were last served; owners who never were are missing. */
  async turns(name: JobName, ownerIds: readonly number[], isAutomatic = false): Promise<Map<number, number>> {
    if (ownerIds.length === 0) return new Map();
    const rows = await this.#database
      .selectFrom("job_turns")
      .select(["user_id", "turn"])
      .where("queue", "=", turnsOf(name, isAutomatic))
      .where("user_id", "in", ownerIds)
      .execute();
    return new Map(rows.map((row) => [row.user_id, row.turn]));
  }

  /**
   * After the clock was set back, past events lie in the future, such as a dead worker's last heartbeat or the last run of pg-boss's
   * monitor. Both would keep its jobs from the others until the clock has caught up.
   */
  async forgetFuture(): Promise<void> {
    await sql`
      WITH heartbeats AS (
        UPDATE pgboss.job SET heartbeat_on = now()
        WHERE name IN (SELECT name FROM pgboss.queue) AND state = 'active' AND group_id IS NOT NULL
          AND heartbeat_on > now() + interval '30 seconds'
      ), looks AS (
        UPDATE pgboss.queue SET
          monitor_claim_on = least(monitor_claim_on, now()),
          monitor_on = least(monitor_on, now()),
          maintain_on = least(maintain_on, now())
        WHERE greatest(monitor_claim_on, monitor_on, maintain_on) > now() + interval '30 seconds'
      )
      UPDATE pgboss.version SET cron_on = now() WHERE cron_on > now() + interval '30 seconds'
    `.execute(this.#database);
  }

  /** Records that the owner of this job was served now. */
  async serve({ name, ownerId, isAutomatic }: TakenJob): Promise<void> {
    // Locks the player, so that they are not deleted before the row that refers to them is written.
    await sql`
      INSERT INTO job_turns (user_id, queue, turn)
      SELECT id, ${turnsOf(name, isAutomatic)}, nextval('job_order') FROM (SELECT id FROM users WHERE id = ${ownerId} FOR KEY SHARE) AS owner
      ON CONFLICT (user_id, queue) DO UPDATE SET turn = excluded.turn
    `.execute(this.#database);
  }
}

interface TakenRow {
  id: string;
  data: unknown;
  group_id: string | null;
  automatic: boolean;
  retry_count: number;
  retry_limit: number;
  expire_seconds: number;
}

/**
 * The job waits and may be taken. A job that was never tried is due whatever the clock says. So is one with a longer wait than any job
 * gets: its time was set before the clock was set back.
 */
const isDue = (name: JobName) => sql`
  name = ${name} AND state < 'active' AND NOT blocked AND (
    state = 'created' OR start_after <= now() OR start_after > now() + ${maxWaitMs} * interval '1 millisecond'
  )`;

const isOwn = ({ name, id, retryCount }: TakenJob) =>
  sql`name = ${name} AND id = ${id} AND retry_count = ${retryCount} AND state = 'active'`;

/** The stored part of an error, without NUL: PostgreSQL's JSON cannot contain it, and errors may quote strangers' text. */
function outputOf(error: unknown): { message: string; stack?: string } {
  const kept = (text: string) => text.replaceAll("\0", "").slice(0, keptErrorCharacters);
  if (!(error instanceof Error)) return { message: kept(String(error)) };
  return { message: kept(error.message), ...(error.stack ? { stack: kept(error.stack) } : {}) };
}
