import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorkers } from "../../backend/start-workers.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { Match, MatchDetail, ProcessingState } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type DemoHost, startDemoHost } from "../services/demo-host.ts";
import { startPostgres, type TestPostgres } from "../services/postgres.ts";
import { startS3, type TestS3 } from "../services/s3.ts";
import { type RunningApi, startApi } from "./start-server.ts";

/* A real PostgreSQL and an S3 store, stopped and started under work. */

let postgres: TestPostgres;
let store: TestS3;
let demos: DemoHost;
let server: RunningApi;
let player: ApiVisitor;
let matchId: string;
let highlightId: number;
let finished: Clip;
beforeAll(async () => {
  [postgres, store, demos] = await Promise.all([startPostgres(), startS3(), startDemoHost()]);
  server = await startApi(
    {
      IMPORT_ALLOW_HOSTS: demos.host,
      S3_ENDPOINT: store.endpoint,
      S3_BUCKET: store.bucket,
      S3_ACCESS_KEY_ID: store.accessKeyId,
      S3_SECRET_ACCESS_KEY: store.secretAccessKey,
      S3_REGION: store.region,
    },
    postgres,
  );
  await startWorkers(server.services);
  player = new ApiVisitor(server.url);
  await player.signIn("76561199999950700", "patient");
  matchId = (await importMatch("before")).id;
  await player.poll<ProcessingState>(`/api/matches/${matchId}/status/`, (state) => state.is_completed);
  const { highlights } = await player.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  highlightId = highlights.find(({ highlight_type }) => highlight_type === "knife_kill")?.id ?? 0;
  finished = await createClip();
  finished = await player.poll<Clip>(statusOf(finished), ({ render_status }) => render_status === "completed");
});
afterAll(async () => {
  await server.close();
  await Promise.all([postgres.stop(), store.stop(), demos.close()]);
});

const importMatch = (name: string) =>
  player.call<Match>("POST", "/api/matches/upload-demo/", {
    demo_url: `${demos.url("highlights-reel.dem.gz")}?outage=${name}`,
  });

const createClip = () =>
  player.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, {
    highlight_ids: [highlightId],
    render_settings: { pre_time_adjustment: 0, post_time_adjustment: -1.5 },
  });

const statusOf = (clip: Clip) => `/api/matches/clips/${clip.id}/status/`;

/** Every job that waits for its time is due now, as hours later. */
const letTimePass = () =>
  sql`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry' AND start_after > now()`.execute(
    server.services.database,
  );

test("While the store is away imports and renders wait and say so, however often they are tried, and go on when it is back", async () => {
  await store.halt();
  try {
    const match = await importMatch("store");
    const clip = await createClip();
    const importPath = `/api/matches/${match.id}/status/`;
    const downloads = demos.requests.length;
    // More often than a job has tries.
    for (let times = 0; times < 6; times++) {
      const waiting = await player.poll<ProcessingState>(importPath, ({ status_display }) =>
        status_display.includes("waiting"),
      );
      expect(waiting).toMatchObject({
        status: "queued",
        status_display: "Queued, waiting for this server's file store",
      });
      const rested = await player.poll<Clip>(statusOf(clip), ({ render_error }) => render_error !== null);
      expect(rested).toMatchObject({
        render_status: "queued",
        render_error: "Waiting for this server's file store, which is out of reach at the moment.",
      });
      await letTimePass();
      await server.services.database.updateTable("clips").set({ error: null }).where("id", "=", clip.id).execute();
      await server.services.database.updateTable("matches").set({ operation: "" }).where("id", "=", match.id).execute();
    }
    expect(demos.requests.length).toBe(downloads);
    const { rows } = await sql<{ tries: number }>`
      SELECT max(retry_count) AS tries FROM pgboss.job WHERE state < 'completed' AND name IN ('import', 'render')
    `.execute(server.services.database);
    expect(rows[0]?.tries).toBe(0);

    const video = await new ApiVisitor(server.url).request("GET", finished.video_url ?? "");
    expect(video.status).toBe(503);
    expect(video.headers.get("retry-after")).toBe("10");
    expect(await video.json()).toMatchObject({ error: "unavailable" });

    await store.resume();
    await letTimePass();
    await player.poll<ProcessingState>(importPath, ({ is_completed }) => is_completed);
    const done = await player.poll<Clip>(statusOf(clip), ({ render_status }) => render_status === "completed");
    expect(done.render_error).toBeNull();
  } finally {
    await store.resume().catch(() => {});
  }
  expect((await new ApiVisitor(server.url).request("GET", finished.video_url ?? "")).status).toBe(302);
});

test("While the database is away the API answers 503 with a time to come back, and a render that was under way is completed", async () => {
  const clip = await createClip();
  await player.poll<Clip>(statusOf(clip), ({ render_status }) => render_status === "processing");
  await postgres.halt();
  try {
    for (const path of [
      "/api/top-highlights/?map=de_nuke",
      "/api/matches/clips/",
      `/api/matches/clips/${finished.id}/`,
    ]) {
      const answer = await player.request("GET", path);
      expect([path, answer.status, answer.headers.get("retry-after")]).toEqual([path, 503, "10"]);
      expect(await answer.json()).toMatchObject({ error: "unavailable", detail: expect.stringMatching(/database/) });
    }
    // Longer than a render of this length takes.
    await new Promise((resolve) => setTimeout(resolve, 12_000));
  } finally {
    await postgres.resume();
  }
  const done = await player.poll<Clip>(
    statusOf(clip),
    ({ render_status }) => !["queued", "processing"].includes(render_status),
  );
  expect(done).toMatchObject({ render_status: "completed", render_error: null });
  expect((await player.request("GET", "/api/top-highlights/?map=de_nuke")).status).toBe(200);
});
