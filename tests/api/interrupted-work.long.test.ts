import { readdirSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorkers } from "../../backend/start-workers.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { Match, MatchDetail, ProcessingState } from "../../contract/schemas/matches.ts";
import { canSeeProcesses, processesOf } from "../faults/processes.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type DemoHost, startDemoHost } from "../services/demo-host.ts";
import { shortestHighlights } from "../services/shortest-highlights.ts";
import { leavingOut, type RunningApi, startApi } from "./start-server.ts";

let demos: DemoHost;
let server: RunningApi;
let player: ApiVisitor;

beforeAll(async () => {
  demos = await startDemoHost();
  server = await startApi({ IMPORT_ALLOW_HOSTS: demos.host, REQUESTS_PER_MINUTE: "100000" });
  await startWorkers(leavingOut(server.services, ["pictures", "loop", "share"]));
  player = new ApiVisitor(server.url);
  await player.signIn("76561199999970000", "interrupted");
});
afterAll(async () => {
  await server.close();
  await demos.close();
});

/**
 * Whether a parser has begun with its demo, or a renderer with its clip: one that is killed before is nobody's fault, and its job
 * is tried again for that reason. A parser unpacks into a folder of its own, a renderer tells how far it is.
 */
const hasBegun = {
  async parser(): Promise<boolean> {
    const names = readdirSync(server.services.scratchDirectory, { recursive: true, encoding: "utf8" });
    return names.some((name) => /\/parse-[^/]+\/./.test(name));
  },
  async renderer(): Promise<boolean> {
    const { database } = server.services;
    const clips = database
      .selectFrom("clips")
      .select("id")
      .where("status", "=", "processing")
      .where("progress", ">", 0);
    return (await clips.executeTakeFirst()) !== undefined;
  },
};

/**
 * Kills every parser, or renderer, of this process that has begun, `most` of them in all, and lets no job wait long before
 * its next try, until `isOver`.
 * @returns how many were killed
 */
async function killEach(kind: "parser" | "renderer", most: number, isOver: () => Promise<boolean>): Promise<number> {
  const killed = new Set<number>();
  while (!(await isOver())) {
    for (const { pid } of processesOf(process.pid, kind)) {
      if (killed.has(pid) || killed.size >= most || !(await hasBegun[kind]())) continue;
      process.kill(pid, "SIGKILL");
      killed.add(pid);
    }
    await sql`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`.execute(server.services.database);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return killed.size;
}

const paste = (fileName: string) =>
  player.call<Match>("POST", "/api/matches/upload-demo/", { demo_url: demos.url(fileName) });

const stateOf = (id: string) => player.call<ProcessingState>("GET", `/api/matches/${id}/status/`);

const isImported = async (id: string) => !(await stateOf(id)).is_processing;

test.runIf(canSeeProcesses)("A parser that is killed, twice, is started again and the import completes", async () => {
  const { id } = await paste("highlights-reel.dem.gz");
  expect(await killEach("parser", 2, () => isImported(id))).toBe(2);
  expect(await stateOf(id)).toMatchObject({ status: "completed", error: null });
});

test.runIf(canSeeProcesses)("A parser that is killed in every try ends the import with a true sentence", async () => {
  const { id } = await paste("overtime-reconnect.dem.gz");
  expect(await killEach("parser", 100, () => isImported(id))).toBe(5);
  expect(await stateOf(id)).toMatchObject({
    status: "failed",
    error: "The import was interrupted again and again, so we gave up. You can try it again.",
  });
  await player.call("POST", `/api/matches/${id}/retry/`);
  expect(
    await player.poll<ProcessingState>(`/api/matches/${id}/status/`, (state) => !state.is_processing, { seconds: 100 }),
  ).toMatchObject({ status: "completed" });
});

test.runIf(canSeeProcesses)("A renderer that is killed, twice, is started again and the clip completes", async () => {
  const list = await player.call<{ results: Match[] }>("GET", "/api/matches/");
  const match = await player.call<MatchDetail>("GET", `/api/matches/${list.results[0]?.match_id}/`);
  const clip = await player.call<Clip>("POST", `/api/matches/${match.match_id}/clips/create/`, {
    name: "",
    highlight_ids: shortestHighlights(match.highlights, 1),
    render_settings: { pre_time_adjustment: 0, post_time_adjustment: -1.5 },
  });
  const clipState = () => player.call<Clip>("GET", `/api/matches/clips/${clip.id}/status/`);
  const isOver = async () => ["completed", "failed"].includes((await clipState()).render_status);
  expect(await killEach("renderer", 2, isOver)).toBe(2);
  expect(await clipState()).toMatchObject({ render_status: "completed", render_error: null });
});
