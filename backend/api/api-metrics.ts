import { sql } from "kysely";
import type { Logger } from "pino";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Services } from "../services.ts";
import { statusCounts } from "../storage/counts.ts";
import { newestBackup } from "../storage/newest-backup.ts";
import { deadlines } from "../waits/deadlines.ts";
import { outageOf } from "../waits/outage.ts";
import { untilAborted } from "../waits/until-aborted.ts";

export interface AnsweredRequest {
  method: string;
  /** The route's pattern, not the path: ids in a label would create a series each. */
  route: string;
  status: number;
}

export interface ApiMetrics {
  count(request: AnsweredRequest, seconds: number): void;
  /** In Prometheus' text format. */
  text(): Promise<string>;
  contentType: string;
}

/** A figure that is read from the database, so that every process reports the same. */
interface StoredFigure {
  name: string;
  help: string;
  labelNames: string[];
  read(): Promise<{ labels: Record<string, string>; value: number }[]>;
}

/** While the database is unreachable only this figure has no series: the others are needed most during an outage. */
function registerStored(registry: Registry, log: Logger, { name, help, labelNames, read }: StoredFigure): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const inTime = AbortSignal.timeout(deadlines.database.figuresMs);
      const series = await untilAborted(read(), inTime).catch((error: unknown) => {
        // `clutchcast_database_up` reports an outage once for all figures.
        if (!inTime.aborted && !outageOf(error)) log.error({ err: error, figure: name }, "figure not read");
        return null;
      });
      if (labelNames.length > 0) this.reset();
      else if (!series) this.remove();
      for (const { labels, value } of series ?? []) this.set(labels, value);
    },
  });
}

const byStatus = (counts: readonly { status: string; count: number }[]) =>
  counts.map(({ status, count }) => ({ labels: { status }, value: count }));

/** Figures for monitoring: requests, the queue, clips and matches by status, and the process itself. */
export function createMetrics(services: Services): ApiMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "clutchcast_http_requests_total",
    help: "Requests answered by the API.",
    labelNames: ["method", "route", "status"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "clutchcast_http_request_seconds",
    help: "Time from a request's arrival to the head of its answer.",
    labelNames: ["method", "route"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const stored = (figure: StoredFigure) => registerStored(registry, services.log, figure);
  stored({
    name: "clutchcast_jobs",
    help: "Jobs in the queue.",
    labelNames: ["queue", "state"],
    async read() {
      return Object.entries(await services.jobs.depth()).flatMap(([queue, { waiting, running }]) => [
        { labels: { queue, state: "waiting" }, value: waiting },
        { labels: { queue, state: "running" }, value: running },
      ]);
    },
  });
  stored({
    name: "clutchcast_clips",
    help: "Clips by render status.",
    labelNames: ["status"],
    read: async () => byStatus(await statusCounts(services.database, "clips")),
  });
  stored({
    name: "clutchcast_matches",
    help: "Matches by import status.",
    labelNames: ["status"],
    read: async () => byStatus(await statusCounts(services.database, "matches")),
  });
  stored({
    name: "clutchcast_automatic_players",
    help: "Players who have clips made by themselves; `late`: those whose history was due for a look an hour ago.",
    labelNames: ["state"],
    async read() {
      const late = new Date(services.now().getTime() - 3_600_000);
      const { on, behind } = await services.database
        .selectFrom("automation")
        .select((row) => [
          row.fn.countAll<number>().as("on"),
          row.fn.countAll<number>().filterWhere("next_look_at", "<", late).as("behind"),
        ])
        .where("is_on", "=", true)
        .executeTakeFirstOrThrow();
      return [
        { labels: { state: "on" }, value: Number(on) },
        { labels: { state: "late" }, value: Number(behind) },
      ];
    },
  });
  stored({
    name: "clutchcast_webhook_messages_waiting",
    help: "Messages to players' webhooks that are due, or wait for their next try.",
    labelNames: [],
    async read() {
      const { waiting } = await services.database
        .selectFrom("webhook_deliveries")
        .select((row) => row.fn.countAll<number>().as("waiting"))
        .where("state", "=", "waiting")
        .executeTakeFirstOrThrow();
      return [{ labels: {}, value: Number(waiting) }];
    },
  });
  new Gauge({
    name: "clutchcast_database_up",
    help: "1 while this process gets answers from the database; what is counted in it is not told while it gets none.",
    registers: [registry],
    async collect() {
      try {
        await untilAborted(sql`SELECT 1`.execute(services.database), AbortSignal.timeout(deadlines.database.figuresMs));
        this.set(1);
      } catch (error) {
        services.log.warn({ err: error }, "figures without the database");
        this.set(0);
      }
    },
  });
  new Gauge({
    name: "clutchcast_disk_free_bytes",
    help: "What may still be written to the fullest disk of the data directory.",
    registers: [registry],
    collect() {
      this.set(services.diskSpace.freeBytes());
    },
  });
  new Gauge({
    name: "clutchcast_disk_short",
    help: "1 while uploads, imports and renders wait for disk space.",
    registers: [registry],
    collect() {
      this.set(services.diskSpace.isShort() ? 1 : 0);
    },
  });
  new Gauge({
    name: "clutchcast_last_backup_timestamp_seconds",
    help: "When the newest daily backup was finished, in seconds since 1970; 0: none. Without BACKUP_DIR there is no such figure.",
    registers: [registry],
    async collect() {
      if (services.config.BACKUP_DIR === undefined) this.remove();
      else this.set(((await newestBackup(services.config.BACKUP_DIR))?.getTime() ?? 0) / 1000);
    },
  });
  return {
    count({ method, route, status }, seconds) {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
