/**
 * Boots Clutchcast: configuration, services, HTTP API, pages and workers in one process.
 * With ROLE=web or ROLE=worker only its part runs; what they share is the database and the blob store.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { getRequestListener } from "@hono/node-server";
import type { ServerBuild } from "@remix-run/node";
import { createApi } from "./backend/api/create-api.ts";
import { checkConfiguration, describeCheck } from "./backend/check-configuration.ts";
import { ConfigError, readConfig } from "./backend/config.ts";
import { connectionLimits, silentConnectionMs } from "./backend/http/connection-limits.ts";
import { errorWithCauses } from "./backend/logged-error.ts";
import { openServices } from "./backend/open-services.ts";
import type { Services } from "./backend/services.ts";
import { StartProblem } from "./backend/start-problem.ts";
import { startWorkers } from "./backend/start-workers.ts";
import { DiskFullError, isDiskFull } from "./backend/storage/disk-full.ts";
import { restrictToOwner } from "./backend/storage/owner-only.ts";
import { giveSigns } from "./backend/supervision/process-signs.ts";
import { createWeb } from "./backend/web/create-web.ts";

const stopWithinMs = 15_000;

async function boot(): Promise<void> {
  const config = readConfig(process.env);
  if (process.argv.includes("--check")) {
    const parts = await checkConfiguration(config);
    process.stdout.write(`${describeCheck(parts)}\n`);
    process.exit(parts.every(({ isFine }) => isFine) ? 0 : 1);
  }
  const rightsProblem = await restrictToOwner(config.DATA_DIR);
  const { services, close } = await openServices(config);
  if (rightsProblem)
    services.log.warn({ err: rightsProblem }, "stored files could not be closed to other users of this machine");
  try {
    await serve(services, close);
  } catch (error) {
    // Jobs that were already taken go back: the failed start is not their fault.
    const closing = close().catch((problem) => services.log.warn({ err: problem }, "not closed in order"));
    await Promise.race([closing, sleep(stopWithinMs)]);
    throw error;
  }
}

/** @param close ends the services, when the server stops */
async function serve(services: Services, close: () => Promise<void>): Promise<void> {
  const { config, log } = services;
  const api = createApi(services);

  const server = createServer(connectionLimits);
  const isDevelopment = config.NODE_ENV === "development";
  // Vite's socket to a developer's page is silent until a file changes.
  if (!isDevelopment) server.setTimeout(silentConnectionMs);
  let loadBuild: () => Promise<ServerBuild>;
  let closeVite = async () => {};
  let throughVite: ((request: IncomingMessage, response: ServerResponse, next: () => void) => void) | null = null;
  if (isDevelopment) {
    const { createServer: createVite } = await import("vite");
    const vite = await createVite({ server: { middlewareMode: true, hmr: { server } }, appType: "custom" });
    loadBuild = async () => (await vite.ssrLoadModule("virtual:remix/server-build")) as unknown as ServerBuild;
    throughVite = vite.middlewares;
    closeVite = () => vite.close();
  } else {
    const built = (await import(new URL("./server/index.js", import.meta.url).href)) as ServerBuild;
    loadBuild = async () => built;
  }
  const web = createWeb({
    services,
    api,
    loadBuild,
    mode: config.NODE_ENV,
    assetsFolder: isDevelopment ? null : fileURLToPath(new URL("./client", import.meta.url)),
  });
  const listener = getRequestListener(web.fetch);
  let isStarted = false;
  server.on("request", (request, response) => {
    if (!isStarted && request.url === "/readyz") {
      response.writeHead(503, { "Retry-After": "1", "Content-Type": "text/plain" }).end("starting\n");
      return;
    }
    if (throughVite) throughVite(request, response, () => void listener(request, response));
    else void listener(request, response);
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.PORT, config.host, resolve);
  });
  // Only now: a start that fails because the port is taken, again and again, would use up the tries of jobs.
  if (config.ROLE !== "web") await startWorkers(services);
  const signs = await giveSigns(services);
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : config.PORT;
  process.stdout.write(
    `Clutchcast runs at ${config.PUBLIC_URL ?? `http://localhost:${port}`}${
      config.localIdentity ? " (local use: sign-in through the built-in identity provider)" : ""
    }\n`,
  );

  isStarted = true;

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, "stopping");
    const overdue = setTimeout(() => process.exit(1), stopWithinMs);
    overdue.unref();
    server.close();
    server.closeIdleConnections();
    await closeVite();
    await signs.end();
    await close();
    server.closeAllConnections();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));
}

/** Why the configured address cannot be listened on, and what to do; null for other errors. */
function listenProblem(error: unknown): string | null {
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (syscall !== "listen" && syscall !== "getaddrinfo") return null;
  if (code === "EADDRINUSE") return "The port is taken by another program. Choose one with PORT=3001 npm start.";
  if (code === "EACCES" || code === "EPERM")
    return `Port ${port} may not be used without more rights. Choose one with PORT=3001 npm start.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EINVAL")
    return `This machine has no address ${address ?? "of that name"} (HOST). Leave it out, or name one of this machine.`;
  return null;
}

boot().catch((error: unknown) => {
  if (error instanceof ConfigError || error instanceof DiskFullError || error instanceof StartProblem) {
    process.stderr.write(`${error.message}\n`);
  } else if (isDiskFull(error)) {
    process.stderr.write(`The disk is full (${(error as Error).message}). Make room, then start again.\n`);
  } else if (listenProblem(error)) {
    process.stderr.write(`${listenProblem(error)}\n`);
  } else process.stderr.write(`Clutchcast could not start: ${errorWithCauses(error)}\n`);
  process.exit(1);
});
