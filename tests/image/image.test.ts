import { mkdtempSync, openAsBlob, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClipDetail } from "../../contract/schemas/clips.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { shortestHighlights } from "../services/shortest-highlights.ts";
import { probeVideo } from "../services/video.ts";
import { imageBytes, ownerOf, type RunningImage, startImage } from "./running-image.ts";

const MB = 1e6;
let running: RunningImage;

beforeAll(async () => {
  running = await startImage({ PUID: "1234", PGID: "2345", RENDER_WORKERS: "2" });
});
afterAll(async () => {
  await running?.stop();
  rmSync(running.dataFolder, { recursive: true, force: true });
});

test("it has at most 600 MB", () => {
  expect(imageBytes()).toBeLessThan(600 * MB);
});

async function newVideo(player: ApiVisitor, id: string | number, path = ""): Promise<string> {
  const response = await player.request("GET", `/video/clips/${id}/${path}`);
  expect(response.status, path).toBe(200);
  const file = join(mkdtempSync(join(tmpdir(), "image-")), "video.mp4");
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  return file;
}

test("a whole match is read within the memory that a parser has under the image's Node", async () => {
  const player = new ApiVisitor(running.url);
  await player.signIn("76561199999912346", "whole match");
  const form = new FormData();
  const demo = await openAsBlob("tests/fixtures/demos/match-de_dust2-overtime.dem.zst");
  form.set("demo_file", demo, "match.dem.zst");
  const uploaded = await fetch(player.address("/api/matches/upload-file/"), {
    method: "POST",
    body: form,
    headers: {
      Cookie: player.cookieHeader,
      "X-XSRF-TOKEN": decodeURIComponent(player.cookies.get("XSRF-TOKEN") ?? ""),
    },
  });
  expect(uploaded.status).toBe(201);
  const { id } = (await uploaded.json()) as MatchDetail;
  const { processing } = await player.poll<MatchDetail>(
    `/api/matches/${id}/`,
    ({ processing: { status } }) => ["completed", "failed"].includes(status),
    { seconds: 240 },
  );
  expect(processing).toMatchObject({ status: "completed", error: null });
});

test("with a read-only root and a user of the host's choice it imports, renders, shrinks, loops, joins, and stops", async () => {
  const player = new ApiVisitor(running.url);
  await player.signIn("76561199999912345", "container");
  const { id: matchId } = await player.call<MatchDetail>("POST", "/api/matches/import-sample/");
  const match = await player.poll<MatchDetail>(`/api/matches/${matchId}/`, ({ highlights }) => highlights.length > 0, {
    seconds: 120,
  });
  const clips: ClipDetail[] = [];
  for (const highlight of shortestHighlights(match.highlights, 2)) {
    const created = await player.call<ClipDetail>("POST", `/api/matches/${matchId}/clips/create/`, {
      name: `Highlight ${highlight}`,
      highlight_ids: [highlight],
      render_settings: { xray: true, hud: true, radar: true, killfeed: true, highlight_info: true, watermark: false },
    });
    clips.push(created);
  }
  for (const { id } of clips) {
    const done = await player.poll<ClipDetail>(`/api/matches/clips/${id}/status/`, ({ render_status: status }) =>
      ["completed", "failed"].includes(status),
    );
    expect(done).toMatchObject({ render_status: "completed", render_error: null });
    expect(probeVideo(await newVideo(player, id))).toMatchObject({ codec: "h264", audioCodec: "aac", height: 720 });
  }
  const [first] = clips;
  await player.call("POST", `/api/matches/clips/${first!.id}/formats/`, { format: "vertical" });
  const found = async (path: string) => (await player.request("HEAD", `/video/clips/${first!.id}/${path}`)).status;
  for (const path of ["loop.mp4", "share.mp4", "?format=vertical"]) {
    await expect.poll(() => found(path), { message: path }).toBe(200);
    expect(probeVideo(await newVideo(player, first!.id, path)).codec, path).toBe("h264");
  }
  for (const picture of ["poster.jpg", "wide-poster.jpg", "thumbnail.jpg"]) expect(await found(picture)).toBe(200);

  const joined = await player.call<ClipDetail>("POST", "/api/matches/clips/compilations/", {
    name: "Both",
    clip_ids: clips.map(({ id }) => id),
  });
  const both = await player.poll<ClipDetail>(`/api/matches/clips/${joined.id}/status/`, ({ render_status: status }) =>
    ["completed", "failed"].includes(status),
  );
  expect(both).toMatchObject({ render_status: "completed", render_error: null });
  expect(probeVideo(await newVideo(player, joined.id)).audioCodec).toBe("aac");

  expect(running.operator("failures")).toMatch(/./);
  expect(readdirSync(running.dataFolder)).toEqual(expect.arrayContaining(["blobs", "postgres"]));
  expect(ownerOf(join(running.dataFolder, "postgres"))).toBe("1234:2345");
  expect(running.output()).not.toMatch(/"level":(50|60)/);
  expect(await running.stop()).toBe(0);
});
