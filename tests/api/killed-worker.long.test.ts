import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { forkSource } from "../../backend/storage/testing/fork-source.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { Match, MatchDetail, ProcessingState } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type DemoHost, startDemoHost } from "../services/demo-host.ts";
import { shortestHighlights } from "../services/shortest-highlights.ts";
import { type RunningApi, startApi } from "./start-server.ts";

let demos: DemoHost;
let server: RunningApi;
let worker: ChildProcess | undefined;

beforeAll(async () => {
  demos = await startDemoHost({ bytesPerSecond: 200_000 });
  server = await startApi({ IMPORT_ALLOW_HOSTS: demos.host }, "postgres");
});
afterAll(async () => {
  worker?.kill("SIGKILL");
  await server.close();
  await demos.close();
});

/** Another machine's worker: the same database and store, a process of its own. */
async function startWorker(): Promise<ChildProcess> {
  const { DATABASE_URL, DATA_DIR } = server.services.config;
  const child = forkSource(new URL("./worker-process.ts", import.meta.url), [], {
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    ROLE: "worker",
    HISTORY_PROVIDER: "none",
    IMPORT_ALLOW_HOSTS: demos.host,
    DATABASE_URL,
    DATA_DIR,
  });
  await once(child, "message");
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** The job of a killed worker is taken up when its heartbeat stayed away; on a busy machine it then has its own time to take. */
const untilTakenUp = { seconds: 400 };

test("An import and a render whose worker is killed are finished by the next", async () => {
  const player = new ApiVisitor(server.url);
  await player.signIn("76561199999960000", "survivor");

  worker = await startWorker();
  const { id } = await player.call<Match>("POST", "/api/matches/upload-demo/", {
    demo_url: demos.url("highlights-reel.dem.gz"),
  });
  await player.poll<ProcessingState>(`/api/matches/${id}/status/`, (state) => state.progress > 0);
  await kill(worker);
  worker = await startWorker();
  const imported = await player.poll<ProcessingState>(
    `/api/matches/${id}/status/`,
    (state) => !state.is_processing,
    untilTakenUp,
  );
  expect(imported).toMatchObject({ status: "completed" });

  const { highlights } = await player.call<MatchDetail>("GET", `/api/matches/${id}/`);
  const clip = await player.call<Clip>("POST", `/api/matches/${id}/clips/create/`, {
    name: "",
    highlight_ids: shortestHighlights(highlights, 1),
  });
  const rendering = await player.poll<Clip>(`/api/matches/clips/${clip.id}/status/`, (state) => state.progress > 0);
  expect(rendering.render_status).toBe("processing");
  await kill(worker);
  worker = await startWorker();
  const rendered = await player.poll<Clip>(
    `/api/matches/clips/${clip.id}/status/`,
    (state) => state.render_status === "completed" || state.render_status === "failed",
    untilTakenUp,
  );
  expect(rendered).toMatchObject({ render_status: "completed" });
  expect((await player.request("GET", rendered.video_url ?? "")).status).toBe(200);
  const keys: string[] = [];
  for await (const key of server.services.blobs.list(`clips/${clip.id}/`)) keys.push(key);
  const kinds = keys.map((key) => key.split("/").at(-1)?.replace(/-.*/, "")).sort();
  // The loop follows when it is made.
  expect(kinds.filter((kind) => kind !== "loop")).toEqual(["poster", "thumbnail", "video"]);
}, 900_000);
