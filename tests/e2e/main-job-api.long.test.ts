import { mkdtempSync, readlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Containment } from "../../backend/children/containment.ts";
import type { ClipDetail } from "../../contract/schemas/clips.ts";
import type { MatchDetail, ProcessingState } from "../../contract/schemas/matches.ts";
import { canSeeProcesses, descendantsOf } from "../faults/processes.ts";
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

/** Does something, and reports which of the product's processes ran meanwhile in which network namespaces, as "name: namespace". */
async function seenDuring<Done>(work: () => Promise<Done>): Promise<{ done: Done; networks: string[] }> {
  let isOver = false;
  const looking = networksOfChildren(() => isOver);
  try {
    const done = await work();
    isOver = true;
    return { done, networks: await looking };
  } finally {
    isOver = true;
  }
}

/** Which of the product's processes run in which network namespaces until `isOver`, as "name: namespace". */
async function networksOfChildren(isOver: () => boolean): Promise<string[]> {
  const seen = new Set<string>();
  while (!isOver()) {
    for (const { pid, command } of descendantsOf(product.pid)) {
      const [program = "", ...words] = command;
      const name = words.map((word) => /([a-z]+)-process\.[jt]s$/.exec(word)?.[1]).find(Boolean);
      // The command lines of its containment contain its name too; the process itself runs node.
      if (!name || !/(^|\/)node[^/]*$/.test(program)) continue;
      try {
        seen.add(`${name}: ${readlinkSync(`/proc/${pid}/ns/net`)}`);
      } catch {
        // The process has ended.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return [...seen];
}

/** Whether this machine supports the containment of a product with these data. */
async function canConfine(): Promise<boolean> {
  const settings = { isolation: "auto", dataDirectory: product.dataDirectory } as const;
  return (await new Containment(settings, pino({ level: "silent" })).means()).isConfined;
}

async function importDemo(visitor: ApiVisitor, demoUrl: string): Promise<ProcessingState> {
  const match = await visitor.call<MatchDetail>("POST", "/api/matches/upload-demo/", { demo_url: demoUrl });
  return visitor.poll<ProcessingState>(`/api/matches/${match.match_id}/status/`, (state) =>
    ["completed", "failed"].includes(state.status),
  );
}

let owned: Promise<{ player: ApiVisitor; state: ProcessingState; networks: string[] }> | undefined;

/** A player with a whole match, imported once for all tests, and the namespaces of the processes that worked on it. */
function ownedMatch(): NonNullable<typeof owned> {
  owned ??= (async () => {
    const player = new ApiVisitor(product.url);
    await player.signIn("76561199999900000", "outsider <b>one</b>");
    const { done, networks } = await seenDuring(() => importDemo(player, demos.url("match-de_mirage.dem.bz2")));
    return { player, state: done, networks };
  })();
  return owned;
}

test("A script turns a real match into a video over HTTP alone, and what the server starts for it has no network", async () => {
  const { player, state, networks: ofImport } = await ownedMatch();
  expect(await player.call("GET", "/api/auth/status/")).toMatchObject({
    authenticated: true,
    user: { steam_id: "76561199999900000", steam_name: "outsider <b>one</b>" },
  });

  expect(state).toMatchObject({ status: "completed", is_completed: true });
  const match = await player.call<MatchDetail>("GET", `/api/matches/${state.match_id}/?include_players=true`);
  expect(match).toMatchObject({ map_name: "de_mirage", map_display_name: "Mirage" });
  expect(match.players_by_team?.team1.players).toHaveLength(5);
  expect(match.highlights.length).toBeGreaterThan(20);

  const { done: clip, networks: ofRender } = await seenDuring(async () => {
    const created = await player.call<ClipDetail>("POST", `/api/matches/${match.match_id}/clips/create/`, {
      name: "Best of Mirage",
      highlight_ids: shortestHighlights(match.highlights, 1),
      render_settings: {
        ...{ xray: true, hud: true, radar: true, killfeed: true, highlight_info: true, watermark: false },
        ...{ pre_time_adjustment: 0, post_time_adjustment: -1.5 },
      },
    });
    expect(["queued", "processing"]).toContain(created.render_status);
    const rendered = await player.poll<ClipDetail>(`/api/matches/clips/${created.id}/status/`, (answer) =>
      ["completed", "failed"].includes(answer.render_status),
    );
    // The loop is made after the video.
    const loopStatus = () => player.request("HEAD", `/video/clips/${created.id}/loop.mp4`).then(({ status }) => status);
    if (rendered.render_status === "completed")
      await expect.poll(loopStatus, { timeout: 100_000, interval: 500 }).toBe(200);
    return rendered;
  });
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
  // With the file for chat apps, which is made after a long video.
  const page = async () => (await anyone.request("GET", `/clips/${clip.id}`)).text();
  await expect.poll(page, { timeout: 100_000, interval: 500 }).toContain('property="og:video"');

  const networks = [...ofImport, ...ofRender];
  if (canSeeProcesses && (await canConfine())) {
    const names = networks.map((seen) => seen.split(":")[0]);
    expect(names).toEqual(expect.arrayContaining(["parse", "render", "loop"]));
    const own = readlinkSync("/proc/self/ns/net");
    expect(networks.filter((seen) => seen.endsWith(own))).toEqual([]);
  }
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
  const { state } = await ownedMatch();
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
