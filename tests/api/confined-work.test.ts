import { readlinkSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorkers } from "../../backend/start-workers.ts";
import type { Clip, Match, MatchDetail, ProcessingState } from "../../contract/api.ts";
import { canSeeProcesses, processesOf } from "../faults/processes.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type DemoHost, startDemoHost } from "../services/demo-host.ts";
import { type RunningApi, startApi } from "./start-server.ts";

let demos: DemoHost;
let server: RunningApi;
let isConfined: boolean;

beforeAll(async () => {
  demos = await startDemoHost();
  server = await startApi({ IMPORT_ALLOW_HOSTS: demos.host });
  await startWorkers(server.services);
  ({ isConfined } = await server.services.containment.means());
});
afterAll(async () => {
  await server.close();
  await demos.close();
});

/** Network namespaces of a kind of this process's children, looked at until `isOver`. */
async function networksOf(kind: "parser" | "renderer", isOver: () => boolean): Promise<Set<string>> {
  const networks = new Set<string>();
  while (!isOver()) {
    for (const { pid } of processesOf(process.pid, kind)) {
      try {
        networks.add(readlinkSync(`/proc/${pid}/ns/net`));
      } catch {
        // It has ended.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return networks;
}

test.runIf(canSeeProcesses)(
  "What imports and renders start has no network, where the machine allows that",
  async ({ skip }) => {
    if (!isConfined) skip("no namespaces on this machine");
    const own = readlinkSync("/proc/self/ns/net");
    const player = new ApiVisitor(server.url);
    await player.signIn("76561199999971000", "confined");
    const { id } = await player.call<Match>("POST", "/api/matches/upload-demo/", {
      demo_url: demos.url("highlights-reel.dem.gz"),
    });
    const whileWaiting = async <State>(kind: "parser" | "renderer", waiting: Promise<State>) => {
      let isOver = false;
      const looking = networksOf(kind, () => isOver);
      const state = await waiting.finally(() => {
        isOver = true;
      });
      return { state, networks: await looking };
    };
    const imported = await whileWaiting(
      "parser",
      player.poll<ProcessingState>(`/api/matches/${id}/status/`, (state) => !state.is_processing, { seconds: 100 }),
    );
    expect(imported.state).toMatchObject({ status: "completed" });
    const { highlights } = await player.call<MatchDetail>("GET", `/api/matches/${id}/`);
    const clip = await player.call<Clip>("POST", `/api/matches/${id}/clips/create/`, {
      name: "",
      highlight_ids: highlights.slice(0, 1).map((highlight) => highlight.id),
      render_settings: { pre_time_adjustment: 0, post_time_adjustment: -1.5 },
    });
    const rendered = await whileWaiting(
      "renderer",
      player.poll<Clip>(
        `/api/matches/clips/${clip.id}/status/`,
        ({ render_status: status }) => status === "completed" || status === "failed",
        { seconds: 200 },
      ),
    );
    expect(rendered.state).toMatchObject({ render_status: "completed" });
    for (const networks of [imported.networks, rendered.networks]) {
      expect(networks.size).toBeGreaterThan(0);
      expect(networks).not.toContain(own);
    }
  },
);
