import { expect, test } from "vitest";
import { startWorkers } from "../../backend/start-workers.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { Match, MatchDetail } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { startDemoHost } from "../services/demo-host.ts";
import { leavingOut, startApi } from "./start-server.ts";

test("Clips of a demo with names of megabytes are rendered with all captions", async () => {
  const demos = await startDemoHost();
  const server = await startApi({ IMPORT_ALLOW_HOSTS: demos.host });
  try {
    await startWorkers(leavingOut(server.services, ["pictures", "loop", "share"]));
    const player = new ApiVisitor(server.url);
    await player.signIn("76561199999952101", "stranger");
    const { id } = await player.call<Match>("POST", "/api/matches/upload-demo/", {
      demo_url: demos.url("hostile-texts.dem.zst"),
    });
    const match = await player.poll<MatchDetail>(`/api/matches/${id}/`, ({ highlights }) => highlights.length > 0);
    const chosen = ["wallbang", "no_scope", "knife_kill"].map(
      (type) => match.highlights.find((highlight) => highlight.highlight_type === type)!.id,
    );
    const clip = await player.call<Clip>("POST", `/api/matches/${id}/clips/create/`, {
      name: "",
      highlight_ids: chosen,
      render_settings: { pre_time_adjustment: 0, post_time_adjustment: -1.5 },
    });
    const isOver = (state: Clip) => state.render_status === "completed" || state.render_status === "failed";
    const done = await player.poll<Clip>(`/api/matches/clips/${clip.id}/status/`, isOver);
    expect(done).toMatchObject({ render_status: "completed", render_error: null });
  } finally {
    await server.close();
    await demos.close();
  }
});
