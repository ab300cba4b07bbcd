import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { forkSource } from "../../backend/storage/testing/fork-source.ts";
import type { Automation } from "../../contract/schemas/automation.ts";
import type { ClipsOverview } from "../../contract/schemas/clip-lists.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { WebhookList } from "../../contract/schemas/webhooks.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type DemoHost, startDemoHost } from "../services/demo-host.ts";
import { type FaceitServer, startFaceit } from "../services/faceit-server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../services/webhook-receiver.ts";
import { type RunningApi, startApi } from "./start-server.ts";

/** Plays in the demo, and has its highlights. */
const steamId = "76561199999900009";
const untilTakenUp = { seconds: 250 };

vi.setConfig({ testTimeout: 600_000 });

let demos: DemoHost;
let faceit: FaceitServer;
let receiver: WebhookReceiver;
let server: RunningApi;
let worker: ChildProcess | undefined;

beforeAll(async () => {
  [demos, faceit, receiver] = await Promise.all([startDemoHost(), startFaceit(), startWebhookReceiver()]);
  const environment = {
    ...{ HISTORY_PROVIDER: "faceit", FACEIT_API_URL: faceit.url, FACEIT_API_KEY: faceit.key },
    IMPORT_ALLOW_HOSTS: demos.host,
    WEBHOOK_ALLOW_HOSTS: receiver.host,
  };
  server = await startApi(environment, "postgres");
  const { DATABASE_URL, DATA_DIR } = server.services.config;
  worker = forkSource(new URL("./worker-process.ts", import.meta.url), [], {
    ...{ NODE_ENV: "test", LOG_LEVEL: "silent", ROLE: "worker" },
    ...{ ...environment, DATABASE_URL, DATA_DIR },
  });
  await once(worker, "message");
});
afterAll(async () => {
  worker?.kill("SIGKILL");
  await server.close();
  await Promise.all([demos.close(), faceit.close(), receiver.close()]);
});

test("A new FACEIT match becomes an unlisted clip and messages with its link, and an added format is told of, too", async () => {
  const player = new ApiVisitor(server.url);
  await player.signIn(steamId, "sable.");
  await player.call("POST", "/api/webhooks/discord/", { url: `${receiver.url}/api/webhooks/1/token` });
  await player.call("POST", "/api/webhooks/", {
    url: `${receiver.url}/hook`,
    events: ["clip.ready", "clip.format_ready"],
  });
  faceit.matches[steamId] = [
    {
      ...{ id: "1-appeared", finishedAt: new Date(Date.now() + 60_000), maps: ["de_dust2"], scores: [[13, 9]] },
      demoUrls: [demos.url("highlights-reel.dem.gz")],
    },
  ];
  await player.call<Automation>("POST", "/api/automation/", {
    ...{ choice: "best", players: "me", clips_per_day: 1, visibility: "unlisted" },
  });
  const clipsOf = ({ results }: ClipsOverview) => results.flatMap(({ clips }) => clips);
  const done = await player.poll<ClipsOverview>(
    "/api/matches/clips/",
    (page) => clipsOf(page)[0]?.render_status === "completed",
    untilTakenUp,
  );
  const [clip, ...others] = clipsOf(done) as [Clip, ...Clip[]];
  expect(others).toEqual([]);
  expect(clip).toMatchObject({ made_for_you: true, visibility: "unlisted" });
  expect(faceit.asked.map(({ call }) => call)).toEqual(["players", "history", "match", "download"]);
  expect(demos.requests).toEqual([expect.stringMatching(/^\/highlights-reel\.dem\.gz\?.*signature=1$/)]);

  const stranger = new ApiVisitor(server.url);
  expect((await stranger.request("GET", `/api/matches/clips/${clip.id}/`)).status).toBe(404);
  expect((await stranger.request("GET", `/api/matches/clips/${clip.public_id}/`)).status).toBe(200);
  await player.call("POST", `/api/matches/clips/${clip.public_id}/formats/`, { format: "vertical" });
  await player.poll<WebhookList>(
    "/api/webhooks/",
    ({ deliveries }) => deliveries.filter(({ state }) => state === "sent").length === 3,
    untilTakenUp,
  );
  const toldAt = (path: string) =>
    receiver.received.filter((message) => message.path === path).map(({ body }) => JSON.parse(body));
  const [ready, added, ...more] = toldAt("/hook");
  expect(more).toEqual([]);
  expect([ready.type, added.type]).toEqual(["clip.ready", "clip.format_ready"]);
  expect(ready.data.clip).toMatchObject({ id: clip.id, visibility: "unlisted" });
  expect(new URL(ready.data.clip.url).pathname).toBe(`/clips/${clip.public_id}`);
  expect(added.data.format).toMatchObject({ name: "vertical", width: 1080, height: 1920 });
  // Both are the files themselves, for whoever has the message.
  for (const address of [ready.data.clip.video_url, added.data.format.video_url]) {
    const { pathname, search } = new URL(address);
    const video = await fetch(server.url + pathname + search);
    expect([video.status, video.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    await video.body?.cancel();
    const bare = await fetch(server.url + pathname.replace(clip.public_id, String(clip.id)) + search);
    expect(bare.status).toBe(404);
  }
  const discord = toldAt("/api/webhooks/1/token");
  expect(discord).toHaveLength(1);
  expect(discord[0].embeds[0].description).toContain(`/clips/${clip.public_id}`);
});
