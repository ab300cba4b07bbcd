import { sql } from "kysely";
import type { Db } from "pg-boss";
import type { OpenDatabase } from "../storage/open-database.ts";
import { parseTraceparent } from "../trace-context.ts";
import type { FailedJob, FailureCause, JobName } from "./job-queue.ts";
import { payloadOf } from "./job-table.ts";
import { queueNames } from "./queue-settings.ts";
import { queueSchema as schema } from "./queue-version.ts";

/** "fail" in ASCII. Only one process at a time builds the index. */
const failedJobsLock = 0x6661696c;
const failedJobsIndex = "job_failed_latest";

/**
 * Indexes failed jobs, so that an operator's list of them does not read through all jobs of a month; pg-boss has no index for it. Looks
 * first, because CREATE INDEX waits for everybody who writes jobs, even when the index exists.
 */
export async function indexFailedJobs({ database }: OpenDatabase): Promise<void> {
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

/** Operators and pages may send anything as an id. */
const isJobId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

const failureColumns = "id, name, data, output, completed_on, retry_count";

/** The first line of a failed job's error, by which causes are grouped. */
const causeOfFailure = "left(split_part(coalesce(output->>'message', output::text, 'unknown'), E'\\n', 1), 300)";

/** Jobs that failed for good, for operators. As described at `JobQueue`. */
export class FailedJobs {
  readonly #pool: OpenDatabase["pool"];

  constructor(pool: OpenDatabase["pool"]) {
    this.#pool = pool;
  }

  /** The newest first. */
  async latest(limit: number, offset: number): Promise<FailedJob[]> {
    const { rows } = await this.#pool.query(
      `SELECT ${failureColumns} FROM ${schema}.job
       WHERE state = 'failed' AND name = ANY($1) ORDER BY completed_on DESC, id LIMIT $2 OFFSET $3`,
      [queueNames, limit, offset],
    );
    return rows.map(failedJob);
  }

  async find(jobId: string): Promise<FailedJob | null> {
    if (!isJobId(jobId)) return null;
    const { rows } = await this.#pool.query(
      `SELECT ${failureColumns} FROM ${schema}.job WHERE id = $1::uuid AND state = 'failed' AND name = ANY($2)`,
      [jobId, queueNames],
    );
    return rows[0] ? failedJob(rows[0]) : null;
  }

  async causes(limit: number): Promise<{ count: number; causes: FailureCause[] }> {
    const { rows } = await this.#pool.query(
      `SELECT name, ${causeOfFailure} AS cause, count(*)::int AS count, max(completed_on) AS "lastAt",
         (sum(count(*)) OVER ())::int AS total
       FROM ${schema}.job WHERE state = 'failed' AND name = ANY($1)
       GROUP BY 1, 2 ORDER BY 3 DESC, 4 DESC LIMIT $2`,
      [queueNames, limit],
    );
    const causes = rows.map(({ name, cause, count, lastAt }) => ({ name, cause, count, lastAt }));
    return { count: rows[0]?.total ?? 0, causes };
  }

  async idsOf({ name, cause }: Pick<FailureCause, "name" | "cause">, limit: number): Promise<string[]> {
    const { rows } = await this.#pool.query(
      `SELECT id FROM ${schema}.job WHERE state = 'failed' AND name = $1 AND ${causeOfFailure} = $2
       ORDER BY completed_on, id LIMIT $3`,
      [name, cause, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Locks a failed job until the end of the transaction that `db` belongs to. @returns its queue; null when there is none */
  async lock(jobId: string, db: Db): Promise<JobName | null> {
    if (!isJobId(jobId)) return null;
    const { rows } = await db.executeSql(
      `SELECT name FROM ${schema}.job WHERE id = $1::uuid AND state = 'failed' AND name = ANY($2) FOR UPDATE`,
      [jobId, queueNames],
    );
    return rows[0]?.name ?? null;
  }
}

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
