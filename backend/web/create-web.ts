import { serveStatic } from "@hono/node-server/serve-static";
import type { ServerBuild } from "@remix-run/node";
import { createRequestHandler } from "@remix-run/node";
import { Hono } from "hono";
import { compress } from "hono/compress";
import type { Services } from "../services.ts";

/** The API as pages and server see it: something that answers requests. */
export interface RequestHandler {
  fetch(request: Request, environment?: unknown): Response | Promise<Response>;
}

export interface WebOptions {
  services: Services;
  api: RequestHandler;
  loadBuild(): Promise<ServerBuild>;
  mode: string;
  /** build/client; null in development, where Vite serves. */
  assetsFolder: string | null;
}

/** Paths the API answers; everything else is a file or a page. */
const apiPaths = ["/api/*", "/video/*", "/local-steam/*", "/healthz", "/readyz", "/metrics"];

const year = 365 * 24 * 3600;

/** One HTTP surface for everything: API, files, pages. */
export function createWeb({ services, api, loadBuild, mode, assetsFolder }: WebOptions): RequestHandler {
  const web = new Hono();
  for (const path of apiPaths) web.all(path, (c) => api.fetch(c.req.raw, c.env));

  if (services.config.ROLE === "worker") return web;

  if (assetsFolder) {
    web.use(
      "/assets/*",
      serveStatic({
        root: assetsFolder,
        precompressed: true,
        onFound: (_path, c) => c.header("Cache-Control", `public, max-age=${year}, immutable`),
      }),
    );
    // A page from before a deployment asks for a hashed file that is gone: 404, never a page in place of a script.
    web.all("/assets/*", (c) => c.notFound());
    web.use(
      "*",
      serveStatic({
        root: assetsFolder,
        precompressed: true,
        onFound: (_path, c) => c.header("Cache-Control", "public, max-age=86400"),
      }),
    );
  }

  // In-process: a loader's call to the API needs no socket. Cookies ride along in the request that the page's client makes.
  const apiFetch = async (request: Request) => api.fetch(request);
  web.use("*", compress({ threshold: 1024 }));
  let handler: Promise<ReturnType<typeof createRequestHandler>> | null = null;
  const makeHandler = async () => createRequestHandler(await loadBuild(), mode);
  web.all("*", async (c) => {
    // In development every request asks Vite for the newest modules.
    if (!handler || mode === "development") handler = makeHandler();
    const handle = await handler;
    const bindings = c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined;
    return handle(c.req.raw, { apiFetch, clientAddress: bindings?.incoming?.socket?.remoteAddress });
  });
  return web;
}
