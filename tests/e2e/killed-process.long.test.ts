import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClipDetail } from "../../contract/schemas/clips.ts";
import type { MatchDetail, ProcessingState } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type DemoHost, startDemoHost } from "../services/demo-host.ts";
import { startProduct } from "../services/product.ts";
import { shortestHighlights } from "../services/shortest-highlights.ts";

let demos: DemoHost;

beforeAll(async () => {
  demos = await startDemoHost({ bytesPerSecond: 200_000 });
});
afterAll(() => demos?.close());

test("An import and a render survive a killed server and finish after the next start", async () => {
  const environment = { IMPORT_ALLOW_HOSTS: demos.host };
  let product = await startProduct(environment);
  const { port, dataDirectory } = product;
  const player = new ApiVisitor(product.url);
  await player.signIn("76561199999900020", "survivor");
  const match = await player.call<MatchDetail>("POST", "/api/matches/upload-demo/", {
    demo_url: demos.url("highlights-reel.dem.gz"),
  });
  const importing = await player.poll<ProcessingState>(
    `/api/matches/${match.match_id}/status/`,
    (state) => state.progress > 0,
  );
  expect(importing.is_processing).toBe(true);
  await product.kill();

  product = await startProduct(environment, { port, dataDirectory });
  const imported = await player.poll<ProcessingState>(`/api/matches/${match.match_id}/status/`, (state) =>
    ["completed", "failed"].includes(state.status),
  );
  expect(imported.status).toBe("completed");

  const detail = await player.call<MatchDetail>("GET", `/api/matches/${match.match_id}/?include_players=true`);
  const clip = await player.call<ClipDetail>("POST", `/api/matches/${match.match_id}/clips/create/`, {
    name: "",
    highlight_ids: shortestHighlights(detail.highlights, 1),
    // As short as possible, since it is drawn twice.
    render_settings: { pre_time_adjustment: 0, post_time_adjustment: -1.5 },
  });
  const rendering = await player.poll<ClipDetail>(
    `/api/matches/clips/${clip.id}/status/`,
    (answer) => answer.progress > 0.05,
  );
  expect(rendering.render_status).toBe("processing");
  await product.kill();

  product = await startProduct(environment, { port, dataDirectory });
  const rendered = await player.poll<ClipDetail>(`/api/matches/clips/${clip.id}/status/`, (answer) =>
    ["completed", "failed"].includes(answer.render_status),
  );
  expect(rendered.render_status).toBe("completed");
  expect((await player.request("GET", `/video/clips/${clip.id}/`)).ok).toBe(true);
  expect(await product.stop()).toBe(0);
  rmSync(dataDirectory, { recursive: true, force: true });
});
