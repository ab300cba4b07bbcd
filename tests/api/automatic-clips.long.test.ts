import type { ChildProcess } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { forkSource } from "../../backend/storage/testing/fork-source.ts";
import type { Automation } from "../../contract/schemas/automation.ts";
import type { ClipsOverview } from "../../contract/schemas/clip-lists.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { Match, MatchList } from "../../contract/schemas/matches.ts";
import type { WebhookList } from "../../contract/schemas/webhooks.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type DemoHost, startDemoHost } from "../services/demo-host.ts";
import { type HistoryAnswer, type HistoryProviderServer, startHistoryProvider } from "../services/leetify-server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../services/webhook-receiver.ts";
import { type RunningApi, startApi } from "./start-server.ts";

/** Plays in the demo, and has its highlights. */
const steamId = "76561199999900009";

let demos: DemoHost;
let history: HistoryProviderServer;
let receiver: WebhookReceiver;
let server: RunningApi;
let worker: ChildProcess | undefined;
const answers: Record<string, HistoryAnswer> = {};
let environment: Record<string, string>;

beforeAll(async () => {
  demos = await startDemoHost({ bytesPerSecond: 200_000 });
  history = await startHistoryProvider(answers);
  receiver = await startWebhookReceiver();
  environment = {
    HISTORY_PROVIDER: "leetify",
    LEETIFY_API_URL: history.url,
    IMPORT_ALLOW_HOSTS: demos.host,
    WEBHOOK_ALLOW_HOSTS: receiver.host,
  };
  server = await startApi(environment, "postgres");
});
afterAll(async () => {
  worker?.kill("SIGKILL");
  await server.close();
  await Promise.all([demos.close(), history.close(), receiver.close()]);
});

/** The same database and store, a process of its own. */
async function startWorker(): Promise<ChildProcess> {
  const { DATABASE_URL, DATA_DIR } = server.services.config;
  const child = forkSource(new URL("./worker-process.ts", import.meta.url), [], {
    ...{ NODE_ENV: "test", LOG_LEVEL: "silent", ROLE: "worker" },
    ...environment,
    ...{ DATABASE_URL, DATA_DIR },
  });
  await once(child, "message");
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

const untilTakenUp = { seconds: 400 };

test("A match that appears becomes a finished clip and a message, without a press, though the worker is killed twice", async () => {
  const player = new ApiVisitor(server.url);
  await player.signIn(steamId, "sable.");
  await player.call("POST", "/api/webhooks/discord/", { url: `${receiver.url}/api/webhooks/1/token` });
  const { secret } = await player.call<{ secret: string }>("POST", "/api/webhooks/", {
    url: `${receiver.url}/hook`,
    events: ["match.imported", "clip.ready", "clip.failed"],
  });
  await player.call<Automation>("POST", "/api/automation/", { choice: "best", players: "me", clips_per_day: 1 });
  answers[steamId] = [
    {
      id: "appeared",
      map: "de_dust2",
      demoUrl: demos.url("highlights-reel.dem.gz"),
      finishedAt: new Date(Date.now() + 1000).toISOString(),
      score: [13, 9],
    },
  ];
  worker = await startWorker();
  const list = await player.poll<MatchList>("/api/matches/", ({ results }) =>
    results.some(({ match_type, processing }: Match) => match_type === "imported" && processing.progress > 0),
  );
  await kill(worker);
  expect(list.results).toHaveLength(1);
  worker = await startWorker();
  const clipOf = ({ results }: ClipsOverview) => results[0]?.clips[0];
  const isDrawn = (page: ClipsOverview) => (clipOf(page)?.progress ?? 0) > 0;
  await player.poll<ClipsOverview>("/api/matches/clips/", isDrawn, untilTakenUp);
  expect(receiver.received.map(({ path, body }) => [path, JSON.parse(body).type])).toEqual([
    ["/hook", "match.imported"],
  ]);
  await kill(worker);
  worker = await startWorker();
  const done = await player.poll<ClipsOverview>(
    "/api/matches/clips/",
    (page) => clipOf(page)?.render_status === "completed",
    untilTakenUp,
  );
  expect(done.results.flatMap(({ clips }) => clips)).toHaveLength(1);
  const clip = clipOf(done) as Clip;
  expect(clip).toMatchObject({ made_for_you: true, is_owner: true });
  expect(await new ApiVisitor(server.url).call<Clip>("GET", `/api/matches/clips/${clip.id}/`)).not.toHaveProperty(
    "made_for_you",
  );

  await player.poll<WebhookList>(
    "/api/webhooks/",
    ({ deliveries }) => deliveries.filter(({ state }) => state === "sent").length === 3,
  );
  const scripts = receiver.received.filter(({ path }) => path === "/hook");
  expect(scripts.map(({ body }) => JSON.parse(body).type)).toEqual(["match.imported", "clip.ready"]);
  for (const { headers, body } of scripts) {
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  }
  const told = JSON.parse(scripts.at(-1)!.body).data.clip;
  expect(told).toMatchObject({ id: clip.id, status: "completed", made_for_you: true });
  const video = await fetch(server.url + new URL(told.video_url).pathname);
  expect(video.status).toBe(200);
  await video.body?.cancel();
  const discord = receiver.received.filter(({ path }) => path.startsWith("/api/webhooks/"));
  expect(discord).toHaveLength(1);
  expect(JSON.parse(discord[0]!.body)).toMatchObject({
    allowed_mentions: { parse: [] },
    embeds: [{ description: expect.stringMatching(new RegExp(`/clips/${clip.id}$`)) }],
  });

  expect(await player.call<Automation>("GET", "/api/automation/")).toMatchObject({
    is_on: true,
    clips_today: 1,
    matches_under_way: 0,
  });
  expect((await player.request("POST", `/api/matches/clips/${clip.id}/keep/`)).status).toBe(204);
  expect(await player.call<Clip>("GET", `/api/matches/clips/${clip.id}/`)).not.toHaveProperty("made_for_you");
});
