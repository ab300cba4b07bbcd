import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import type { Hono } from "hono";
import { createApi } from "../../backend/api/create-api.ts";
import type { ApiEnvironment } from "../../backend/api/request-context.ts";
import type { JobName } from "../../backend/jobs/job-queue.ts";
import type { Services } from "../../backend/services.ts";
import { freshServices } from "../../backend/storage/testing/fresh-services.ts";

export interface RunningApi {
  /** http://localhost:PORT, without a slash at the end. */
  url: string;
  services: Services;
  /** For calls in process, as the page server makes them. */
  api: Hono<ApiEnvironment>;
  /** Moves the server's clock forward. */
  passTime(ms: number): void;
  close(): Promise<void>;
}

/**
 * Starts the real API on a free port with its own services and database; no workers run. It does not use the
 * internet unless `environment` says so.
 */
export async function startApi(
  environment: Record<string, string> = {},
  kind: Parameters<typeof freshServices>[0] = "embedded",
): Promise<RunningApi> {
  const fresh = await freshServices(kind, { HISTORY_PROVIDER: "none", ...environment });
  let aheadMs = 0;
  const services: Services = { ...fresh.services, now: () => new Date(Date.now() + aheadMs) };
  const api = createApi(services);
  const server = serve({ fetch: api.fetch, port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    services,
    api,
    passTime(ms) {
      aheadMs += ms;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      if ("closeAllConnections" in server) server.closeAllConnections();
      await closed;
      await fresh.remove();
    },
  };
}

/**
 * Services for workers that leave some kinds of jobs in the queue: those that have nothing to do with the test.
 */
export function leavingOut(services: Services, kinds: readonly JobName[]): Services {
  const { jobs } = services;
  const fewer = new Proxy(jobs, {
    get(_, member: keyof typeof jobs) {
      if (member === "work")
        return (...given: Parameters<typeof jobs.work>) =>
          kinds.includes(given[0]) ? Promise.resolve() : jobs.work(...given);
      const value: unknown = jobs[member];
      return typeof value === "function" ? value.bind(jobs) : value;
    },
  });
  return new Proxy(services, { get: (all, name: keyof Services) => (name === "jobs" ? fewer : all[name]) });
}
