import { readlinkSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorkers } from "../../backend/start-workers.ts";
import type { Clip, Match, MatchDetail, ProcessingState } from "../../contract/api.ts";
import { canSeeProcesses, descendantsOf } from "../faults/processes.ts";
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

/** Which of the product's processes below this one are seen in which network namespaces, until `isOver`; as "name: namespace". */
async function networksOfChildren(isOver: () => boolean): Promise<Set<string>> {
  const seen = new Set<string>();
  while (!isOver()) {
    for (const { pid, command } of descendantsOf(process.pid)) {
      const [program = "", ...words] = command;
      const name = words.map((word) => /([a-z]+)-process\.[jt]s$/.exec(word)?.[1]).find(Boolean);
      // What confines a process names it, too; the process itself is the one that runs node.
      if (!name || !/(^|\/)node[^/]*$/.test(program)) continue;
      try {
        seen.add(`${name}: ${readlinkSync(`/proc/${pid}/ns/net`)}`);
      } catch {
        // It has ended.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return seen;
}

test.runIf(canSeeProcesses)(
  "What imports and renders start has no network, where the machine allows that",
  async ({ skip }) => {
    if (!isConfined) skip("no namespaces on this machine");
    const own = readlinkSync("/proc/self/ns/net");
    const player = new ApiVisitor(server.url);
    await player.signIn("76561199999971000", "confined");
    let isOver = false;
    const looking = networksOfChildren(() => isOver);
    const { id } = await player.call<Match>("POST", "/api/matches/upload-demo/", {
      demo_url: demos.url("highlights-reel.dem.gz"),
    });
    const imported = await player.poll<ProcessingState>(`/api/matches/${id}/status/`, (state) => !state.is_processing, {
      seconds: 100,
    });
    expect(imported).toMatchObject({ status: "completed" });
    const { highlights } = await player.call<MatchDetail>("GET", `/api/matches/${id}/`);
    const clip = await player.call<Clip>("POST", `/api/matches/${id}/clips/create/`, {
      name: "",
      highlight_ids: highlights.slice(0, 1).map((highlight) => highlight.id),
      render_settings: { pre_time_adjustment: 0, post_time_adjustment: -1.5 },
    });
    const rendered = await player.poll<Clip>(
      `/api/matches/clips/${clip.id}/status/`,
      ({ render_status: status }) => status === "completed" || status === "failed",
      { seconds: 200 },
    );
    expect(rendered).toMatchObject({ render_status: "completed" });
    // Made when the clip is there.
    const loopOf = () =>
      server.services.database.selectFrom("clips").select("loop_key").where("id", "=", clip.id).executeTakeFirst();
    await expect.poll(loopOf, { timeout: 100_000 }).toMatchObject({ loop_key: expect.any(String) });
    isOver = true;
    const networks = [...(await looking)];
    const names = networks.map((seen) => seen.split(":")[0]);
    expect(names).toEqual(expect.arrayContaining(["parse", "render", "loop"]));
    expect(networks.filter((seen) => seen.endsWith(own))).toEqual([]);
  },
);
