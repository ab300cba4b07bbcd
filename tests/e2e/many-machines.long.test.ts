import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migratedPlace } from "../../backend/storage/testing/fresh-database.ts";
import type { Clip, ClipDetail } from "../../contract/schemas/clips.ts";
import type { MatchDetail, ProcessingState } from "../../contract/schemas/matches.ts";
import { processesOf } from "../faults/processes.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type DemoHost, startDemoHost } from "../services/demo-host.ts";
import { machinesOf, storeVariables } from "../services/many-machines/shared-parts.ts";
import { type Product, startProduct } from "../services/product.ts";
import { startS3, type TestS3 } from "../services/s3.ts";
import { shortestHighlights } from "../services/shortest-highlights.ts";

/**
 * The shape of compose.yaml: a PostgreSQL server, an S3 store, two webs behind a proxy, two workers. Tests what can go wrong there but not
 * in a single process. All end-to-end tests run on it with DEPLOYMENT=many npm run test:e2e.
 */

const folder = mkdtempSync(join(tmpdir(), "clutchcast-many-"));
let demos: DemoHost;
let store: TestS3;
let product: Product;
let player: ApiVisitor;
let match: MatchDetail;
/** Addresses of the webs themselves, without the proxy. */
let webs: string[];

beforeAll(async () => {
  [demos, store] = await Promise.all([startDemoHost(), startS3()]);
  const { DATABASE_URL = "" } = await migratedPlace("postgres");
  product = await startProduct(
    { IMPORT_ALLOW_HOSTS: demos.host },
    { dataDirectory: folder, shared: { environment: { DATABASE_URL, ...storeVariables(store) } } },
  );
  webs = ["127.0.0.11", "127.0.0.12"].map((host) => `http://${host}:${product.port}`);
  player = new ApiVisitor(product.url);
  await player.signIn("76561199999950800", "of both webs");
});
afterAll(async () => {
  expect(await product?.stop()).toBe(0);
  await store?.stop();
  await demos?.close();
  rmSync(folder, { recursive: true, force: true });
});

const isEnded = ({ render_status: status }: Pick<Clip, "render_status">) =>
  status === "completed" || status === "failed";
const statusOf = ({ id }: Pick<Clip, "id">) => `/api/matches/clips/${id}/status/`;

async function imported(matchId: string): Promise<MatchDetail> {
  const path = `/api/matches/${matchId}/status/`;
  const state = await player.poll<ProcessingState>(path, ({ is_processing: isProcessing }) => !isProcessing);
  expect(state).toMatchObject({ status: "completed" });
  return player.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
}

const createClip = (highlights: number) =>
  player.call<ClipDetail>("POST", `/api/matches/${match.match_id}/clips/create/`, {
    name: "",
    highlight_ids: shortestHighlights(match.highlights, highlights),
  });

test("a match becomes a video, and a like, a view and a deletion through one web are seen by the other", async () => {
  const demoUrl = demos.url("highlights-reel.dem.gz");
  const { match_id: matchId } = await player.call<MatchDetail>("POST", "/api/matches/upload-demo/", {
    demo_url: demoUrl,
  });
  match = await imported(matchId);
  const clip = await createClip(1);
  expect(await player.poll<Clip>(statusOf(clip), isEnded)).toMatchObject({ render_status: "completed" });

  const [first, second] = webs as [string, string];
  const page = `/api/matches/clips/${clip.id}/`;
  await player.call("POST", `${first}${page}like/`);
  const seen = await player.call<ClipDetail>("GET", `${second}${page}`);
  expect(seen).toMatchObject({ likes_count: 1, user_has_liked: true });
  await player.call("POST", `${first}${page}rename/`, { name: "Named by one web" });
  expect(await player.call<ClipDetail>("GET", `${second}${page}`)).toMatchObject({ name: "Named by one web" });
  // The same visitor on each web.
  const stranger = new ApiVisitor(product.url);
  for (const web of [first, second, first]) await stranger.call("POST", `${web}${page}view/`);
  for (const web of webs) {
    expect(await player.call<ClipDetail>("GET", `${web}${page}`), web).toMatchObject({ views_count: 1 });
    const video = await stranger.request("GET", `${web}/video/clips/${clip.id}/`);
    expect(video.status).toBe(302);
    const bytes = await (await fetch(video.headers.get("location") ?? "")).arrayBuffer();
    expect(bytes.byteLength).toBeGreaterThan(10_000);
  }
  const filesOf = () => [...store.objects.keys()].filter((key) => key.startsWith(`clips/${clip.id}/`));
  expect(filesOf().length).toBeGreaterThanOrEqual(3);

  expect((await player.request("DELETE", `${second}${page}delete/`)).ok).toBe(true);
  for (const web of webs) expect((await player.request("GET", `${web}${page}`)).status, web).toBe(404);
  await expect.poll(filesOf, { timeout: 30_000 }).toEqual([]);
});

test.runIf(process.platform === "linux")("a render whose worker is killed is finished by the other one", async () => {
  const clip = await createClip(2);
  await player.poll<Clip>(statusOf(clip), ({ progress }) => progress > 0);
  const workers = ["worker-1", "worker-2"] as const;
  const before = machinesOf(folder);
  const renders = () => workers.find((name) => processesOf(before[name], "renderer").length > 0);
  await expect.poll(renders, { timeout: 20_000 }).toBeDefined();
  process.kill(before[renders()!], "SIGKILL");
  const rendered = await player.poll<Clip>(statusOf(clip), isEnded);
  expect(rendered).toMatchObject({ render_status: "completed", render_error: null });
});

test("an upload whose web is killed leaves nothing, and the next one goes to the other", async () => {
  const [first] = webs as [string];
  // Only files of imports, since files for chat apps and cards of earlier clips may still be made.
  const uploaded = () => [...store.objects.keys()].filter((key) => key.includes("uploads/"));
  const earlier = uploaded();
  let send: (bytes: Uint8Array | null) => void = () => {};
  const body = new ReadableStream({
    start(controller) {
      send = (bytes) => (bytes ? controller.enqueue(bytes) : controller.close());
    },
  });
  const boundary = "many-machines";
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="demo_file"; filename="match.dem"\r\n\r\n`;
  const headers = {
    "Content-Type": `multipart/form-data; boundary=${boundary}`,
    Cookie: player.cookieHeader,
    "X-XSRF-TOKEN": decodeURIComponent(player.cookies.get("XSRF-TOKEN") ?? ""),
  };
  const cutOff = fetch(`${first}/api/matches/upload-file/`, {
    ...{ method: "POST", body, headers, duplex: "half" },
  } as RequestInit).then(
    ({ status }) => `answered ${status}`,
    () => "cut off",
  );
  send(new TextEncoder().encode(`${head}PBDEMS2\0`));
  for (let piece = 0; piece < 40; piece++) send(Buffer.alloc(2 ** 20, piece));
  const machines = machinesOf(folder);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  process.kill(machines["web-1"], "SIGKILL");
  expect(await cutOff).toBe("cut off");

  // Through the proxy, while one web is gone and comes back.
  const form = new FormData();
  form.set("demo_file", new Blob([Buffer.alloc(2 ** 20, "PBDEMS2\0")]), "match.dem");
  const { "Content-Type": _, ...others } = headers;
  const again = await fetch(player.address("/api/matches/upload-file/"), {
    method: "POST",
    body: form,
    headers: others,
  });
  expect(again.status).toBe(201);
  const { match_id: matchId } = (await again.json()) as { match_id: string };
  const path = `/api/matches/${matchId}/status/`;
  const state = await player.poll<ProcessingState>(path, ({ is_processing: isProcessing }) => !isProcessing);
  // The upload is no demo; it only matters that it was read to its end.
  expect(state).toMatchObject({ status: "failed", error: expect.stringMatching(/\.$/) });
  expect((await player.request("DELETE", `/api/matches/${matchId}/delete/`)).ok).toBe(true);
  const left = () => uploaded().filter((key) => !earlier.includes(key));
  await expect.poll(left, { timeout: 30_000 }).toEqual([]);
  expect(store.openUploads()).toBe(0);

  await expect.poll(() => machinesOf(folder)["web-1"], { timeout: 30_000 }).not.toBe(machines["web-1"]);
  await expect
    .poll(
      () =>
        fetch(`${first}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 60_000, interval: 500 },
    )
    .toBe(true);
});
