import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Services } from "../services.ts";
import { statusCounts } from "../storage/counts.ts";
import { newestBackup } from "../storage/newest-backup.ts";

export interface AnsweredRequest {
  method: string;
  /** Pattern, not path: a label with ids in it would be a series for each of them. */
  route: string;
  status: number;
}

export interface ApiMetrics {
  count(request: AnsweredRequest, seconds: number): void;
  /** In Prometheus' text format. */
  text(): Promise<string>;
  contentType: string;
}

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
  new Gauge({
    name: "clutchcast_jobs",
    help: "Jobs in the queue.",
    labelNames: ["queue", "state"],
    registers: [registry],
    async collect() {
      for (const [queue, depth] of Object.entries(await services.jobs.depth())) {
        this.set({ queue, state: "waiting" }, depth.waiting);
        this.set({ queue, state: "running" }, depth.running);
      }
    },
  });
  new Gauge({
    name: "clutchcast_clips",
    help: "Clips by render status.",
    labelNames: ["status"],
    registers: [registry],
    async collect() {
      this.reset();
      for (const row of await statusCounts(services.database, "clips")) this.set({ status: row.status }, row.count);
    },
  });
  new Gauge({
    name: "clutchcast_matches",
    help: "Matches by import status.",
    labelNames: ["status"],
    registers: [registry],
    async collect() {
      this.reset();
      for (const row of await statusCounts(services.database, "matches")) this.set({ status: row.status }, row.count);
    },
  });
  new Gauge({
    name: "clutchcast_automatic_players",
    help: "Players who have clips made by themselves; `late`: those whose history was due for a look an hour ago.",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      const late = new Date(services.now().getTime() - 3_600_000);
      const { on, behind } = await services.database
        .selectFrom("automation")
        .select((row) => [
          row.fn.countAll<number>().as("on"),
          row.fn.countAll<number>().filterWhere("next_look_at", "<", late).as("behind"),
        ])
        .where("is_on", "=", true)
        .executeTakeFirstOrThrow();
      this.set({ state: "on" }, Number(on));
      this.set({ state: "late" }, Number(behind));
    },
  });
  new Gauge({
    name: "clutchcast_webhook_messages_waiting",
    help: "Messages to players' webhooks that are due, or wait for their next try.",
    registers: [registry],
    async collect() {
      const { waiting } = await services.database
        .selectFrom("webhook_deliveries")
        .select((row) => row.fn.countAll<number>().as("waiting"))
        .where("state", "=", "waiting")
        .executeTakeFirstOrThrow();
      this.set(Number(waiting));
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
