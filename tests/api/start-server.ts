import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import type { Hono } from "hono";
import { createApi } from "../../backend/api/create-api.ts";
import type { ApiEnvironment } from "../../backend/api/request-context.ts";
import { readConfig } from "../../backend/config.ts";
import { openServices } from "../../backend/open-services.ts";
import type { Services } from "../../backend/services.ts";

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
 * Starts the real API with its own data folder and database on a free port; no workers run. Nothing is asked of the
 * internet unless `environment` says so.
 */
export async function startApi(environment: Record<string, string> = {}): Promise<RunningApi> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "clutchcast-api-"));
  const config = readConfig({
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    HISTORY_PROVIDER: "none",
    DATA_DIR: dataDirectory,
    ...environment,
  });
  const opened = await openServices(config);
  let aheadMs = 0;
  const services = { ...opened.services, now: () => new Date(Date.now() + aheadMs) };
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
      await opened.close();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
