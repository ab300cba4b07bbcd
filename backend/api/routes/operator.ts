import { apiRoutes } from "../../../contract/api-routes.ts";
import type { FailurePage, OperatorOverview } from "../../../contract/schemas/operator.ts";
import type { JobName } from "../../jobs/job-queue.ts";
import { Refusal } from "../../refusal.ts";
import { type FailurePage as Failures, failurePage } from "../../supervision/failures.ts";
import { type Overview, overview } from "../../supervision/overview.ts";
import { NotRequeued, requeueCause, requeueJob } from "../../supervision/requeue-job.ts";
import { implementRoutes, type Route } from "../implement-routes.ts";
import type { ApiContext } from "../request-context.ts";

/** Finding failures scans all jobs of a month, so results are reused for this long. */
const keptForMs = 5000;

/** The calls of the operator's page. */
export function operatorRoutes(): Route[] {
  let kept: { of: string; until: number; page: Promise<FailurePage> } | null = null;
  const again = async <Result>(c: ApiContext, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof NotRequeued) throw new Refusal("not_failed", error.message);
      throw error;
    } finally {
      kept = null;
      c.get("services").log.info({ operator: c.get("user")?.id, path: c.req.path }, "operator tries again");
    }
  };
  return implementRoutes(apiRoutes.operator, {
    overview: async (c, { reply }) => reply(200, overviewAnswer(await overview(c.get("services")))),

    failures: async (c, { user, query, reply }) => {
      const of = JSON.stringify([user.id, query]);
      const now = performance.now();
      if (kept?.of !== of || kept.until < now) {
        const page = failurePage(c.get("services"), user.steam_id, query).then(failuresAnswer);
        kept = { of, until: now + keptForMs, page };
        page.catch(() => {
          kept = null;
        });
      }
      return reply(200, await kept.page);
    },

    retryFailure: async (c, { parameters, reply }) => {
      const job = await again(c, () => requeueJob(c.get("services"), parameters.id));
      return reply(200, { requeued: 1, sentence: `The ${job.name} job is back in the queue.` });
    },

    retryCause: async (c, { body, reply }) => {
      const cause = { name: body.queue as JobName, cause: body.cause };
      const { requeued, left, reason } = await again(c, () => requeueCause(c.get("services"), cause));
      const back = `${requeued} ${requeued === 1 ? "job is" : "jobs are"} back in the queue.`;
      return reply(200, { requeued, sentence: left === 0 ? back : `${back} ${left} stayed: ${reason}` });
    },
  });
}

function overviewAnswer({ queues, processes, storage, backup, ...rest }: Overview): OperatorOverview {
  const { census } = storage;
  return {
    queues: queues.map(({ oldestWaitingSeconds, ...queue }) => ({
      ...queue,
      oldest_waiting_seconds: oldestWaitingSeconds,
    })),
    processes: processes.map((sign) => ({
      host: sign.host,
      pid: sign.pid,
      role: sign.role,
      version: sign.version,
      started_at: sign.startedAt,
      silent_seconds: sign.silentSeconds,
      answers: sign.answers,
      free_bytes: sign.freeBytes,
      is_short: sign.isShort,
      places: sign.places,
      running: sign.running.map(([queue, subject]) => ({ queue, subject })),
      reliefs: sign.reliefs,
    })),
    workers_answer: rest.workersAnswer,
    storage: {
      database_bytes: storage.databaseBytes,
      counted: census && { kinds: census.kinds, begun_at: census.begunAt, ended_at: census.endedAt },
      free_bytes: storage.freeBytes,
      reserve_bytes: storage.reserveBytes,
      standing: storage.standing,
      users: storage.users.map(({ steamId, ...user }) => ({ ...user, steam_id: steamId })),
      quota_bytes: storage.quotaBytes,
    },
    backup: backup && { newest: backup.newest, next_due_at: backup.nextDueAt.toISOString() },
    versions: rest.versions,
    started_at: rest.startedAt.toISOString(),
    configuration: rest.configuration,
  };
}

function failuresAnswer({ count, failures, causes }: Failures): FailurePage {
  return {
    count,
    results: failures.map(({ name, player, failedAt, traceId, ...failure }) => ({
      ...failure,
      queue: name,
      trace_id: traceId,
      player: player && { steam_id: player.steamId, name: player.name },
      failed_at: failedAt.toISOString(),
    })),
    causes: causes.map(({ name, cause, count, lastAt }) => ({
      queue: name,
      cause,
      count,
      last_at: lastAt.toISOString(),
    })),
  };
}
