import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runLoopJob } from "../../backend/clips/render/loop-job.ts";
import { sendMissingFileJobs } from "../../backend/clips/render/missing-files.ts";
import { runShareJob } from "../../backend/clips/render/share-job.ts";
import { settleAbandonedWork } from "../../backend/settle-abandoned-work.ts";
import type { ClipFormat } from "../../contract/clip-formats.ts";
import { limits } from "../../contract/limits.ts";
import type { Clip, ClipState } from "../../contract/schemas/clips.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import type { Site } from "../../contract/schemas/site.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { probeVideo } from "../services/video.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { finishClip, giveMatch, storeReel } from "./stored-reel.ts";

let server: RunningApi;
let reel: string;
let nextSteamId = 76561199999960000n;

beforeAll(async () => {
  server = await startApi({ CLIP_HEIGHT: "1080" });
  reel = await storeReel(server.services);
});
afterAll(() => server.close());

interface Player {
  visitor: ApiVisitor;
  create(format?: string): Promise<Response>;
  /** A clip in 1080p whose video is there. */
  finishedClip(): Promise<number>;
}

async function newPlayer(): Promise<Player> {
  const visitor = new ApiVisitor(server.url);
  const steamId = String(nextSteamId++);
  await visitor.signIn(steamId, "director");
  const matchId = await giveMatch(server.services, steamId, reel);
  const { highlights } = await visitor.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  const create = (format?: string) =>
    visitor.request("POST", `/api/matches/${matchId}/clips/create/`, {
      highlight_ids: [highlights[0]?.id],
      ...(format === undefined ? {} : { format }),
    });
  return {
    visitor,
    create,
    async finishedClip() {
      const { id } = (await (await create()).json()) as Clip;
      await finishClip(server.services, id, "the first format");
      await server.services.jobs.cancel("render", { clipId: id });
      return id;
    },
  };
}

const add = (visitor: ApiVisitor, clipId: number, format: string) =>
  visitor.request("POST", `/api/matches/clips/${clipId}/formats/`, { format });

const stateOf = (visitor: ApiVisitor, clipId: number) =>
  visitor.call<ClipState>("GET", `/api/matches/clips/${clipId}/status/`);

/** What the render of an added format does in the end, with bytes of the test's own. */
async function finishFormat(clipId: number, format: ClipFormat, video: string): Promise<void> {
  const { blobs, database, scratchDirectory } = server.services;
  const keys = {
    video_key: `clips/${clipId}/${format}-video-0123abcd.mp4`,
    poster_key: `clips/${clipId}/${format}-poster-0123abcd.jpg`,
  };
  for (const key of Object.values(keys)) {
    const path = join(mkdtempSync(join(scratchDirectory, "format-")), "file");
    writeFileSync(path, key.endsWith("mp4") ? video : "a poster");
    await blobs.putFile(key, path, key.endsWith("mp4") ? "video/mp4" : "image/jpeg");
  }
  await database
    .updateTable("clip_formats")
    .set({ ...keys, status: "completed", progress: 1, queue_slot: null, completed_at: server.services.now() })
    .where("clip_id", "=", clipId)
    .where("format", "=", format)
    .execute();
  await server.services.jobs.cancel("render", { clipId, format });
}

async function keysOf(clipId: number): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of server.services.blobs.list(`clips/${clipId}/`)) keys.push(key);
  return keys;
}

test("A clip has the format that is asked for, and without one that of the installation", async () => {
  const { create } = await newPlayer();
  const site = await new ApiVisitor(server.url).call<Site>("GET", "/api/site/");
  expect(site.default_clip_format).toBe("1080p");
  expect(await (await create()).json()).toMatchObject({ format: "1080p", width: 1920, height: 1080 });
  expect(await (await create("720p")).json()).toMatchObject({ format: "720p", width: 1280, height: 720 });
  expect(await (await create("vertical")).json()).toMatchObject({ format: "vertical", width: 1080, height: 1920 });
  const refused = await create("4k");
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ format: [expect.any(String)] });
});

test("A format is added to a finished clip once, and is its owner's to see until it is ready", async () => {
  const { visitor } = await newPlayer();
  const owner = await newPlayer();
  const clipId = await owner.finishedClip();
  const first = { format: "1080p", render_status: "completed", width: 1920, height: 1080 };
  expect(await stateOf(owner.visitor, clipId)).toMatchObject({ formats: [first], can_add_formats: true });
  expect(await stateOf(visitor, clipId)).toMatchObject({ formats: [first], can_add_formats: false });

  const added = await add(owner.visitor, clipId, "vertical");
  expect(added.status).toBe(201);
  const waiting = { format: "vertical", render_status: "queued", width: 1080, height: 1920, video_url: null };
  expect(await added.json()).toMatchObject({
    render_status: "completed",
    formats: [first, { ...waiting, queue_position: expect.any(Number) }],
  });
  const again = await add(owner.visitor, clipId, "vertical");
  expect(again.status).toBe(200);
  expect(((await again.json()) as ClipState).formats).toHaveLength(2);
  expect((await add(owner.visitor, clipId, "1080p")).status).toBe(200);
  expect(await server.services.jobs.openOf("render", await ownerId(clipId))).toBe(1);
  expect((await stateOf(visitor, clipId)).formats).toHaveLength(1);

  await finishFormat(clipId, "vertical", "upright");
  const { formats, video_url } = await stateOf(visitor, clipId);
  expect(formats).toMatchObject([first, { format: "vertical", render_status: "completed" }]);
  const text = async (address: string | null | undefined) =>
    (await new ApiVisitor(server.url).request("GET", address ?? "")).text();
  expect(await text(formats[1]?.video_url)).toBe("upright");
  expect(await text(formats[1]?.poster_url)).toBe("a poster");
  expect(await text(video_url)).toBe("the first format");
  expect(await text(`/video/clips/${clipId}/?format=1080p`)).toBe("the first format");
  const kept = await new ApiVisitor(server.url).request("GET", formats[1]?.video_url ?? "");
  expect(kept.headers.get("cache-control")).toBe("public, max-age=31536000, s-maxage=3600, immutable");
  const download = await visitor.request("GET", `/video/clips/${clipId}/?format=vertical&download=1`);
  expect(download.headers.get("content-disposition")).toMatch(/^attachment; filename=".+ \(vertical\)\.mp4"/);
  expect((await visitor.request("GET", `/video/clips/${clipId}/?format=720p`)).status).toBe(404);
  expect((await visitor.request("GET", `/video/clips/${clipId}/?format=4k`)).status).toBe(400);

  expect(await keysOf(clipId)).toHaveLength(6);
  await owner.visitor.call("DELETE", `/api/matches/clips/${clipId}/delete/`);
  expect(await keysOf(clipId)).toEqual([]);
});

async function ownerId(clipId: number): Promise<number> {
  const { user_id } = await server.services.database
    .selectFrom("clips")
    .select("user_id")
    .where("id", "=", clipId)
    .executeTakeFirstOrThrow();
  return user_id;
}

test("A format takes one of the player's three places, and deleting the clip gives it back", async () => {
  const owner = await newPlayer();
  const clipId = await owner.finishedClip();
  expect((await add(owner.visitor, clipId, "vertical")).status).toBe(201);
  expect((await add(owner.visitor, clipId, "720p")).status).toBe(201);
  expect((await owner.create()).status).toBe(201);
  const refused = await owner.create();
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ error: "queue_limit" });
  const other = await newPlayer();
  const otherClip = await other.finishedClip();
  await Promise.all([other.create(), other.create(), other.create()]);
  expect((await add(other.visitor, otherClip, "vertical")).status).toBe(429);

  await owner.visitor.call("DELETE", `/api/matches/clips/${clipId}/delete/`);
  expect(await server.services.jobs.isOpen("render", { clipId })).toBe(false);
  expect((await owner.create()).status).toBe(201);
});

test("Only the owner of a finished clip whose replay data is kept adds a format", async () => {
  const owner = await newPlayer();
  const stranger = await newPlayer();
  const { id: unfinished } = (await (await owner.create()).json()) as Clip;
  const early = await add(owner.visitor, unfinished, "vertical");
  expect(early.status).toBe(409);
  expect(await early.json()).toMatchObject({ error: "clip_not_ready", detail: expect.stringMatching(/ready\.$/) });
  const clipId = await owner.finishedClip();
  expect((await add(stranger.visitor, clipId, "vertical")).status).toBe(404);
  expect((await add(new ApiVisitor(server.url), clipId, "vertical")).status).toBe(401);
  expect((await add(owner.visitor, clipId, "4k")).status).toBe(400);

  expect((await add(owner.visitor, clipId, "vertical")).status).toBe(201);
  await finishFormat(clipId, "vertical", "upright");
  const { database } = server.services;
  const { track_key } = await database.selectFrom("demos").select("track_key").executeTakeFirstOrThrow();
  await database.updateTable("demos").set({ track_key: null }).execute();
  try {
    const late = await add(owner.visitor, clipId, "720p");
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({ error: "match_data_deleted" });
    expect((await add(owner.visitor, clipId, "vertical")).status).toBe(200);
    expect(await stateOf(owner.visitor, clipId)).toMatchObject({ can_add_formats: false, formats: [{}, {}] });
  } finally {
    await database.updateTable("demos").set({ track_key }).execute();
  }
});

test("A clip keeps the footprints of the map that it was created with, in a format that is added later too", async () => {
  const { database, now } = server.services;
  const { map } = await database.selectFrom("demos").select("map").executeTakeFirstOrThrow();
  const putInForce = async (hash: string) => {
    const made = now();
    const row = { map, valid_from: made, hash, matches: 2, sources: hash, made_at: made };
    await database.insertInto("map_footprints").values(row).execute();
  };
  const mapHashOf = async (clipId: number) => {
    const clips = database.selectFrom("clips").select("map_hash").where("id", "=", clipId);
    return (await clips.executeTakeFirstOrThrow()).map_hash;
  };
  const owner = await newPlayer();
  const before = await owner.finishedClip();
  try {
    await putInForce("1".repeat(32));
    const clipId = await owner.finishedClip();
    await putInForce("2".repeat(32));
    expect((await add(owner.visitor, clipId, "vertical")).status).toBe(201);
    await finishFormat(clipId, "vertical", "upright");
    const later = await owner.finishedClip();
    const hashes = await Promise.all([before, clipId, later].map(mapHashOf));
    expect(hashes).toEqual([null, "1".repeat(32), "2".repeat(32)]);
  } finally {
    await database.deleteFrom("map_footprints").execute();
  }
});

test("A format whose job is given up fails with a sentence, and can be tried again; the clip stays", async () => {
  const owner = await newPlayer();
  const clipId = await owner.finishedClip();
  await add(owner.visitor, clipId, "vertical");
  const { jobs, now } = server.services;
  await jobs.cancel("render", { clipId, format: "vertical" });
  server.services.now = () => new Date(now().getTime() + 120_000);
  try {
    await settleAbandonedWork(server.services);
  } finally {
    server.services.now = now;
  }
  const failed = { format: "vertical", render_status: "failed", render_error: expect.stringMatching(/\.$/) };
  expect(await stateOf(owner.visitor, clipId)).toMatchObject({
    render_status: "completed",
    formats: [{ render_status: "completed" }, failed],
  });
  expect((await add(owner.visitor, clipId, "vertical")).status).toBe(201);
  expect((await stateOf(owner.visitor, clipId)).formats[1]).toMatchObject({ render_status: "queued", progress: 0 });
});

test("The file for chat apps has an address once it is made, and a clip without it gets its job", async () => {
  const owner = await newPlayer();
  const clipId = await owner.finishedClip();
  const { database, jobs } = server.services;
  const { share_url } = await stateOf(owner.visitor, clipId);
  const share = await new ApiVisitor(server.url).request("GET", share_url ?? "");
  expect(await share.text()).toBe("the first format");
  expect(share.headers.get("content-type")).toBe("video/mp4");
  expect(share.headers.get("cache-control")).toBe("public, max-age=31536000, s-maxage=3600, immutable");

  const long = await owner.finishedClip();
  const anHourAgo = new Date(server.services.now().getTime() - 3600_000);
  await database
    .updateTable("clips")
    .set({ share_key: null, completed_at: anHourAgo })
    .where("id", "=", long)
    .execute();
  expect(await stateOf(owner.visitor, long)).toMatchObject({ render_status: "completed", share_url: null });
  const early = await new ApiVisitor(server.url).request("GET", `/video/clips/${long}/share.mp4`);
  expect(early.status).toBe(409);
  await sendMissingFileJobs(server.services, "share");
  expect(await jobs.isOpen("share", { clipId: long })).toBe(true);
  expect(await jobs.isOpen("share", { clipId })).toBe(false);
  await jobs.cancel("share", { clipId: long });
  await sendMissingFileJobs(server.services, "share");
  expect(await jobs.isOpen("share", { clipId: long })).toBe(false);
});

const firstRun = { signal: new AbortController().signal, attempt: 0, isLastAttempt: false, isAutomatic: false };

/** Gives a finished clip another video, for which no file for chat apps is made yet. */
async function replaceVideo(clipId: number, path: string, seconds: number): Promise<void> {
  const { database, blobs } = server.services;
  const bytes = statSync(path).size;
  await blobs.putFile(`clips/${clipId}/video-abcd1234.mp4`, path, "video/mp4");
  await database
    .updateTable("clips")
    .set({ share_key: null, video_bytes: bytes, duration_seconds: seconds })
    .where("id", "=", clipId)
    .execute();
}

test("Of a video that is too large for chat apps a file of 9.5 MB is made, and the clip keeps its own", async () => {
  const owner = await newPlayer();
  const clipId = await owner.finishedClip();
  const folder = mkdtempSync(join(server.services.scratchDirectory, "noise-"));
  const video = join(folder, "video.mp4");
  execFileSync("ffmpeg", [
    ...["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=60:duration=1"],
    ...["-f", "lavfi", "-i", "sine=duration=1", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"],
    ...["-c:a", "aac", video],
  ]);
  // A box that players skip: how hard a picture is made to fit is the matter of share-file.test.ts.
  const skipped = Buffer.alloc(limits.shareFileBytes);
  skipped.writeUInt32BE(skipped.length);
  skipped.write("free", 4);
  appendFileSync(video, skipped);
  expect(statSync(video).size).toBeGreaterThan(limits.shareFileBytes);
  await replaceVideo(clipId, video, 1);
  // What a run left that was killed between storing and naming.
  writeFileSync(join(folder, "left"), "left");
  await server.services.blobs.putFile(`clips/${clipId}/share-00000000.mp4`, join(folder, "left"), "video/mp4");

  await runShareJob(server.services, { clipId }, firstRun);
  const { share_url } = await stateOf(owner.visitor, clipId);
  const answer = await new ApiVisitor(server.url).request("GET", share_url ?? "");
  const share = join(folder, "share.mp4");
  writeFileSync(share, Buffer.from(await answer.arrayBuffer()));
  expect(statSync(share).size).toBeLessThanOrEqual(limits.shareFileBytes);
  // The clip is one in 1080p.
  expect(probeVideo(share)).toMatchObject({ codec: "h264", width: 1280, height: 720, frames: 60, audioCodec: "aac" });
  expect(await keysOf(clipId)).toHaveLength(5);
  // A second run, after a crash, finds nothing to do.
  await runShareJob(server.services, { clipId }, firstRun);
  expect((await stateOf(owner.visitor, clipId)).share_url).toBe(share_url);
  await owner.visitor.call("DELETE", `/api/matches/clips/${clipId}/delete/`);
  expect(await keysOf(clipId)).toEqual([]);
});

test("A clip whose file for chat apps cannot be made stays ready", async () => {
  const owner = await newPlayer();
  const clipId = await owner.finishedClip();
  const broken = join(mkdtempSync(join(server.services.scratchDirectory, "broken-")), "video.mp4");
  writeFileSync(broken, Buffer.alloc(limits.shareFileBytes + 1));
  await replaceVideo(clipId, broken, 8);
  await expect(runShareJob(server.services, { clipId }, firstRun)).rejects.toThrow(/Invalid data/);
  expect(await stateOf(owner.visitor, clipId)).toMatchObject({ render_status: "completed", share_url: null });
  expect(await keysOf(clipId)).toHaveLength(4);
});

test("A clip whose loop cannot be made stays ready and is tried again, unless its replay data is gone", async () => {
  const owner = await newPlayer();
  const clipId = await owner.finishedClip();
  const { database, blobs, jobs, now } = server.services;
  const { loop_key: loopKey } = await database
    .updateTable("clips")
    .set({ loop_key: null, completed_at: new Date(now().getTime() - 3600_000) })
    .where("id", "=", clipId)
    .returning("loop_key")
    .executeTakeFirstOrThrow();
  expect(loopKey).toBeNull();
  await blobs.delete(`clips/${clipId}/loop-12ab34cd.mp4`);

  // The track of these tests cannot be drawn.
  await expect(runLoopJob(server.services, { clipId }, firstRun)).rejects.toThrow();
  expect(await stateOf(owner.visitor, clipId)).toMatchObject({ render_status: "completed", loop_url: null });
  expect(await keysOf(clipId)).toHaveLength(3);

  await sendMissingFileJobs(server.services, "loop");
  expect(await jobs.isOpen("loop", { clipId })).toBe(true);
  await sendMissingFileJobs(server.services, "loop");
  await jobs.cancel("loop", { clipId });
  await sendMissingFileJobs(server.services, "loop");
  expect(await jobs.isOpen("loop", { clipId })).toBe(false);

  const { track_key } = await database.selectFrom("demos").select("track_key").executeTakeFirstOrThrow();
  await database.updateTable("demos").set({ track_key: null }).execute();
  await database.updateTable("clips").set({ loop_tried_at: null }).where("id", "=", clipId).execute();
  try {
    await sendMissingFileJobs(server.services, "loop");
    expect(await jobs.isOpen("loop", { clipId })).toBe(false);
    await runLoopJob(server.services, { clipId }, firstRun);
    expect((await stateOf(owner.visitor, clipId)).loop_url).toBeNull();
  } finally {
    await database.updateTable("demos").set({ track_key }).execute();
  }

  await jobs.send("loop", { clipId }, { ownerId: await ownerId(clipId) });
  await owner.visitor.call("DELETE", `/api/matches/clips/${clipId}/delete/`);
  expect(await jobs.isOpen("loop", { clipId })).toBe(false);
  expect(await keysOf(clipId)).toEqual([]);
});
