import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { renderSettingsSchema } from "../../contract/schemas/clips.ts";
import { decodeReplayTrack } from "../../replay/decode-track.ts";
import { encodeReplayTrack } from "../../replay/encode-track.ts";
import { finishClip, giveMatch } from "../../tests/api/stored-reel.ts";
import { canSeeProcesses, processesOf } from "../../tests/faults/processes.ts";
import { type DemoHost, startDemoHost } from "../../tests/services/demo-host.ts";
import { copyDemo } from "../../tests/services/seeded-rows.ts";
import { createClip } from "../clips/create/create-clip.ts";
import { topListsJson } from "../clips/lists/top-lists.ts";
import { forgetClip } from "../clips/load-clips.ts";
import { presentClips } from "../clips/present-clip.ts";
import { readingVersion } from "../demos/record/reading-version.ts";
import { detectorVersion } from "../highlights/detector-version.ts";
import { InterruptedError, PostponeJob } from "../jobs/job-queue.ts";
import { matchDetail } from "../library/match-detail.ts";
import type { Services } from "../services.ts";
import type { HighlightRow, User } from "../storage/schema.ts";
import { forkSource } from "../storage/testing/fork-source.ts";
import { type FreshServices, freshServices } from "../storage/testing/fresh-services.ts";
import { importDemoUrl } from "./create-match.ts";
import { demoHighlights } from "./demo-highlights.ts";
import { runImport } from "./import-match.ts";
import { openImportPlaces } from "./import-places.ts";
import { redetectOldDemos } from "./redetect-old-demos.ts";

// Each has a database of its own and several processes, one after the other.
vi.setConfig({ testTimeout: 240_000 });

let demos: DemoHost;
const opened: FreshServices[] = [];

beforeAll(async () => {
  demos = await startDemoHost();
});
afterAll(async () => {
  for (const { remove } of opened) await remove();
  await demos.close();
});

/** Services without workers: what is in the queue is run by the test. */
async function open(kind: "embedded" | "postgres" = "embedded"): Promise<Services> {
  const fresh = await freshServices(kind, { HISTORY_PROVIDER: "none", IMPORT_ALLOW_HOSTS: demos.host });
  opened.push(fresh);
  return fresh.services;
}

const never = new AbortController().signal;
const firstTry = { signal: never, attempt: 0, isLastAttempt: false, isAutomatic: false };

function addPlayer({ database }: Services, steamId: string): Promise<User> {
  return database
    .insertInto("users")
    .values({ steam_id: steamId, steam_name: steamId })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Pastes the reel's address and does the import. @returns the match's id, and whether the import was a new one */
async function importReel(services: Services, user: User) {
  const { match, isNew } = await importDemoUrl(services, user, demos.url("highlights-reel.dem.gz"));
  if (!isNew) return { id: match.id, isNew };
  await runImport(services, openImportPlaces(services.config), { matchId: match.id }, firstTry);
  await services.jobs.cancel("import", { matchId: match.id });
  return { id: match.id, isNew };
}

interface OldDemo {
  sha256: string;
  /** What the rules of now find, as it was stored. */
  now: HighlightRow[];
  /** Found by the old rules only; the first is in a clip as soon as a test makes one. */
  gone: HighlightRow[];
  /** Found by the rules of now only. */
  missing: HighlightRow;
}

/** Makes a demo one whose highlights older rules found: two that are none any more, one too few, one in other words. */
async function makeOld({ database }: Services, sha256: string): Promise<OldDemo> {
  const now = await allHighlights(database, sha256);
  const [missing, reworded] = now as [HighlightRow, HighlightRow];
  const like = now[5]!;
  const { id: _, ...values } = like;
  const gone = await database
    .insertInto("highlights")
    .values(
      [1, 2].map((later) => ({
        ...values,
        type: "ace",
        score: 500,
        end_tick: like.end_tick + later,
        moments: JSON.stringify(like.moments),
      })),
    )
    .returningAll()
    .execute();
  await database.deleteFrom("highlights").where("id", "=", missing.id).execute();
  await database
    .updateTable("highlights")
    .set({ reason: "old words", score: 1 })
    .where("id", "=", reworded.id)
    .execute();
  await database
    .updateTable("demos")
    .set({ detector_version: detectorVersion - 1, detection_tried: null })
    .where("sha256", "=", sha256)
    .execute();
  return { sha256, now, gone, missing };
}

function allHighlights(database: Services["database"], sha256: string): Promise<HighlightRow[]> {
  return database.selectFrom("highlights").selectAll().where("demo_sha256", "=", sha256).orderBy("id").execute();
}

function demoOf({ database }: Services, sha256: string) {
  return database.selectFrom("demos").selectAll().where("sha256", "=", sha256).executeTakeFirstOrThrow();
}

const facts = (rows: readonly HighlightRow[]) =>
  rows
    .map(({ id: _, demo_sha256: __, ...row }) => row)
    .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

/** All that the rules of now find is listed and nothing else, and what was there already has its row still. */
async function expectUpToDate(services: Services, { sha256, now, gone, missing }: OldDemo): Promise<void> {
  const listed = await demoHighlights(services, sha256);
  expect(facts(listed)).toEqual(facts(now));
  const ids = listed.map(({ id }) => id);
  for (const { id } of now) expect(ids.includes(id)).toBe(id !== missing.id);
  for (const { id } of gone) expect(ids).not.toContain(id);
  expect((await demoOf(services, sha256)).detector_version).toBe(detectorVersion);
}

const clipRequest = (...highlights: HighlightRow[]) => ({
  name: "",
  highlight_ids: highlights.map(({ id }) => id),
  render_settings: renderSettingsSchema.parse({}),
});

async function sha256Of({ database }: Services, matchId: string): Promise<string> {
  const row = await database.selectFrom("matches").select("demo_sha256").where("id", "=", matchId).executeTakeFirst();
  return row!.demo_sha256!;
}

test("an import by another player detects anew, and a clip whose highlight is none any more stays what it was", async () => {
  const services = await open();
  const { database } = services;
  const owner = await addPlayer(services, "76561199999910001");
  const other = await addPlayer(services, "76561199999910002");
  const { id: matchId } = await importReel(services, owner);
  const old = await makeOld(services, await sha256Of(services, matchId));
  const [inClip, unused] = old.gone as [HighlightRow, HighlightRow];
  const { clipId: finished } = await createClip(services, owner, matchId, clipRequest(inClip, old.now[1]!));
  await finishClip(services, finished);
  await database.insertInto("likes").values({ user_id: other.id, clip_id: finished }).execute();
  await database.updateTable("clips").set({ likes_count: 1, views_count: 7 }).where("id", "=", finished).execute();
  const { clipId: waiting } = await createClip(services, owner, matchId, clipRequest(inClip));
  const shown = async () => {
    // Not what the process remembers of finished clips for a minute.
    forgetClip(services, finished);
    return await presentClips(services, [finished, waiting], other.id);
  };
  const before = await shown();
  expect(before[0]).toMatchObject({ likes_count: 1, views_count: 7, user_has_liked: true });
  const trackBefore = (await demoOf(services, old.sha256)).track_key;

  const again = await importReel(services, other);
  expect(again.isNew).toBe(true);
  await expectUpToDate(services, old);

  // What it was made of is its own, and the page is the same.
  const after = await shown();
  expect(after.map((clip) => clip.highlights.map(({ id }) => id))).toEqual([[inClip.id, old.now[1]!.id], [inClip.id]]);
  expect(after[0]).toMatchObject({
    likes_count: 1,
    views_count: 7,
    user_has_liked: true,
    video_url: before[0]!.video_url,
  });
  expect(after[0]!.highlight_info).toBe(before[0]!.highlight_info);
  expect(JSON.parse(await topListsJson(services, null)).best_multikills).toMatchObject([{ id: finished }]);

  // Of the two that are none any more, the one that no clip needs is gone, and neither can be chosen.
  const rows = await allHighlights(database, old.sha256);
  expect(rows.filter((row) => !row.is_listed).map(({ id }) => id)).toEqual([inClip.id]);
  for (const highlight of [inClip, unused]) {
    await expect(createClip(services, owner, matchId, clipRequest(highlight))).rejects.toMatchObject({
      field: "highlight_ids",
    });
  }
  const detail = await matchDetail(services, owner, matchId, { includePlayers: false });
  expect(detail).toMatchObject({ highlights_count: old.now.length, clips_count: 2 });
  expect(detail!.highlights.map(({ id }) => id)).not.toContain(inClip.id);
  // A form that was open since before still means the same highlight.
  expect((await createClip(services, owner, matchId, clipRequest(old.now[1]!))).clipId).toBeGreaterThan(waiting);

  // The clip that waits can still be drawn: the new track holds its ticks, and the old one is nobody's until the sweep.
  const demo = await demoOf(services, old.sha256);
  expect(demo.track_key).not.toBe(trackBefore);
  expect(await services.blobs.stat(trackBefore!)).not.toBeNull();
  const { path, release } = await services.blobs.openLocal(demo.track_key!);
  const { windows } = decodeReplayTrack(gunzipSync(readFileSync(path)));
  await release();
  const { spec } = await database
    .selectFrom("clips")
    .select("spec")
    .where("id", "=", waiting)
    .executeTakeFirstOrThrow();
  for (const { startTick, endTick } of spec.segments) {
    expect(windows.some((window) => window.startTick <= startTick && window.endTick >= endTick)).toBe(true);
  }
});

test("an import of the same address by the same player detects anew once, and answers as the match they have", async () => {
  const services = await open();
  const owner = await addPlayer(services, "76561199999910011");
  const first = await importReel(services, owner);
  expect(await importReel(services, owner)).toEqual({ id: first.id, isNew: false });
  const old = await makeOld(services, await sha256Of(services, first.id));

  const second = await importReel(services, owner);
  expect(second.isNew).toBe(true);
  await expectUpToDate(services, old);
  expect(await matchDetail(services, owner, second.id, { includePlayers: false })).toMatchObject({
    match_id: first.id,
    processing_status: "completed",
    highlights_count: old.now.length,
  });
  expect(await importReel(services, owner)).toEqual({ id: first.id, isNew: false });
});

test("the background brings a demo up to date from its track, and tries one that it cannot read once", async () => {
  const lines: Record<string, unknown>[] = [];
  const services = {
    ...(await open()),
    log: pino({ level: "info" }, { write: (line: string) => lines.push(JSON.parse(line)) }),
  };
  const { database, blobs } = services;
  const owner = await addPlayer(services, "76561199999910021");
  const { id } = await importReel(services, owner);
  const sha256 = await sha256Of(services, id);
  const unreadable = await copyDemo(database, sha256, "de_nuke", "unreadable");
  const deleted = await copyDemo(database, sha256, "de_train", "deleted");
  const old = await makeOld(services, sha256);
  const damaged = join(mkdtempSync(join(services.scratchDirectory, "test-")), "track");
  writeFileSync(damaged, gzipSync("CCRT and so on"));
  await blobs.putFile("demos/damaged/track.bin", damaged, "application/octet-stream");
  await makeOld(services, unreadable);
  await makeOld(services, deleted);
  const stand = (track_key: string | null) => ({ track_key, file_key: null, file_bytes: null });
  await database.updateTable("demos").set(stand("demos/damaged/track.bin")).where("sha256", "=", unreadable).execute();
  await database.updateTable("demos").set(stand(null)).where("sha256", "=", deleted).execute();
  // Without its file: the track alone has to do.
  await database.updateTable("demos").set({ file_key: null }).where("sha256", "=", sha256).execute();
  const before = await Promise.all([unreadable, deleted].map((demo) => allHighlights(database, demo)));
  const trackBefore = (await demoOf(services, sha256)).track_key;

  await redetectOldDemos(services, firstTry);
  await expectUpToDate(services, old);
  expect((await demoOf(services, sha256)).track_key).toBe(trackBefore);
  expect(await Promise.all([unreadable, deleted].map((demo) => allHighlights(database, demo)))).toEqual(before);
  expect(await demoOf(services, unreadable)).toMatchObject({
    detector_version: detectorVersion - 1,
    detection_tried: detectorVersion,
  });
  expect(await demoOf(services, deleted)).toMatchObject({
    detector_version: detectorVersion - 1,
    detection_tried: null,
  });
  const told = () => lines.filter(({ msg }) => msg === "highlights detected anew");
  expect(told()).toMatchObject([{ whole: 1, partly: 0, not: 1, failed: 0 }]);

  lines.length = 0;
  await redetectOldDemos(services, firstTry);
  expect(lines).toEqual([]);
});

test("what a track does not hold comes from the file while that is kept, and else is left to the next import", async () => {
  const services = await open();
  const { database, blobs } = services;
  const owner = await addPlayer(services, "76561199999910031");
  const { id } = await importReel(services, owner);
  const sha256 = await sha256Of(services, id);
  const withoutFile = await copyDemo(database, sha256, "de_nuke", "without its file");
  const demo = await demoOf(services, sha256);
  expect(demo.file_key).not.toBeNull();
  const local = await blobs.openLocal(demo.track_key!);
  const track = decodeReplayTrack(gunzipSync(readFileSync(local.path)));
  await local.release();
  // As tracks were that held what is around highlights alone.
  const [first, ...windows] = track.windows.filter(({ tickStep }) => tickStep === 2);
  const path = join(mkdtempSync(join(services.scratchDirectory, "test-")), "track");
  writeFileSync(path, gzipSync(encodeReplayTrack({ ...track, windows })));
  await blobs.putFile("demos/narrow/track.bin", path, "application/octet-stream");
  await database.updateTable("demos").set({ track_key: "demos/narrow/track.bin" }).execute();
  await database.updateTable("demos").set({ file_key: null }).where("sha256", "=", withoutFile).execute();
  const old = await makeOld(services, sha256);
  const other = await makeOld(services, withoutFile);

  await redetectOldDemos(services, firstTry);
  await expectUpToDate(services, old);
  expect((await demoOf(services, sha256)).track_key).not.toBe("demos/narrow/track.bin");
  expect(await demoOf(services, withoutFile)).toMatchObject({
    track_key: "demos/narrow/track.bin",
    detector_version: detectorVersion - 1,
    detection_tried: detectorVersion,
  });
  const { endTick } = first!;
  const listed = await demoHighlights(services, withoutFile);
  expect(facts(listed)).toEqual(facts(other.now.filter((row) => row.start_tick > endTick)));
  expect(listed.length).toBeLessThan(other.now.length);

  const matchId = await giveMatch(services, owner.steam_id, withoutFile);
  expect(await matchDetail(services, owner, matchId, { includePlayers: false })).toMatchObject({
    highlights_count: listed.length,
  });
});

test("a record that was read by an older version is read anew from the file, and without it is left to the next import", async () => {
  const services = await open();
  const { database, blobs } = services;
  const { id } = await importReel(services, await addPlayer(services, "76561199999910035"));
  const sha256 = await sha256Of(services, id);
  const withoutFile = await copyDemo(database, sha256, "de_nuke", "without its file");
  const local = await blobs.openLocal((await demoOf(services, sha256)).track_key!);
  const track = decodeReplayTrack(gunzipSync(readFileSync(local.path)));
  await local.release();
  expect(track.record.reading).toBe(readingVersion);
  // Read when a headshot was none.
  const { reading: _, ...record } = track.record;
  const kills = record.kills.map((kill) => ({ ...kill, headshot: false }));
  const path = join(mkdtempSync(join(services.scratchDirectory, "test-")), "track");
  writeFileSync(path, gzipSync(encodeReplayTrack({ ...track, record: { ...record, kills } })));
  await blobs.putFile("demos/older/track.bin", path, "application/octet-stream");
  await database.updateTable("demos").set({ track_key: "demos/older/track.bin" }).execute();
  await database.updateTable("demos").set({ file_key: null }).where("sha256", "=", withoutFile).execute();
  const old = await makeOld(services, sha256);
  await makeOld(services, withoutFile);

  await redetectOldDemos(services, firstTry);
  await expectUpToDate(services, old);
  expect(await demoOf(services, withoutFile)).toMatchObject({
    detector_version: detectorVersion - 1,
    detection_tried: detectorVersion,
  });
  const types = (await demoHighlights(services, withoutFile)).map(({ type }) => type);
  expect(types).toContain("ace");
  expect(types).not.toContain("headshot_streak");
});

test("a player's import or clip comes before the background, in the middle of a demo too", async () => {
  const services = await open();
  const { database, jobs } = services;
  const owner = await addPlayer(services, "76561199999910041");
  const { id } = await importReel(services, owner);
  const old = await makeOld(services, await sha256Of(services, id));
  const press = () => jobs.send("render", { clipId: 1 }, { ownerId: owner.id });
  await press();
  await expect(redetectOldDemos(services, firstTry)).rejects.toBeInstanceOf(PostponeJob);
  expect((await demoOf(services, old.sha256)).detection_tried).toBeNull();

  await jobs.cancel("render", { clipId: 1 });
  const folder = join(services.scratchDirectory, `redetect-${old.sha256.slice(0, 16)}`);
  const openLocal = services.blobs.openLocal.bind(services.blobs);
  const opening = vi.spyOn(services.blobs, "openLocal").mockImplementationOnce(async (key) => {
    expect(existsSync(folder)).toBe(true);
    await press();
    // Longer than the pass takes to look for players again.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    return openLocal(key);
  });
  await expect(redetectOldDemos(services, firstTry)).rejects.toBeInstanceOf(PostponeJob);
  expect(opening).toHaveBeenCalledTimes(1);
  opening.mockRestore();
  expect(await demoOf(services, old.sha256)).toMatchObject({
    detector_version: detectorVersion - 1,
    detection_tried: null,
  });
  expect(existsSync(folder)).toBe(false);
  await jobs.cancel("render", { clipId: 1 });
  await redetectOldDemos(services, firstTry);
  await expectUpToDate(services, old);
  expect(await database.selectFrom("demos").select("sha256").execute()).toHaveLength(1);
});

test.runIf(canSeeProcesses)(
  "a demo whose process is killed in every try is left as it is, after the others",
  async () => {
    const services = await open();
    const { database } = services;
    const owner = await addPlayer(services, "76561199999910061");
    const { id } = await importReel(services, owner);
    const sha256 = await sha256Of(services, id);
    const newer = await copyDemo(database, sha256, "de_nuke", "newer");
    await database
      .updateTable("demos")
      .set({ created_at: new Date(Date.now() + 1000) })
      .where("sha256", "=", newer)
      .execute();
    await database.updateTable("demos").set({ file_key: null }).execute();
    const old = await makeOld(services, sha256);
    await makeOld(services, newer);
    const before = await allHighlights(database, newer);

    const killed = new Set<number>();
    const killer = setInterval(() => {
      const isFirst = existsSync(join(services.scratchDirectory, `redetect-${newer.slice(0, 16)}`));
      for (const { pid } of isFirst ? processesOf(process.pid, "parser") : []) {
        if (killed.has(pid)) continue;
        process.kill(pid, "SIGKILL");
        killed.add(pid);
      }
    }, 20);
    try {
      await expect(redetectOldDemos(services, firstTry)).rejects.toBeInstanceOf(InterruptedError);
      await expectUpToDate(services, old);
      expect((await demoOf(services, newer)).detection_tried).toBeNull();
      const last = redetectOldDemos(services, { ...firstTry, attempt: 4, isLastAttempt: true });
      await expect(last).rejects.toBeInstanceOf(InterruptedError);
    } finally {
      clearInterval(killer);
    }
    expect(killed.size).toBeGreaterThan(1);
    expect(await demoOf(services, newer)).toMatchObject({
      detector_version: detectorVersion - 1,
      detection_tried: detectorVersion,
    });
    await redetectOldDemos(services, firstTry);
    expect(await allHighlights(database, newer)).toEqual(before);
  },
);

test("a pass whose worker is killed is done to its end by the next one", async () => {
  const services = await open("postgres");
  const { database, config } = services;
  const owner = await addPlayer(services, "76561199999910051");
  const { id } = await importReel(services, owner);
  const sha256 = await sha256Of(services, id);
  const all = [sha256];
  for (const seed of ["a", "b", "c"]) all.push(await copyDemo(database, sha256, "de_nuke", seed));
  const olds: OldDemo[] = [];
  for (const each of all) olds.push(await makeOld(services, each));

  const startWorker = async (): Promise<ChildProcess> => {
    const worker = forkSource(new URL("../../tests/api/worker-process.ts", import.meta.url), [], {
      NODE_ENV: "test",
      LOG_LEVEL: "silent",
      ROLE: "worker",
      HISTORY_PROVIDER: "none",
      DATABASE_URL: config.DATABASE_URL,
      DATA_DIR: config.DATA_DIR,
    });
    await once(worker, "message");
    return worker;
  };
  const root = join(config.DATA_DIR, "scratch");
  const isAtWork = () =>
    readdirSync(root).some((own) => readdirSync(join(root, own)).some((name) => name.startsWith("redetect-")));
  const first = await startWorker();
  while (!isAtWork()) await new Promise((resolve) => setTimeout(resolve, 5));
  const killed = once(first, "exit");
  first.kill("SIGKILL");
  await killed;
  const left = async () => {
    const rows = await database
      .selectFrom("demos")
      .select("sha256")
      .where("detector_version", "<", detectorVersion)
      .execute();
    return rows.length;
  };
  expect(await left()).toBeGreaterThan(0);
  const second = await startWorker();
  try {
    while ((await left()) > 0) {
      // What the dead one had in hand is tried again at once, when the queue has noticed.
      await sql`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`.execute(database);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  } finally {
    const ended = once(second, "exit");
    second.kill("SIGKILL");
    await ended;
  }
  for (const old of olds) await expectUpToDate(services, old);
});
