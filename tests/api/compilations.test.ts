import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runJoinJob } from "../../backend/clips/render/join-job.ts";
import { runLoopJob } from "../../backend/clips/render/loop-job.ts";
import { RefusedJobError } from "../../backend/jobs/job-queue.ts";
import { settleAbandonedWork } from "../../backend/settle-abandoned-work.ts";
import { encodeBeeping } from "../../backend/video/testing/beeping-video.ts";
import { compilationTooLong, tooFewParts, tooManyParts } from "../../contract/clip-rules.ts";
import type { ClipsOverview, RelatedClips, TopHighlights } from "../../contract/schemas/clip-lists.ts";
import type { Clip, ClipDetail, ClipState } from "../../contract/schemas/clips.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { probeVideo } from "../services/video.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { finishClip, giveMatch, storeReel } from "./stored-reel.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const owner = "76561199999960001";
const framesOf = [101, 147, 83];

let server: RunningApi;
let player: ApiVisitor;
let stranger: ApiVisitor;
let sha256: string;
let folder: string;
const videos: Buffer[] = [];
let matchId: string;
let parts: Clip[];

beforeAll(async () => {
  server = await startApi();
  folder = mkdtempSync(join(tmpdir(), "compilations-"));
  for (const [index, frames] of framesOf.entries()) {
    const outputPath = join(folder, `${index}.mp4`);
    await encodeBeeping({ outputPath, width: 320, height: 180, frames, hertz: 500 + 100 * index, shade: 50 * index });
    videos.push(readFileSync(outputPath));
  }
  player = new ApiVisitor(server.url);
  await player.signIn(owner, "collector");
  stranger = new ApiVisitor(server.url);
  await stranger.signIn("76561199999960002", "stranger");
  sha256 = await storeReel(server.services);
  matchId = await giveMatch(server.services, owner, sha256);
  parts = [];
  for (const index of framesOf.keys()) parts.push(await newPart(index));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** A finished clip of one highlight with a video of its own. */
async function newPart(index: number, match = matchId, format = "720p"): Promise<Clip> {
  const { highlights } = await player.call<MatchDetail>("GET", `/api/matches/${match}/`);
  const clip = await player.call<Clip>("POST", `/api/matches/${match}/clips/create/`, {
    highlight_ids: [highlights[index]?.id],
    format,
  });
  await server.services.jobs.cancel("render", { clipId: clip.id });
  await finishClip(server.services, clip.id, videos[index], (framesOf[index] ?? 0) / 60);
  return player.call<Clip>("GET", `/api/matches/clips/${clip.id}/`);
}

const compile = (clips: number[], more: object = {}) =>
  player.call<Clip>("POST", "/api/matches/clips/compilations/", { clip_ids: clips, ...more });

async function refused(clips: number[], more: object = {}, visitor = player) {
  const response = await visitor.request("POST", "/api/matches/clips/compilations/", { clip_ids: clips, ...more });
  const { detail } = (await response.json()) as { detail?: string };
  return { status: response.status, sentence: detail };
}

const job = (signal = new AbortController().signal) => ({
  signal,
  attempt: 0,
  isLastAttempt: false,
  isAutomatic: false,
});

const stateOf = (id: number) => player.call<ClipState>("GET", `/api/matches/clips/${id}/status/`);

async function keysOf(clipId: number): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of server.services.blobs.list(`clips/${clipId}/`)) keys.push(key);
  return keys.sort();
}

const ids = (clips: readonly Clip[]) => clips.map(({ id }) => id);

test("A run that is interrupted is begun again, and one that finds its work done leaves it alone", async () => {
  const { services } = server;
  const { id } = await compile(ids(parts).slice(0, 2));
  const stopped = new AbortController();
  const running = runJoinJob(services, { clipId: id }, job(stopped.signal));
  await player.poll<ClipState>(
    `/api/matches/clips/${id}/status/`,
    ({ render_status }) => render_status === "processing",
  );
  stopped.abort(new Error("the server stops"));
  await expect(running).rejects.toThrow("the server stops");
  expect(await stateOf(id)).toMatchObject({ render_status: "queued", progress: 0 });
  expect(await keysOf(id)).toEqual([]);
  // What a process leaves that died between storing and completing.
  const left = join(folder, "left");
  writeFileSync(left, "half a video");
  await services.blobs.putFile(`clips/${id}/video-dead.mp4`, left, "video/mp4");
  await services.database.updateTable("clips").set({ status: "processing" }).where("id", "=", id).execute();
  await runJoinJob(services, { clipId: id }, job());
  expect((await stateOf(id)).render_status).toBe("completed");
  const files = await keysOf(id);
  expect(files.map((key) => key.replace(/-[0-9a-f]+\./, "."))).toEqual(
    ["poster.jpg", "thumbnail.jpg", "video.mp4"].map((name) => `clips/${id}/${name}`),
  );
  await runJoinJob(services, { clipId: id }, job());
  expect(await keysOf(id)).toEqual(files);
  expect((await player.request("DELETE", `/api/matches/clips/${id}/delete/`)).status).toBe(204);
});

test("A compilation of which a clip is deleted before it is joined says so, and one whose job is gone is given up", async () => {
  const { services } = server;
  const doomed = await newPart(1);
  const { id } = await compile([parts[0]?.id ?? 0, doomed.id]);
  expect((await player.request("DELETE", `/api/matches/clips/${doomed.id}/delete/`)).status).toBe(204);
  await expect(runJoinJob(services, { clipId: id }, job())).rejects.toThrow(RefusedJobError);
  expect(await stateOf(id)).toMatchObject({
    render_status: "failed",
    render_error: expect.stringMatching(/was deleted before it was joined/),
    parts: [{ clip_id: parts[0]?.id }, { clip_id: null, name: doomed.name }],
  });
  expect(await keysOf(id)).toEqual([]);

  const lost = await compile(ids(parts).slice(0, 2));
  await settleAbandonedWork({ ...services, now: () => new Date(Date.now() + 3600_000) });
  expect((await stateOf(lost.id)).render_status).toBe("queued");
  await services.jobs.cancel("join", { clipId: lost.id });
  await settleAbandonedWork({ ...services, now: () => new Date(Date.now() + 3600_000) });
  expect((await stateOf(lost.id)).render_status).toBe("failed");
  for (const clip of [id, lost.id]) await player.request("DELETE", `/api/matches/clips/${clip}/delete/`);
});

test("Finished clips are joined by the queue, in the order that was asked for, into a clip with everything a clip has", async () => {
  const [a, b, c] = ids(parts) as [number, number, number];
  const waiting = await compile([c, a, b]);
  expect(waiting).toMatchObject({
    ...{ render_status: "queued", match_id: null, is_owner: true, queue_position: null, format: "720p" },
    ...{ map_display_name: parts[0]?.map_display_name, match_date: null, score_team1: null },
  });
  expect(waiting.name).toMatch(/ - 3 Clips$/);
  expect(waiting.highlights).toHaveLength(3);
  expect((await stranger.request("GET", `/api/matches/clips/${waiting.id}/`)).status).toBe(404);
  await server.services.jobs.work("join", 1, (payload, context) => runJoinJob(server.services, payload, context));
  const done = await player.poll<ClipState>(`/api/matches/clips/${waiting.id}/status/`, ({ render_status: status }) =>
    ["completed", "failed"].includes(status),
  );
  const frames = framesOf.reduce((sum, length) => sum + length, 0);
  expect(done).toMatchObject({
    ...{ render_status: "completed", render_error: null, progress: 1, can_add_formats: false },
    duration_seconds: frames / 60,
    parts: [
      { clip_id: c, name: parts[2]?.name, start_seconds: 0, duration_seconds: 83 / 60 },
      { clip_id: a, name: parts[0]?.name, start_seconds: 83 / 60 },
      { clip_id: b, name: parts[1]?.name, start_seconds: 184 / 60 },
    ],
  });
  const file = join(folder, "joint.mp4");
  const visitor = new ApiVisitor(server.url);
  writeFileSync(file, Buffer.from(await (await visitor.request("GET", done.video_url ?? "")).arrayBuffer()));
  expect(probeVideo(file)).toMatchObject({ width: 320, height: 180, frames, audioCodec: "aac" });
  for (const url of [done.poster_url, done.wide_poster_url, done.thumbnail_url, done.share_url]) {
    expect((await visitor.request("GET", url ?? "")).status).toBe(200);
  }
  const detail = await visitor.call<ClipDetail>("GET", `/api/matches/clips/${done.id}/`);
  expect(detail.sharing).toMatchObject({ title: done.name, created_by: "collector" });
  expect(detail.sharing.description).toMatch(/Compilation on .+\. Clip by collector\.$/);
  expect(detail.highlights.every(({ kills }) => kills.length > 0)).toBe(true);
  expect(await stranger.call("POST", `/api/matches/clips/${done.id}/like/`)).toMatchObject({ liked: true });

  // It has no map of its own: what comes after it is its maker's.
  const related = await visitor.call<RelatedClips>("GET", `/api/matches/clips/${done.id}/related/`);
  expect([ids(related.of_maker), related.of_map]).toEqual([[c, b, a], []]);

  // Its loop is that of a clip in it.
  await runLoopJob(server.services, { clipId: done.id }, job());
  const { loop_url: loopUrl } = await stateOf(done.id);
  // What is served of a clip is kept for a second.
  await vi.waitFor(async () => expect((await visitor.request("GET", loopUrl ?? "")).status).toBe(200), 5000);

  // Lists: a group of its own for the player and the public, the newest on Home, and not beside its own clips.
  for (const path of ["/api/matches/clips/", `/api/matches/users/${owner}/clips/`]) {
    const { results } = await player.call<ClipsOverview>("GET", path);
    expect(results.map(({ match_id }) => match_id)).toEqual([null, matchId]);
    expect(results[0]).toMatchObject({ map_display_name: "Compilations", clips: [{ id: done.id }] });
  }
  const top = await visitor.call<TopHighlights>("GET", "/api/top-highlights/");
  expect(ids(top.newest)).toContain(done.id);
  const { newest: _, most_viewed: __, most_liked: ___, ...best } = top;
  expect(Object.values(best).flatMap(ids)).not.toContain(done.id);

  // A format of its own it cannot have.
  const format = await player.request("POST", `/api/matches/clips/${done.id}/formats/`, { format: "vertical" });
  expect([format.status, ((await format.json()) as { detail: string }).detail]).toEqual([
    400,
    expect.stringContaining("has the format of its clips"),
  ]);

  // A part goes; the compilation stays.
  const other = await newPart(1);
  const { highlights } = await stateOf(a);
  const tick = highlights[0]?.kills[0]?.tick ?? Number.NaN;
  // The other shows the same tick, as that of another match may.
  for (const [id, seconds] of [
    [a, 0.5],
    [other.id, 0.25],
  ] as const) {
    const moments = JSON.stringify([{ tick, seconds, isStart: false }]);
    await server.services.database.updateTable("clips").set({ moments }).where("id", "=", id).execute();
  }
  const kept = await compile([other.id, a]);
  await player.poll<ClipState>(
    `/api/matches/clips/${kept.id}/status/`,
    ({ render_status }) => render_status === "completed",
  );
  expect((await player.request("DELETE", `/api/matches/clips/${other.id}/delete/`)).status).toBe(204);
  const left = await stateOf(kept.id);
  expect(left.parts).toMatchObject([{ clip_id: null, name: other.name }, { clip_id: a }]);
  const begin = left.parts[1]?.start_seconds ?? 0;
  expect(begin).toBeGreaterThan(0.5);
  // Where to jump to is told by the part that shows it.
  expect(left.marks.map(({ kind, highlight_id }) => [kind, highlight_id])).toEqual([
    ["highlight", highlights[0]?.id],
    ["kill", highlights[0]?.id],
  ]);
  expect(left.marks[0]?.seconds).toBeCloseTo(begin, 2);
  expect(left.marks[1]?.seconds).toBeCloseTo(begin + 0.5, 2);
  expect((await visitor.request("GET", left.video_url ?? "")).status).toBe(200);
  expect((await player.request("DELETE", `/api/matches/clips/${kept.id}/delete/`)).status).toBe(204);
  expect(await keysOf(kept.id)).toEqual([]);
});

test("What makes no compilation is refused with a sentence, and takes no place", async () => {
  const [a, b, c] = ids(parts) as [number, number, number];
  expect(await refused([a])).toEqual({ status: 400, sentence: tooFewParts });
  expect(await refused([a, a])).toEqual({ status: 400, sentence: tooFewParts });
  expect(await refused(Array.from({ length: 11 }, (_, index) => index + 1))).toEqual({
    ...{ status: 400, sentence: tooManyParts },
  });
  expect((await refused([a, b], {}, stranger)).sentence).toMatch(/not one of your finished clips/);
  expect((await refused([a, 999_999])).sentence).toMatch(/not one of your finished clips/);
  expect((await new ApiVisitor(server.url).request("POST", "/api/matches/clips/compilations/")).status).toBe(401);
  const { database } = server.services;
  const joined = await database
    .selectFrom("clips")
    .select("id")
    .where("match_id", "is", null)
    .where("status", "=", "completed")
    .executeTakeFirstOrThrow();
  expect((await refused([a, joined.id])).sentence).toMatch(/cannot be part of another/);
  await database.updateTable("clips").set({ duration_seconds: 299 }).where("id", "=", c).execute();
  expect(await refused([a, c])).toEqual({ status: 400, sentence: compilationTooLong });
  await database
    .updateTable("clips")
    .set({ duration_seconds: 83 / 60 })
    .where("id", "=", c)
    .execute();

  const upright = await newPart(1, matchId, "vertical");
  expect((await refused([a, upright.id])).sentence).toBe(
    "These clips differ in format (1: 720p; 2: Vertical). Choose clips of one format, or add it to the others on their pages.",
  );
  expect((await refused([a, b], { format: "1080p" })).sentence).toMatch(
    /^Not all of these clips have the format 1080p/,
  );
  const waiting = await database.selectFrom("clips").select("id").where("queue_slot", "is not", null).execute();
  expect(waiting).toEqual([]);
});

test("A format that was added to the one is joined with clips that were created in it", async () => {
  const { services } = server;
  const upright = await newPart(1, matchId, "vertical");
  const [a] = ids(parts) as [number];
  const keys = { video_key: `clips/${a}/vertical-video-1.mp4`, poster_key: `clips/${a}/vertical-poster-1.jpg` };
  for (const key of Object.values(keys)) {
    const path = join(folder, "format");
    writeFileSync(path, videos[0] ?? "");
    await services.blobs.putFile(key, path, "video/mp4");
  }
  const { user_id } = await services.database
    .selectFrom("clips")
    .select("user_id")
    .where("id", "=", a)
    .executeTakeFirstOrThrow();
  await services.database
    .insertInto("clip_formats")
    .values({ clip_id: a, user_id, format: "vertical", status: "completed", ...keys })
    .execute();
  const joint = await compile([a, upright.id]);
  expect(joint).toMatchObject({ format: "vertical", width: 1080, height: 1920 });
  const done = await player.poll<ClipState>(`/api/matches/clips/${joint.id}/status/`, ({ render_status }) =>
    ["completed", "failed"].includes(render_status),
  );
  expect(done).toMatchObject({ render_status: "completed", duration_seconds: 248 / 60 });
});
