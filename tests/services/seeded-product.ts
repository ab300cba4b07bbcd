import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import type { ServerBuild } from "@remix-run/node";
import { sql } from "kysely";
import { createApi } from "../../backend/api/create-api.ts";
import { readConfig } from "../../backend/config.ts";
import { openServices } from "../../backend/open-services.ts";
import type { Services } from "../../backend/services.ts";
import { startWorkers } from "../../backend/start-workers.ts";
import { createWeb, type RequestHandler } from "../../backend/web/create-web.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { MatchDetail, ProcessingState } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "./api-visitor.ts";
import { type DemoHost, startDemoHost } from "./demo-host.ts";
import { SecondWeb } from "./many-machines/second-web.ts";
import { isOfManyMachines, machineFolder, moveToMany } from "./many-machines/shared-parts.ts";
import { freePort } from "./product.ts";
import { shortestHighlights } from "./shortest-highlights.ts";

const root = new URL("../../", import.meta.url).pathname;
const seeds = `${root}test-results/seeded/`;

export interface SeededProduct {
  url: string;
  demos: DemoHost;
  /** Importer of the match and maker of the clip from which all other rows are copied. */
  maker: { steamId: string; userId: number; visitor: ApiVisitor };
  matchId: string;
  clipId: number;
  demoSha256: string;
  /** For rows that no call can create. Replaced at every start. */
  readonly services: Services;
  readonly build: ServerBuild;
  /**
   * Stands between pages and API like a proxy: sees every call of this kind, and answers it when `answer` returns a response. For answers
   * that a sound API never gives, and for checking what pages send.
   * @returns ends it
   */
  interceptApi(method: string, path: RegExp, answer: InterceptedAnswer): () => void;
  /** Ends all of them, so that those of a failed test do not affect its next try. */
  endInterceptions(): void;
  /** Serves the same server code around another Remix build, on a separate port. @returns its address */
  serveBeside(build: ServerBuild): Promise<string>;
  /** Stops server and database; the port refuses connections. */
  stop(): Promise<void>;
  /** Starts them again with the same port and data. */
  start(): Promise<void>;
  /** Keeps the current data for `restore`. */
  keep(): Promise<void>;
  /**
   * Restarts server and database with the data from `keep`, with ages as they were then. Ends what tests put before or beside the server.
   */
  restore(): Promise<void>;
  close(): Promise<void>;
}

type InterceptedAnswer = (request: Request) => Response | undefined | Promise<Response | undefined>;

interface SeedOptions {
  /** File below tests/fixtures/demos. */
  demo?: string;
  maker?: { steamId: string; name: string };
  environment?: Record<string, string>;
  /** Also has the workers make the pictures of the match, without which there are no previews. */
  withPictures?: boolean;
}

/**
 * The built product in this process, with one match and one clip from its own pipeline, including a real import and render. With
 * DEPLOYMENT=many it has a second web beside it, and runs on a database server and a store. No worker runs: jobs wait, and the test decides
 * what happens next.
 */
export async function startSeededProduct(
  {
    demo = "highlights-reel.dem.gz",
    maker: { steamId, name } = { steamId: "76561199999900009", name: "sable." },
    environment = {},
    withPictures = false,
  }: SeedOptions = {},
  isMaking = false,
): Promise<SeededProduct> {
  const isOfMany = isOfManyMachines && !isMaking;
  // The data to be moved is made on one machine.
  if (isOfMany && !existsSync(keptSeed(demo, steamId))) {
    await (await startSeededProduct({ demo, maker: { steamId, name } }, true)).close();
  }
  const demos = await startDemoHost();
  const dataDirectory = mkdtempSync(join(tmpdir(), "clutchcast-seeded-"));
  const asKept = `${dataDirectory}-kept`;
  let keptAt = 0;
  const kept = keptSeed(demo, steamId);
  const isKept = existsSync(kept);
  if (isKept) cpSync(kept, dataDirectory, { recursive: true });
  const moved = isOfMany ? await moveToMany(dataDirectory) : null;
  let restoreMoved: (() => Promise<void>) | undefined;
  const port = await freePort();
  const variables = {
    PORT: String(port),
    DATA_DIR: moved ? machineFolder(dataDirectory, "web-1") : dataDirectory,
    HISTORY_PROVIDER: "none",
    LOG_LEVEL: "error",
    IMPORT_ALLOW_HOSTS: demos.host,
    REQUESTS_PER_MINUTE: "1000000",
    ...(moved ? { ROLE: "web", ...moved.environment } : {}),
    ...environment,
  };
  const config = readConfig(variables);
  const secondWeb = moved ? new SecondWeb(variables, machineFolder(dataDirectory, "web-2")) : null;
  const build = (await import(/* @vite-ignore */ `${root}build/server/index.js`)) as ServerBuild;
  const beside: Server[] = [];
  const intercepts = new Set<{ method: string; path: RegExp; answer: InterceptedAnswer }>();
  let opened: { services: Services; close(): Promise<void> };
  let server: Server;

  /** The API behind the interceptions of tests. */
  function interceptedApi(): RequestHandler {
    const api = createApi(opened.services);
    return {
      async fetch(request, environment) {
        const { pathname } = new URL(request.url);
        for (const { method, path, answer } of intercepts) {
          if (method !== request.method || !path.test(pathname)) continue;
          const given = await answer(request.clone());
          if (given) return given;
        }
        return api.fetch(request, environment as never);
      },
    };
  }

  async function listen(served: ServerBuild, at: number): Promise<Server> {
    const web = createWeb({
      services: opened.services,
      api: interceptedApi(),
      loadBuild: async () => served,
      mode: "production",
      assetsFolder: `${root}build/client`,
    });
    const listener = getRequestListener(web.fetch);
    // Interceptions are only in this process.
    const isHere = () => served !== build || intercepts.size > 0;
    const listening = createServer(secondWeb ? secondWeb.beside(listener, isHere) : listener);
    await new Promise<void>((resolve) => listening.listen(at, "127.0.0.1", resolve));
    return listening;
  }
  async function start() {
    opened = await openServices(config);
    await secondWeb?.start();
    server = await listen(build, port);
  }
  async function stop() {
    await shut(server);
    await secondWeb?.stop();
    await opened.close();
  }

  await start();
  const url = `http://localhost:${port}`;
  const visitor = new ApiVisitor(url);
  await visitor.signIn(steamId, name);
  if (!isKept) {
    await startWorkers(opened!.services);
    await importAndRender(visitor, demos.url(demo));
    if (withPictures) await picturesOf(opened!.services);
    // Restarts without the workers, which cannot be stopped separately.
    await stop();
    keepSeed(dataDirectory, kept);
    await start();
  }
  const { rows } = await sql<{ sha256: string; userId: number; matchId: string; clipId: number }>`
    SELECT c.demo_sha256 AS sha256, c.user_id AS "userId", c.match_id AS "matchId", c.id AS "clipId"
    FROM clips c`.execute(opened!.services.database);
  const made = rows[0]!;

  return {
    url,
    demos,
    maker: { steamId, userId: Number(made.userId), visitor },
    matchId: made.matchId,
    clipId: Number(made.clipId),
    demoSha256: made.sha256,
    get services() {
      return opened.services;
    },
    build,
    async serveBeside(other) {
      const listening = await listen(other, 0);
      beside.push(listening);
      return `http://localhost:${(listening.address() as AddressInfo).port}`;
    },
    interceptApi(method, path, answer) {
      const intercept = { method, path, answer };
      intercepts.add(intercept);
      return () => intercepts.delete(intercept);
    },
    endInterceptions: () => intercepts.clear(),
    stop,
    start,
    async keep() {
      await stop();
      cpSync(dataDirectory, asKept, { recursive: true });
      restoreMoved = await moved?.keep();
      keptAt = Date.now();
      await start();
    },
    async restore() {
      intercepts.clear();
      await Promise.all(beside.splice(0).map(shut));
      await stop();
      rmSync(dataDirectory, { recursive: true, force: true });
      cpSync(asKept, dataDirectory, { recursive: true });
      await restoreMoved?.();
      await start();
      await makeYounger(opened.services.database, Date.now() - keptAt);
    },
    async close() {
      await Promise.all(beside.map(shut));
      await stop();
      await demos.close();
      for (const folder of [dataDirectory, asKept]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Moves every time in the tables: pages poll more often for recent matches. */
async function makeYounger(database: Services["database"], milliseconds: number): Promise<void> {
  const { rows: tables } = await sql<{ name: string; columns: string[] }>`
    SELECT c.table_name AS name, array_agg(c.column_name::text) AS columns
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.data_type = 'timestamp with time zone'
    GROUP BY c.table_name`.execute(database);
  for (const { name, columns } of tables) {
    const later = columns.map((column) => {
      const time = sql.ref(column);
      return sql`${time} = ${time} + ${milliseconds / 1000} * interval '1 second'`;
    });
    await sql`UPDATE ${sql.table(name)} SET ${sql.join(later)}`.execute(database);
  }
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Path of a freshly seeded product's data folder, kept for the next test file; one per build. */
function keptSeed(demo: string, steamId: string): string {
  const build = readFileSync(`${root}build/.source-hash`, "utf8").slice(0, 16);
  return `${seeds}${build}-${demo}-${steamId}`;
}

function keepSeed(dataDirectory: string, kept: string): void {
  const build = basename(kept).slice(0, 16);
  for (const name of existsSync(seeds) ? readdirSync(seeds) : []) {
    if (!name.startsWith(build)) rmSync(seeds + name, { recursive: true, force: true });
  }
  const unfinished = `${kept}.${process.pid}`;
  cpSync(dataDirectory, unfinished, { recursive: true });
  try {
    renameSync(unfinished, kept);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(kept)) throw error;
    rmSync(unfinished, { recursive: true });
  }
}

/** Waits for the pictures, which come last, after every clip. */
async function picturesOf({ database }: Services): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const without = await database.selectFrom("demos").select("sha256").where("pictures_key", "is", null).execute();
    if (without.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("The pictures of the match were not made.");
}

async function importAndRender(player: ApiVisitor, demoUrl: string): Promise<void> {
  const match = await player.call<MatchDetail>("POST", "/api/matches/upload-demo/", { demo_url: demoUrl });
  const state = await player.poll<ProcessingState>(`/api/matches/${match.match_id}/status/`, ({ status }) =>
    ["completed", "failed"].includes(status),
  );
  const detail = await player.call<MatchDetail>("GET", `/api/matches/${state.match_id}/?include_players=true`);
  const clip = await player.call<Clip>("POST", `/api/matches/${detail.match_id}/clips/create/`, {
    name: "",
    highlight_ids: shortestHighlights(detail.highlights, 1),
    render_settings: {},
  });
  const rendered = await player.poll<Clip>(`/api/matches/clips/${clip.id}/status/`, ({ render_status: status }) =>
    ["completed", "failed"].includes(status),
  );
  if (rendered.render_status === "failed") throw new Error(`The clip was not rendered: ${rendered.render_error}`);
  await player.poll<Clip>(`/api/matches/clips/${clip.id}/status/`, ({ loop_url }) => loop_url != null);
}
