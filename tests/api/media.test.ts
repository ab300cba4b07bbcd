import { once } from "node:events";
import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { deadlines } from "../../backend/waits/deadlines.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { finishClip, giveMatch, storeReel } from "./stored-reel.ts";

const video = "0123456789abcdefghijklmnopqrstuvwxyz";
const steamId = "76561199999930000";
const visitor = () => new ApiVisitor(server.url);

let server: RunningApi;
let owner: ApiVisitor;
let path: string;
let clip: Clip;

beforeAll(async () => {
  server = await startApi();
  owner = new ApiVisitor(server.url);
  await owner.signIn(steamId, "owner");
  const matchId = await giveMatch(server.services, steamId, await storeReel(server.services));
  const match = await owner.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  const create = (name: string) =>
    owner.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, {
      name,
      highlight_ids: [match.highlights[0]?.id],
    });
  clip = await create('Ace "über" / 1:0');
  await finishClip(server.services, clip.id, video);
  path = `/video/clips/${clip.id}/`;
});
afterAll(() => server.close());

const get = (headers: Record<string, string> = {}, address = path, method = "GET") =>
  visitor().request(method, address, undefined, headers);

test("A finished video is served whole, with what a player needs to seek and to keep it", async () => {
  const response = await get();
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(video);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "video/mp4",
    "content-length": String(video.length),
    "accept-ranges": "bytes",
    etag: expect.stringMatching(/^".+"$/),
    "last-modified": expect.stringMatching(/GMT$/),
    "cache-control": "public, no-cache",
  });
});

test("HEAD says the same without the bytes", async () => {
  const response = await get({}, path, "HEAD");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-length")).toBe(String(video.length));
  expect(response.headers.get("content-type")).toBe("video/mp4");
  expect(await response.text()).toBe("");
});

test("A HEAD with a range says how long that range is", async () => {
  const response = await get({ Range: "bytes=0-9" }, path, "HEAD");
  expect(response.status).toBe(206);
  expect(response.headers.get("content-length")).toBe("10");
});

test.each([
  ["bytes=0-9", "bytes 0-9/36", video.slice(0, 10)],
  ["bytes=10-", "bytes 10-35/36", video.slice(10)],
  ["bytes=-6", "bytes 30-35/36", video.slice(30)],
  ["bytes=-500", "bytes 0-35/36", video],
  ["bytes=30-500", "bytes 30-35/36", video.slice(30)],
  ["bytes=35-35", "bytes 35-35/36", "z"],
])("The range %s is answered with that part", async (range, contentRange, part) => {
  const response = await get({ Range: range });
  expect(response.status).toBe(206);
  expect(response.headers.get("content-range")).toBe(contentRange);
  expect(response.headers.get("content-length")).toBe(String(part.length));
  expect(await response.text()).toBe(part);
});

test.each(["bytes=36-", "bytes=100-200", "bytes=-0"])("The range %s lies outside", async (range) => {
  const response = await get({ Range: range });
  expect(response.status).toBe(416);
  expect(response.headers.get("content-range")).toBe("bytes */36");
});

test.each(["bytes=0-1,4-5", "bytes=9-3", "bytes=a-b", "items=0-3", "bytes=-"])(
  "The range %s is answered with the whole video",
  async (range) => {
    const response = await get({ Range: range });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(video);
  },
);

test("Conditions spare the bytes that a browser has", async () => {
  const { headers } = await get();
  const etag = headers.get("etag") ?? "";
  const modified = headers.get("last-modified") ?? "";
  const status = async (conditions: Record<string, string>) => (await get(conditions)).status;
  expect(await status({ "If-None-Match": etag })).toBe(304);
  expect(await status({ "If-None-Match": `"other", W/${etag}` })).toBe(304);
  expect(await status({ "If-None-Match": "*" })).toBe(304);
  expect(await status({ "If-None-Match": '"other"' })).toBe(200);
  expect(await status({ "If-Modified-Since": modified })).toBe(304);
  expect(await status({ "If-Modified-Since": new Date(0).toUTCString() })).toBe(200);
  expect(await status({ "If-None-Match": '"other"', "If-Modified-Since": modified })).toBe(200);
  expect(await status({ "If-Match": '"other"' })).toBe(412);
  expect(await status({ "If-Match": etag })).toBe(200);
  expect(await status({ "If-Unmodified-Since": new Date(0).toUTCString() })).toBe(412);
});

test("A range of another version is not mixed with this one", async () => {
  const etag = (await get()).headers.get("etag") ?? "";
  expect((await get({ Range: "bytes=0-3", "If-Range": etag })).status).toBe(206);
  expect((await get({ Range: "bytes=0-3", "If-Range": '"other"' })).status).toBe(200);
  expect((await get({ Range: "bytes=0-3", "If-Range": new Date(0).toUTCString() })).status).toBe(200);
});

test("The address that names the version may be kept for a year", async () => {
  const detail = await owner.call<Clip>("GET", `/api/matches/clips/${clip.id}/`);
  const versioned = await get({}, detail.video_url ?? "");
  expect(versioned.headers.get("cache-control")).toBe("public, max-age=31536000, s-maxage=3600, immutable");
  for (const address of [detail.poster_url, detail.wide_poster_url, detail.thumbnail_url]) {
    const picture = await get({}, address ?? "");
    expect(picture.status).toBe(200);
    expect(picture.headers.get("content-type")).toBe("image/jpeg");
    expect(picture.headers.get("cache-control")).toBe("public, max-age=31536000, s-maxage=3600, immutable");
  }
  const wrong = await get({}, `${path}?v=00000000`);
  expect(wrong.headers.get("cache-control")).toBe("public, no-cache");
});

test("The loop is served as the video is, and a clip without one says that it has none yet", async () => {
  const { loop_url: address } = await owner.call<Clip>("GET", `/api/matches/clips/${clip.id}/`);
  expect(address).toBe(`${path}loop.mp4?v=12ab34cd`);
  const response = await get({ Range: "bytes=0-9" }, address ?? "");
  expect(response.status).toBe(206);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "video/mp4",
    "content-range": "bytes 0-9/36",
    "cache-control": "public, max-age=31536000, s-maxage=3600, immutable",
    "cross-origin-resource-policy": "cross-origin",
  });
  const { headers } = await get({}, `${path}loop.mp4?v=abcd1234`);
  expect(headers.get("cache-control")).toBe("public, no-cache");

  const match = await owner.call<MatchDetail>("GET", `/api/matches/${clip.match_id}/`);
  const { id } = await owner.call<Clip>("POST", `/api/matches/${clip.match_id}/clips/create/`, {
    name: "",
    highlight_ids: [match.highlights[0]?.id],
  });
  await finishClip(server.services, id, video);
  const shown = () => owner.call<Clip>("GET", `/api/matches/clips/${id}/`);
  expect((await shown()).loop_url).toBe(`/video/clips/${id}/loop.mp4?v=12ab34cd`);
  const { database } = server.services;
  await database.updateTable("clips").set({ loop_key: null, wide_poster_key: null }).where("id", "=", id).execute();
  // A finished clip is kept as it was; its loop, which comes later, is not.
  expect(await shown()).toMatchObject({ render_status: "completed", loop_url: null });
  expect((await get({}, `/video/clips/${id}/wide-poster.jpg`)).status).toBe(409);
  const early = await get({}, `/video/clips/${id}/loop.mp4`);
  expect(early.status).toBe(409);
  expect(await early.json()).toEqual({ error: "not_ready", detail: expect.stringMatching(/no loop yet/) });
});

test("A download has a file name that every system accepts", async () => {
  const response = await get({}, `${path}?download=1`);
  expect(response.headers.get("content-disposition")).toBe(
    `attachment; filename="Ace -uber- - 1-0.mp4"; filename*=UTF-8''Ace%20-%C3%BCber-%20-%201-0.mp4`,
  );
});

test("A store that signs addresses gives the video itself, but not the download with its name", async () => {
  const signing = vi.spyOn(server.services.blobs, "signedUrl").mockResolvedValue("https://store.example/signed");
  const redirected = await get({ Range: "bytes=0-3" });
  expect(redirected.status).toBe(302);
  expect(redirected.headers.get("location")).toBe("https://store.example/signed");
  expect(redirected.headers.get("cache-control")).toBe("private, max-age=1800");
  expect((await get({}, path, "HEAD")).status).toBe(200);
  expect((await get({}, `${path}?download=1`)).status).toBe(200);
  signing.mockRestore();
});

test("A clip that is not finished has no video yet, which its owner alone is told, and one that does not exist never had", async () => {
  const match = await owner.call<MatchDetail>("GET", `/api/matches/${clip.match_id}/`);
  const waiting = await owner.call<Clip>("POST", `/api/matches/${clip.match_id}/clips/create/`, {
    name: "",
    highlight_ids: [match.highlights[0]?.id],
  });
  const unfinished = await owner.request("GET", `/video/clips/${waiting.id}/`);
  expect(unfinished.status).toBe(409);
  expect(await unfinished.json()).toEqual({ error: "not_ready", detail: "The video of this clip is not ready yet." });
  const another = visitor();
  await another.signIn("76561199999930001", "another");
  for (const file of ["", "poster.jpg", "wide-poster.jpg", "thumbnail.jpg", "share.mp4", "loop.mp4"]) {
    expect((await owner.request("GET", `/video/clips/${waiting.id}/${file}`)).status).toBe(409);
    expect((await get({}, `/video/clips/${waiting.id}/${file}`)).status).toBe(404);
    expect((await another.request("GET", `/video/clips/${waiting.id}/${file}`)).status).toBe(404);
  }
  for (const id of ["999999", "0", "-1", "abc", "99999999999999999999"]) {
    expect((await get({}, `/video/clips/${id}/`)).status, id).toBe(404);
  }
});

/** Stores a video of 20 MB, more than a connection holds on its way, as the clip's. @returns where it ends in the store */
async function storeLargeVideo(): Promise<string> {
  const { services } = server;
  const source = join(services.scratchDirectory, "large.mp4");
  writeFileSync(source, Buffer.alloc(20_000_000));
  await services.blobs.putFile(`clips/${clip.id}/large.mp4`, source, "video/mp4");
  const video_key = `clips/${clip.id}/large.mp4`;
  await services.database.updateTable("clips").set({ video_key }).where("id", "=", clip.id).execute();
  return `/clips/${clip.id}/large.mp4`;
}

/** Descriptors of this process, the server's too, of files whose paths end so. */
function openFiles(end: string): string[] {
  return readdirSync("/proc/self/fd").filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).endsWith(end);
    } catch {
      return false;
    }
  });
}

test.runIf(process.platform === "linux")(
  "Visitors who leave while a video is sent, or before, leave no file open",
  async () => {
    const file = await storeLargeVideo();
    const port = Number(new URL(server.url).port);
    const leave = (when: "at once" | "soon" | "in the middle") =>
      new Promise<void>((resolve) => {
        const socket = connect(port, "127.0.0.1");
        socket.on("error", () => {});
        socket.on("close", () => resolve());
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`, () => {
          if (when === "at once") socket.destroy();
          if (when === "soon") setTimeout(() => socket.destroy(), 3);
        });
        if (when === "in the middle") socket.once("data", () => socket.destroy());
      });
    for (let round = 0; round < 8; round++) {
      await Promise.all([leave("at once"), leave("soon"), leave("in the middle")]);
    }
    // What is forgotten is closed in the end, too, when memory is cleared, with a warning.
    const warnings: string[] = [];
    const onWarning = (warning: Error) => warnings.push(warning.message);
    process.on("warning", onWarning);
    await vi.waitFor(() => expect(openFiles(file)).toEqual([]), { timeout: 30_000 });
    process.off("warning", onWarning);
    expect(warnings.filter((message) => /garbage collection/.test(message))).toEqual([]);
  },
);

test.runIf(process.platform === "linux")("A visitor who reads none of a video is given up on", async () => {
  const file = await storeLargeVideo();
  const { unreadMs } = deadlines.visitor;
  Object.assign(deadlines.visitor, { unreadMs: 50 });
  const port = Number(new URL(server.url).port);
  const socket = connect(port, "127.0.0.1");
  try {
    socket.on("error", () => {});
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
    await once(socket, "readable");
    await vi.waitFor(() => expect(openFiles(file)).toEqual([]), { timeout: 10_000 });
    socket.resume();
    await once(socket, "close");
    expect(socket.bytesRead).toBeLessThan(20_000_000);
  } finally {
    Object.assign(deadlines.visitor, { unreadMs });
    socket.destroy();
  }
});
