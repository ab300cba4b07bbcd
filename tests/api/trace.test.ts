import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { logOptions } from "../../backend/open-log.ts";
import { programOf } from "../../backend/storage/testing/fork-source.ts";
import { createWeb } from "../../backend/web/create-web.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { Match, MatchDetail, ProcessingState } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type DemoHost, startDemoHost } from "../services/demo-host.ts";
import { shortestHighlights } from "../services/shortest-highlights.ts";
import { type RunningApi, startApi } from "./start-server.ts";

interface Line {
  msg: string;
  trace_id?: string;
  span_id?: string;
  name?: string;
  path?: string;
  payload?: Record<string, unknown>;
}

let demos: DemoHost;
let server: RunningApi;
let worker: ChildProcess;
const webLines: Line[] = [];
const workerLines: Line[] = [];

beforeAll(async () => {
  demos = await startDemoHost();
  server = await startApi({ IMPORT_ALLOW_HOSTS: demos.host, REQUESTS_PER_MINUTE: "100000" }, "postgres");
  server.services.log = pino(
    { level: "info", ...logOptions },
    { write: (line: string) => webLines.push(JSON.parse(line)) },
  );
  const { DATABASE_URL, DATA_DIR } = server.services.config;
  worker = spawn(process.execPath, programOf(new URL("./worker-process.ts", import.meta.url)), {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    env: {
      ...process.env,
      NODE_ENV: "test",
      LOG_LEVEL: "info",
      ROLE: "worker",
      HISTORY_PROVIDER: "none",
      IMPORT_ALLOW_HOSTS: demos.host,
      DATABASE_URL,
      DATA_DIR,
    },
  });
  createInterface({ input: worker.stdout! }).on("line", (line) => workerLines.push(JSON.parse(line)));
  await once(worker, "message");
});
afterAll(async () => {
  const ended = once(worker, "exit");
  worker.kill("SIGKILL");
  await ended;
  await server.close();
  await demos.close();
});

/** Traces that processes of this machine were started for. */
function tracesOfProcesses(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, traceId] = /(?:^|\0)TRACEPARENT=00-(\w{32})-/.exec(readFileSync(`/proc/${pid}/environ`, "utf8")) ?? [];
        return traceId ?? [];
      } catch {
        // It has ended.
        return [];
      }
    });
}

const traceOf = { import: "4bf92f3577b34da6a3ce929d0e0e4736", render: "5cf92f3577b34da6a3ce929d0e0e4737" };
const header = (traceId: string) => ({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
const jobLines = (name: string) => workerLines.filter((line) => line.name === name && line.msg.startsWith("job "));

test("An import and a render are under the trace of their request in all lines of the log, of web and worker, and in their children", async () => {
  const player = new ApiVisitor(server.url);
  await player.signIn("76561199999970001", "traced");
  const before = webLines.length;
  const body = { demo_url: demos.url("highlights-reel.dem.gz") };
  const asked = await player.request("POST", "/api/matches/upload-demo/", body, header(traceOf.import));
  const { id } = (await asked.json()) as Match;
  const children = new Set<string>();
  await player.poll<ProcessingState>(
    `/api/matches/${id}/status/`,
    (state) => {
      for (const traceId of tracesOfProcesses()) children.add(traceId);
      return !state.is_processing;
    },
    { everyMs: 50 },
  );
  const request = webLines.slice(before).filter(({ path }) => path === "/api/matches/upload-demo/");
  expect(request.map(({ msg, trace_id }) => [msg, trace_id])).toEqual([["request", traceOf.import]]);
  expect(request[0]?.span_id).not.toBe("00f067aa0ba902b7");
  await expect
    .poll(() => jobLines("import").map(({ msg }) => msg), { timeout: 20_000 })
    .toEqual(["job begins", "job done"]);
  // What the import itself sent.
  await expect.poll(() => jobLines("relief").length, { timeout: 20_000 }).toBeGreaterThan(0);
  const ofImport = workerLines.filter(({ name }) => name === "import" || name === "relief");
  expect(new Set(ofImport.map(({ trace_id }) => trace_id))).toEqual(new Set([traceOf.import]));
  expect(ofImport.find(({ name }) => name === "import")?.payload).toEqual({ matchId: id });
  expect(children).toContain(traceOf.import);

  const { highlights } = await player.call<MatchDetail>("GET", `/api/matches/${id}/`);
  const settings = { name: "", highlight_ids: shortestHighlights(highlights, 1) };
  const create = await player.request("POST", `/api/matches/${id}/clips/create/`, settings, header(traceOf.render));
  expect(create.status).toBe(201);
  const clip = (await create.json()) as Clip;
  await expect.poll(() => tracesOfProcesses().includes(traceOf.render), { timeout: 60_000, interval: 50 }).toBe(true);
  const [began] = jobLines("render");
  expect(began).toMatchObject({ msg: "job begins", trace_id: traceOf.render, payload: { clipId: clip.id } });
  await player.call("DELETE", `/api/matches/clips/${clip.id}/delete/`);
  // Requests of somebody else have traces of their own.
  const others = webLines.filter(({ msg, path }) => msg === "request" && path?.endsWith("/status/"));
  expect(new Set(others.map(({ trace_id }) => trace_id)).size).toBe(others.length);
});

test("A request belongs to the trace that its caller names, else to one of its own", async () => {
  const { services, api } = server;
  const seen: (string | undefined)[] = [];
  const log = pino(
    { level: "debug", ...logOptions },
    { write: (line: string) => seen.push(JSON.parse(line).trace_id) },
  );
  services.log = log;
  const web = createWeb({
    services,
    api,
    loadBuild: () => Promise.reject(new Error("No page is asked for.")),
    mode: "production",
    assetsFolder: null,
  });
  const bindings = { incoming: { socket: { remoteAddress: "127.0.0.1" } } };
  const ask = (traceparent: string) =>
    web.fetch(new Request(`${server.url}/api/site/`, { headers: { traceparent } }), bindings);
  expect((await ask(header(traceOf.import).traceparent)).status).toBe(200);
  expect((await ask("not-a-traceparent")).status).toBe(200);
  expect(seen[0]).toBe(traceOf.import);
  expect(seen[1]).toMatch(/^[0-9a-f]{32}$/);
});
