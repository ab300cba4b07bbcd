import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { ServerBuild } from "@remix-run/node";
import { createApi } from "../../backend/api/create-api.ts";
import type { Services } from "../../backend/services.ts";
import { freshServices } from "../../backend/storage/testing/fresh-services.ts";
import { createWeb } from "../../backend/web/create-web.ts";

export interface RunningWeb {
  /** http://localhost:PORT, without a slash at the end. */
  url: string;
  port: number;
  services: Services;
  /** Moves the server's clock forward. */
  passTime(ms: number): void;
  close(): Promise<void>;
}

/**
 * Starts the real HTTP surface, API and pages, on a free port, with its own services and database; no workers run.
 * @param loadBuild loads the pages; tests of requests that are refused before reaching them need no build
 */
export async function startWeb(
  environment: Record<string, string>,
  loadBuild: () => Promise<ServerBuild>,
): Promise<RunningWeb> {
  const fresh = await freshServices("embedded", { HISTORY_PROVIDER: "none", ...environment });
  let aheadMs = 0;
  const services: Services = { ...fresh.services, now: () => new Date(Date.now() + aheadMs) };
  const web = createWeb({ services, api: createApi(services), loadBuild, mode: "production", assetsFolder: null });
  const server = createServer(getRequestListener(web.fetch));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    port,
    services,
    passTime(ms) {
      aheadMs += ms;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await fresh.remove();
    },
  };
}
