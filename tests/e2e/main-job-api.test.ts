import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClipDetail, MatchDetail, ProcessingState } from "../../contract/api.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type DemoHost, startDemoHost } from "../services/demo-host.ts";
import { type Product, startProduct } from "../services/product.ts";
import { shortestHighlights } from "../services/shortest-highlights.ts";
import { mp4Boxes, probeVideo } from "../services/video.ts";

let demos: DemoHost;
let product: Product;

beforeAll(async () => {
  demos = await startDemoHost();
  product = await startProduct({ IMPORT_ALLOW_HOSTS: demos.host });
});
afterAll(async () => {
  expect(await product?.stop()).toBe(0);
  await demos?.close();
});

async function importDemo(visitor: ApiVisitor, demoUrl: string): Promise<ProcessingState> {
  const match = await visitor.call<MatchDetail>("POST", "/api/matches/upload-demo/", { demo_url: demoUrl });
  return visitor.poll<ProcessingState>(`/api/matches/${match.match_id}/status/`, (state) =>
    ["completed", "failed"].includes(state.status),
  );
}

test("A script turns a real match into a video over HTTP alone", async () => {
  const player = new ApiVisitor(product.url);
  await player.signIn("76561199999900000", "outsider <b>one</b>");
  expect(await player.call("GET", "/api/auth/status/")).toMatchObject({
    authenticated: true,
    user: { steam_id: "76561199999900000", steam_name: "outsider <b>one</b>" },
  });

  const state = await importDemo(player, demos.url("match-de_mirage.dem.bz2"));
  expect(state).toMatchObject({ status: "completed", is_completed: true });
  const match = await player.call<MatchDetail>("GET", `/api/matches/${state.match_id}/?include_players=true`);
  expect(match).toMatchObject({ map_name: "de_mirage", map_display_name: "Mirage" });
  expect(match.players_by_team?.team1.players).toHaveLength(5);
  expect(match.highlights.length).toBeGreaterThan(20);

  const created = await player.call<ClipDetail>("POST", `/api/matches/${match.match_id}/clips/create/`, {
    name: "Best of Mirage",
    highlight_ids: shortestHighlights(match.highlights, 2),
    render_settings: { xray: true, hud: true, radar: true, killfeed: true, highlight_info: true, watermark: false },
  });
  expect(["queued", "processing"]).toContain(created.render_status);
  const clip = await player.poll<ClipDetail>(`/api/matches/clips/${created.id}/status/`, (answer) =>
    ["completed", "failed"].includes(answer.render_status),
  );
  expect(clip).toMatchObject({ render_status: "completed", render_error: null });

  const anyone = new ApiVisitor(product.url);
  const response = await anyone.request("GET", `/video/clips/${clip.id}/`);
  expect(response.headers.get("content-type")).toBe("video/mp4");
  const path = join(mkdtempSync(join(tmpdir(), "clip-")), "clip.mp4");
  writeFileSync(path, Buffer.from(await response.arrayBuffer()));
  const video = probeVideo(path);
  expect(video).toMatchObject({ codec: "h264", profile: "High", pixelFormat: "yuv420p", width: 1280, height: 720 });
  expect(video).toMatchObject({ framesPerSecond: 60, audioCodec: "aac" });
  expect(Math.abs(video.frames - (clip.duration_seconds ?? 0) * 60)).toBeLessThanOrEqual(1);
  const boxes = mp4Boxes(path);
  expect(boxes.indexOf("moov")).toBeLessThan(boxes.indexOf("mdat"));

  const part = await anyone.request("GET", `/video/clips/${clip.id}/`, undefined, { Range: "bytes=0-99" });
  expect(part.status).toBe(206);
  expect((await part.arrayBuffer()).byteLength).toBe(100);
  const page = await (await anyone.request("GET", `/clips/${clip.id}`)).text();
  expect(page).toContain('property="og:video"');
});

test.each([
  ["nothing-here.dem", /not found|no file|404/i],
  ["html.dem", /web page/i],
  ["csgo.dem", /CS:GO/],
  ["empty.dem", /empty/i],
  ["cut.dem", /cut off|incomplete|damaged|ends/i],
])("The address %s ends as failed with its own sentence, and can be deleted", async (fileName, sentence) => {
  const player = new ApiVisitor(product.url);
  await player.signIn("76561199999900001", "failing");
  const state = await importDemo(player, demos.url(fileName));
  expect(state.status).toBe("failed");
  expect(state.error).toMatch(sentence);
  expect((await player.request("DELETE", `/api/matches/${state.match_id}/delete/`)).ok).toBe(true);
  expect((await player.request("GET", `/api/matches/${state.match_id}/`)).status).toBe(404);
});

test("What belongs to one player is not found by another", async () => {
  const owner = new ApiVisitor(product.url);
  await owner.signIn("76561199999900002", "owner");
  const state = await importDemo(owner, demos.url("highlights-reel.dem.gz"));
  const stranger = new ApiVisitor(product.url);
  await stranger.signIn("76561199999900003", "stranger");
  for (const [method, path] of [
    ["GET", `/api/matches/${state.match_id}/`],
    ["GET", `/api/matches/${state.match_id}/status/`],
    ["GET", `/api/matches/${state.match_id}/clips/`],
    ["DELETE", `/api/matches/${state.match_id}/delete/`],
  ] as const) {
    expect((await stranger.request(method, path)).status, `${method} ${path}`).toBe(404);
  }
  expect((await new ApiVisitor(product.url).request("GET", "/api/matches/")).status).toBe(401);
});
