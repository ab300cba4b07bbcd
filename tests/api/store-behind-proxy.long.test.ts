import { readdirSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { startS3, type TestS3 } from "../services/s3.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { finishClip, giveMatch, storeReel } from "./stored-reel.ts";

/** What stands between us and the store: it hands on, accepts and says nothing, or has nothing behind it. */
let proxy: "hands on" | "silent" | "has no store" = "hands on";
let connections = 0;
const open = new Set<Socket>();

let store: TestS3;
let server: RunningApi;
let videoUrl: string;

const relay = createServer((socket) => {
  connections++;
  open.add(socket);
  socket.on("error", () => {}).on("close", () => open.delete(socket));
  if (proxy === "silent") return socket.resume();
  if (proxy === "has no store") {
    const answer = "HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\nConnection: close\r\n\r\nNot Found";
    return socket.once("data", () => socket.end(answer));
  }
  const behind = connect(Number(new URL(store.endpoint).port), "127.0.0.1").on("error", () => socket.destroy());
  return socket.pipe(behind).pipe(socket);
});

/** From now on, on every connection. */
function become(kind: typeof proxy): void {
  proxy = kind;
  for (const socket of open) socket.destroy();
}

beforeAll(async () => {
  store = await startS3();
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  const { bucket, accessKeyId, secretAccessKey, region } = store;
  server = await startApi({
    S3_ENDPOINT: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
    S3_REGION: region,
  });
  const { services } = server;
  const player = new ApiVisitor(server.url);
  await player.signIn("76561199999950720", "viewer");
  const matchId = await giveMatch(services, "76561199999950720", await storeReel(services));
  const { highlights } = await player.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  const clip = await player.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, {
    highlight_ids: [highlights[0]?.id],
  });
  await finishClip(services, clip.id);
  videoUrl = (await player.call<Clip>("GET", `/api/matches/clips/${clip.id}/`)).video_url ?? "";
});
afterAll(async () => {
  become("hands on");
  await server.close();
  await new Promise((resolve) => relay.close(resolve));
  await store.stop();
});
beforeEach(async () => {
  become("hands on");
  await expect.poll(statusOfVideo, { timeout: 60_000 }).toBe(302);
});

const askForVideo = () => new ApiVisitor(server.url).request("GET", videoUrl);
const statusOfVideo = async () => (await askForVideo()).status;

/** Only so that a test of a wait without an end fails: on a busy machine an answer may take long. */
const inTime = <Answer>(answer: Promise<Answer>) =>
  Promise.race([
    answer,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error("no answer")), 90_000).unref()),
  ]);

test("A video of a store that accepts and says nothing is answered with 503, the next one without asking it", async () => {
  become("silent");
  const first = await inTime(askForVideo());
  expect(first.status).toBe(503);
  expect(first.headers.get("retry-after")).toBe("10");
  const asked = connections;
  expect(asked).toBeGreaterThan(0);
  // Many at once: none waits for the store, which only the first of them may ask once its time has come.
  const others = await inTime(Promise.all(Array.from({ length: 10 }, statusOfVideo)));
  expect(others).toEqual(Array(10).fill(503));
  expect(connections - asked).toBeLessThanOrEqual(1);
  become("hands on");
  await expect.poll(statusOfVideo, { timeout: 60_000 }).toBe(302);
});

test("Readiness is told in time while the store says nothing, and nothing is left of trying it", async () => {
  become("silent");
  server.passTime(10_000);
  const response = await inTime(fetch(`${server.url}/readyz`));
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ checks: { storage: "failed", database: "ok" } });
  const left = () => readdirSync(server.services.scratchDirectory).filter((name) => name.startsWith("probe-"));
  await expect.poll(left, { timeout: 30_000 }).toEqual([]);
});

test("A video is out of reach, not deleted, while a proxy has no store behind it", async () => {
  become("has no store");
  expect((await askForVideo()).status).toBe(503);
});
