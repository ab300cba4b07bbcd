import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startWorkers } from "../../backend/start-workers.ts";
import type { Clip, ClipState } from "../../contract/schemas/clips.ts";
import type { Match, MatchDetail, ProcessingState } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { startDemoHost } from "../services/demo-host.ts";
import { shortestHighlights } from "../services/shortest-highlights.ts";
import { probeVideo } from "../services/video.ts";
import { leavingOut, startApi } from "./start-server.ts";

test("A finished clip rendered upright too keeps what it had, and has one file more of each kind", async () => {
  const demos = await startDemoHost();
  const server = await startApi({ IMPORT_ALLOW_HOSTS: demos.host });
  const folder = mkdtempSync(join(tmpdir(), "added-format-"));
  try {
    await startWorkers(leavingOut(server.services, ["pictures", "loop", "share"]));
    const player = new ApiVisitor(server.url);
    await player.signIn("76561199999950100", "director");
    const { id: matchId } = await player.call<Match>("POST", "/api/matches/upload-demo/", {
      demo_url: demos.url("highlights-reel.dem.gz"),
    });
    await player.poll<ProcessingState>(`/api/matches/${matchId}/status/`, (state) => state.is_completed);
    const { highlights } = await player.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
    const clip = await player.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, {
      name: "",
      highlight_ids: shortestHighlights(highlights, 1),
      render_settings: { pre_time_adjustment: 0, post_time_adjustment: -1.5 },
    });
    const state = `/api/matches/clips/${clip.id}/status/`;
    const isOver = (status = "") => ["completed", "failed"].includes(status);
    const done = await player.poll<ClipState>(state, ({ render_status }) => isOver(render_status));
    expect(done).toMatchObject({ render_status: "completed", render_error: null });
    const keys = async () => {
      const listed: string[] = [];
      for await (const key of server.services.blobs.list(`clips/${clip.id}/`)) listed.push(key);
      return listed;
    };
    const factsOf = async (address: string | null | undefined) => {
      const response = await new ApiVisitor(server.url).request("GET", address ?? "");
      const path = join(folder, "clip.mp4");
      writeFileSync(path, Buffer.from(await response.arrayBuffer()));
      return probeVideo(path);
    };
    const before = { keys: await keys(), video: await factsOf(done.video_url) };
    expect(before.video).toMatchObject({ width: 1280, height: 720, framesPerSecond: 60 });

    const added = await player.call<ClipState>("POST", `/api/matches/clips/${clip.id}/formats/`, {
      format: "vertical",
    });
    expect(added.formats).toMatchObject([{ format: "720p" }, { format: "vertical", video_url: null }]);
    const both = await player.poll<ClipState>(state, ({ render_status, formats }) => {
      expect(render_status).toBe("completed");
      return isOver(formats[1]?.render_status);
    });
    expect(both.formats[1]).toMatchObject({ render_status: "completed", progress: 1, render_error: null });
    const { frames } = before.video;
    const upright = { codec: "h264", width: 1080, height: 1920, framesPerSecond: 60, frames };
    expect(await factsOf(both.formats[1]?.video_url)).toMatchObject(upright);
    expect(await factsOf(both.video_url)).toEqual(before.video);
    expect(await keys()).toEqual(expect.arrayContaining(before.keys));
    expect(await keys()).toHaveLength(before.keys.length + 2);
  } finally {
    await server.close();
    await demos.close();
    rmSync(folder, { recursive: true });
  }
});
