import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorkers } from "../../backend/start-workers.ts";
import { limits } from "../../contract/limits.ts";
import type { Clip, ClipState } from "../../contract/schemas/clips.ts";
import type { ClipPreview } from "../../contract/schemas/create-clip.ts";
import type { Highlight } from "../../contract/schemas/highlights.ts";
import type { Match, MatchDetail, ProcessingState } from "../../contract/schemas/matches.ts";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import { decodeReplayTrack } from "../../replay/decode-track.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type DemoHost, startDemoHost } from "../services/demo-host.ts";
import { mp4Boxes, probeVideo } from "../services/video.ts";
import { type RunningApi, startApi } from "./start-server.ts";

let demos: DemoHost;
let server: RunningApi;
let player: ApiVisitor;
let matchId: string;
let highlights: Highlight[];

beforeAll(async () => {
  demos = await startDemoHost();
  server = await startApi({ IMPORT_ALLOW_HOSTS: demos.host });
  await startWorkers(server.services);
  player = new ApiVisitor(server.url);
  await player.signIn("76561199999950000", "director");
  const match = await player.call<Match>("POST", "/api/matches/upload-demo/", {
    demo_url: demos.url("highlights-reel.dem.gz"),
  });
  matchId = match.id;
  await player.poll<ProcessingState>(`/api/matches/${matchId}/status/`, (state) => state.is_completed);
  highlights = (await player.call<MatchDetail>("GET", `/api/matches/${matchId}/`)).highlights;
});
afterAll(async () => {
  await server.close();
  await demos.close();
});

function create(type: string, settings: object = {}): Promise<Clip> {
  const highlight = highlights.find((candidate) => candidate.highlight_type === type);
  return player.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, {
    name: "",
    highlight_ids: [highlight?.id],
    render_settings: settings,
  });
}

const short = { pre_time_adjustment: 0, post_time_adjustment: -1.5 };

async function keysOf(clipId: number): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of server.services.blobs.list(`clips/${clipId}/`)) keys.push(key);
  return keys;
}

test("A clip is rendered, and then anybody can watch it", async () => {
  const clip = await create("knife_kill", short);
  const seen: string[] = [];
  const done = await player.poll<Clip>(`/api/matches/clips/${clip.id}/status/`, (state) => {
    if (seen.at(-1) !== state.render_status) seen.push(state.render_status);
    expect(state.video_url === null).toBe(state.render_status !== "completed");
    return state.render_status === "completed" || state.render_status === "failed";
  });
  expect(done).toMatchObject({ render_status: "completed", render_error: null, progress: 1, queue_position: null });
  const response = await new ApiVisitor(server.url).request("GET", done.video_url ?? "");
  const folder = mkdtempSync(join(tmpdir(), "render-test-"));
  const path = join(folder, "clip.mp4");
  writeFileSync(path, Buffer.from(await response.arrayBuffer()));
  const video = probeVideo(path);
  expect(video).toMatchObject({ codec: "h264", pixelFormat: "yuv420p", width: 1280, height: 720, framesPerSecond: 60 });
  expect(Math.abs(video.frames - (done.duration_seconds ?? 0) * 60)).toBeLessThanOrEqual(1);
  const boxes = mp4Boxes(path);
  expect(boxes.indexOf("moov")).toBeLessThan(boxes.indexOf("mdat"));
  const poster = await new ApiVisitor(server.url).request("GET", done.poster_url ?? "");
  expect(Buffer.from(await poster.arrayBuffer()).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));

  // Its loop follows.
  const looping = await player.poll<ClipState>(
    `/api/matches/clips/${clip.id}/status/`,
    ({ loop_url }) => loop_url != null,
  );
  const loop = await new ApiVisitor(server.url).request("GET", looping.loop_url ?? "");
  const loopPath = join(folder, "loop.mp4");
  writeFileSync(loopPath, Buffer.from(await loop.arrayBuffer()));
  expect(probeVideo(loopPath)).toMatchObject({ width: 640, height: 360, frames: 90, audioCodec: null });
  expect(await keysOf(clip.id)).toHaveLength(4);
  rmSync(folder, { recursive: true });
  // So short a clip is small enough for chat apps as it is.
  const share = await new ApiVisitor(server.url).request("HEAD", looping.share_url ?? "");
  expect(Number(share.headers.get("content-length"))).toBeLessThanOrEqual(limits.shareFileBytes);
});

test("What a clip will show can be drawn before it is created, from its spec and the match's track", async () => {
  const body = { highlight_ids: highlights.slice(0, 2).map(({ id }) => id) };
  const preview = await player.call<ClipPreview>("POST", `/api/matches/${matchId}/clips/preview/`, body);
  const response = await player.request("GET", preview.track_url);
  expect(response.headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
  const track = decodeReplayTrack(new Uint8Array(await response.arrayBuffer()));
  const spec = preview.spec as unknown as ClipSpec;
  for (const { startTick, endTick } of spec.segments) {
    expect(track.windows.some((window) => window.startTick <= startTick && window.endTick >= endTick)).toBe(true);
  }
  expect(preview.duration_seconds).toBeGreaterThan(4);
  const stranger = new ApiVisitor(server.url);
  expect((await stranger.request("GET", preview.track_url)).status).toBe(401);
  await stranger.signIn("76561199999950009", "stranger");
  expect((await stranger.request("GET", preview.track_url)).status).toBe(404);
  expect((await stranger.request("POST", `/api/matches/${matchId}/clips/preview/`, body)).status).toBe(404);
});

test("A clip that is deleted while it is rendered stops the render and leaves no file", async () => {
  const clip = await create("clutch_1v5");
  await player.poll<Clip>(`/api/matches/clips/${clip.id}/status/`, (state) => state.progress > 0);
  expect((await player.request("DELETE", `/api/matches/clips/${clip.id}/delete/`)).status).toBe(204);
  expect(await server.services.jobs.isOpen("render", { clipId: clip.id })).toBe(false);
  const next = await create("taser_kill", short);
  await player.poll<Clip>(`/api/matches/clips/${next.id}/status/`, (state) => state.render_status === "completed");
  expect(await keysOf(clip.id)).toEqual([]);
});

test("A render under which the disk becomes full is stopped: it waits when others fill it, and is tried again when it does alone", async () => {
  const { services } = server;
  const { diskSpace } = services;
  for (const filledBy of ["others", "itself"] as const) {
    let isFull = false;
    // Looked at afresh once the render's own files are gone.
    const isShort = (afresh?: boolean) => isFull && !(afresh && filledBy === "itself");
    services.diskSpace = { freeBytes: () => (isFull ? 0 : 1e12), reserveBytes: () => 0, isShort, isFull: () => isFull };
    try {
      const clip = await create("clutch_1v5");
      const path = `/api/matches/clips/${clip.id}/status/`;
      await player.poll<Clip>(path, (state) => state.render_status === "processing");
      isFull = true;
      const stopped = await player.poll<Clip>(path, (state) => state.render_status !== "processing");
      if (filledBy === "others") {
        expect(stopped).toMatchObject({
          render_status: "queued",
          render_error: "Waiting for free disk space on this server.",
        });
      } else expect(stopped).toMatchObject({ render_status: "queued", render_error: null });
      expect((await player.request("DELETE", `/api/matches/clips/${clip.id}/delete/`)).status).toBe(204);
    } finally {
      services.diskSpace = diskSpace;
    }
  }
});

test("A clip whose replay data is gone fails with a sentence and gives its place in the queue back", async () => {
  const { database, blobs } = server.services;
  const { track_key: trackKey } = await database.selectFrom("demos").select("track_key").executeTakeFirstOrThrow();
  await blobs.delete(trackKey ?? "");
  const clip = await create("knife_kill", short);
  const failed = await player.poll<Clip>(
    `/api/matches/clips/${clip.id}/status/`,
    (state) => state.render_status === "failed",
  );
  expect(failed).toMatchObject({ render_error: expect.stringMatching(/replay data .* deleted/), video_url: null });
  const row = await database.selectFrom("clips").select("queue_slot").where("id", "=", clip.id).executeTakeFirst();
  expect(row?.queue_slot).toBeNull();
});

test("The encoder that the operator chose is the one that renders", async () => {
  const { config } = server.services;
  const { FFMPEG_PATH: before } = config;
  config.FFMPEG_PATH = "/nowhere/ffmpeg";
  try {
    const clip = await create("taser_kill", short);
    const done = await player.poll<Clip>(`/api/matches/clips/${clip.id}/status/`, (state) =>
      ["completed", "failed"].includes(state.render_status),
    );
    expect(done.render_status).toBe("failed");
    expect(done.render_error).toMatch(/\.$/);
  } finally {
    config.FFMPEG_PATH = before;
  }
});
