import { afterEach, beforeEach, expect, test } from "vitest";
import { createClipSchema } from "../../contract/schemas/create-clip.ts";
import { type HistoryAnswer, type ListedMatch, startHistoryProvider } from "../../tests/services/leetify-server.ts";
import { diskUse } from "../accounts/disk-quota.ts";
import { createClip } from "../clips/create/create-clip.ts";
import { deleteClip } from "../clips/delete-clip.ts";
import { keepMadeClip } from "../clips/keep-made-clip.ts";
import { queuePositions } from "../clips/queue-positions.ts";
import { runRenderJob } from "../clips/render/render-job.ts";
import { startIfRoom } from "../clips/render/start-if-room.ts";
import { detectorVersion } from "../highlights/detector-version.ts";
import { detectHighlights } from "../highlights/index.ts";
import { MatchBuilder } from "../highlights/testing/round-builder.ts";
import { deleteMatch } from "../library/delete-match.ts";
import { importDemoUrl } from "../matches/create-match.ts";
import { completeImport, failImport } from "../matches/match-life.ts";
import { replaceHighlights } from "../matches/replace-highlights.ts";
import { deleteOldTraces } from "../retention/delete-old-traces.ts";
import type { Services } from "../services.ts";
import type { User } from "../storage/schema.ts";
import { type FreshServices, freshServices } from "../storage/testing/fresh-services.ts";
import { automationOf, saveAutomation, stopAutomation } from "./automation-settings.ts";
import { lookForMatches } from "./look-for-matches.ts";
import { makeDueClips } from "./make-clips.ts";

const minuteMs = 60_000;

const record = new MatchBuilder()
  .round({ winner: "a" }, (round) => round.kill(20, "a1", "b1", { weapon: "knife" }))
  .round({ winner: "a" }, (round) => {
    for (const [index, victim] of ["b1", "b2", "b3", "b4", "b5"].entries()) round.kill(20 + index, "a1", victim);
  })
  .round({ winner: "a" }, (round) => {
    for (const [index, victim] of ["b1", "b2", "b3", "b4"].entries()) round.kill(20 + index, "a2", victim);
  })
  .build();
const highlights = detectHighlights(record);

let fresh: FreshServices;
let services: Services;
let history: Awaited<ReturnType<typeof startHistoryProvider>>;
let answers: Record<string, HistoryAnswer>;
let now: Date;
let demos = 0;

beforeEach(async () => {
  answers = {};
  history = await startHistoryProvider(answers);
  now = new Date();
});
afterEach(async () => {
  await fresh.remove();
  await history.close();
});

/** What is stored is tried on both kinds in the first test; a new database on a server costs an eighth of an embedded one. */
async function start(kind: "embedded" | "postgres" = "postgres", environment: Record<string, string> = {}) {
  fresh = await freshServices(kind, {
    HISTORY_PROVIDER: "leetify",
    LEETIFY_API_URL: history.url,
    ...environment,
  });
  services = { ...fresh.services, now: () => now };
}

/** Later, and the provider's answers are no longer kept. */
function pass(ms: number) {
  now = new Date(now.getTime() + ms);
  services = { ...services, config: { ...services.config } };
}

async function addPlayer(index = 0): Promise<User> {
  return await services.database
    .insertInto("users")
    .values({ steam_id: `765611999${String(index).padStart(8, "0")}`, steam_name: `player ${index}` })
    .returningAll()
    .executeTakeFirstOrThrow();
}

const choice = { choice: "best", min_score: 60, players: "me", clips_per_day: 3 } as const;
const settings = { xray: false, hud: true, radar: true, killfeed: true, highlight_info: true, watermark: false };
const chosen = { ...choice, render_settings: { ...settings, pre_time_adjustment: 2, post_time_adjustment: 0 } };

const listed = (id: string, finishedAt: Date): ListedMatch => ({
  id,
  map: "de_nuke",
  demoUrl: `http://127.0.0.1:9/${id}.dem.bz2`,
  finishedAt: finishedAt.toISOString(),
  score: [13, 9],
});

const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * minuteMs);

/** Ends the imports that are open as the import does, with a demo of its own for each in which the player is a1. */
async function finishImports() {
  const { database } = services;
  const open = await database
    .selectFrom("matches")
    .innerJoin("users", "users.id", "matches.user_id")
    .select(["matches.id", "steam_id"])
    .where("status", "=", "queued")
    .execute();
  for (const { id, steam_id } of open) {
    const sha256 = (++demos).toString(16).padStart(64, "0");
    const players = record.players.map(({ name, steamId, team }) => ({
      ...{ name, team },
      steam_id: name === "a1" ? steam_id : steamId,
    }));
    await database
      .insertInto("demos")
      .values({
        ...{ sha256, map: "de_nuke", game_mode: "", server_name: "", track_key: `demos/${sha256}/track-1.bin` },
        players: JSON.stringify(players),
        teams: JSON.stringify([]),
        timing: JSON.stringify({ tickRate: record.tickRate, rounds: record.rounds }),
        detector_version: detectorVersion,
      })
      .execute();
    await database.transaction().execute((transaction) => replaceHighlights(transaction, sha256, highlights));
    await database.updateTable("matches").set({ demo_sha256: sha256 }).where("id", "=", id).execute();
    await completeImport(database, id, now);
    await services.jobs.cancel("import", { matchId: id });
  }
  return open.length;
}

/** A player who had this switched on when a match of theirs appeared, which is imported by now. */
async function playerWithNewMatch(): Promise<User> {
  const player = await addPlayer();
  await saveAutomation(services, player.id, chosen);
  await lookForMatches(services);
  pass(12 * minuteMs);
  answers[player.steam_id] = [listed("m1", minutesAgo(1))];
  await lookForMatches(services);
  await finishImports();
  return player;
}

const clipsOf = (userId: number) =>
  services.database
    .selectFrom("clips")
    .select(["id", "name", "made_for_you", "settings", "queue_slot"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();

/** Of a match that was imported, the one with the highest score. */
async function highlightsOf(matchId: string): Promise<number[]> {
  const best = await services.database
    .selectFrom("highlights")
    .innerJoin("matches", "matches.demo_sha256", "highlights.demo_sha256")
    .select("highlights.id")
    .where("matches.id", "=", matchId)
    .orderBy("score", "desc")
    .executeTakeFirstOrThrow();
  return [best.id];
}

/** Over, as far as the queue is concerned. */
async function finishClips() {
  await services.database
    .updateTable("clips")
    .set({ status: "failed", queue_slot: null })
    .where("queue_slot", "is not", null)
    .execute();
}

for (const kind of ["embedded", "postgres"] as const) {
  test(`a match that appears becomes a clip of the best highlight, once, on ${kind}`, async () => {
    await start(kind);
    const player = await addPlayer();
    answers[player.steam_id] = [listed("old", minutesAgo(60))];
    await saveAutomation(services, player.id, chosen);
    // What was played before is left alone.
    expect(await lookForMatches(services)).toEqual({ looks: 1, failures: 0, imports: 0 });
    expect(await lookForMatches(services)).toMatchObject({ looks: 0 });

    pass(12 * minuteMs);
    answers[player.steam_id] = [listed("new", minutesAgo(1)), listed("old", minutesAgo(72))];
    // Two workers at once: one looks.
    const looks = await Promise.all([lookForMatches(services), lookForMatches(services)]);
    expect(looks.map(({ imports }) => imports).sort()).toEqual([0, 1]);
    expect(await automationOf(services, player.id)).toMatchObject({
      matches_under_way: 1,
      clips_today: 0,
      problem: null,
    });
    await makeDueClips(services);
    expect(await clipsOf(player.id)).toEqual([]);
    expect(await finishImports()).toBe(1);
    const made = await Promise.all([makeDueClips(services), makeDueClips(services)]);
    expect(made.sort()).toEqual([0, 1]);
    const [clip, ...others] = await clipsOf(player.id);
    expect(others).toEqual([]);
    expect(clip).toMatchObject({ made_for_you: true, name: expect.stringContaining("Ace"), settings: { xray: false } });
    expect(await services.jobs.isOpen("render", { clipId: clip!.id })).toBe(true);

    // Deleted, it is not made again, and neither is its match.
    await deleteClip(services, player.id, clip!.id);
    pass(12 * minuteMs);
    await lookForMatches(services);
    await makeDueClips(services);
    const [match] = await services.database.selectFrom("matches").select("id").execute();
    await deleteMatch(services, player.id, match!.id);
    pass(12 * minuteMs);
    expect(await lookForMatches(services)).toMatchObject({ looks: 1, imports: 0 });
    await makeDueClips(services);
    expect(await clipsOf(player.id)).toEqual([]);
    expect(await services.database.selectFrom("matches").select("id").execute()).toEqual([]);
    expect(await automationOf(services, player.id)).toMatchObject({
      matches_found: 1,
      matches_under_way: 0,
      clips_today: 1,
    });
  });
}

test("A match without a date that was played before, or is done with, stays so for as long as it is listed, and is forgotten after", async () => {
  await start("postgres", { DEMO_DATA_DAYS: "3", DEMO_FILE_DAYS: "1", CLIP_DAYS: "3" });
  const user = await addPlayer();
  const { database } = services;
  const undated = (id: string): ListedMatch => ({ ...listed(id, now), finishedAt: "nonsense" });
  const known = () =>
    database.selectFrom("automation_matches").select(["provider_id", "tries"]).orderBy("provider_id").execute();
  answers[user.steam_id] = [undated("before")];
  await saveAutomation(services, user.id, chosen);
  pass(60 * minuteMs);
  await lookForMatches(services);
  answers[user.steam_id] = [undated("new"), undated("before")];
  pass(60 * minuteMs);
  await lookForMatches(services);
  const both = [
    { provider_id: "before", tries: 0 },
    { provider_id: "new", tries: 1 },
  ];
  expect(await known()).toEqual(both);
  await database.updateTable("automation_matches").set({ state: "done" }).where("provider_id", "=", "new").execute();
  for (let day = 0; day < 8; day++) {
    pass(24 * 60 * minuteMs);
    await deleteOldTraces(services);
    await lookForMatches(services);
    expect(await known()).toEqual(both);
  }
  answers[user.steam_id] = [];
  for (let day = 0; day < 4; day++) {
    pass(24 * 60 * minuteMs);
    await lookForMatches(services);
    await deleteOldTraces(services);
  }
  expect(await known()).toEqual([]);
});

test("Clips of every highlight above a score, of the team, keep to the places and to the day's number", async () => {
  await start();
  const player = await addPlayer();
  await saveAutomation(services, player.id, {
    ...chosen,
    choice: "above",
    min_score: 20,
    players: "team",
    clips_per_day: 4,
  });
  await lookForMatches(services);
  pass(12 * minuteMs);
  answers[player.steam_id] = [listed("m1", minutesAgo(1)), listed("m2", minutesAgo(2)), listed("m3", minutesAgo(3))];
  // Two at once.
  expect(await lookForMatches(services)).toMatchObject({ imports: 2 });
  expect(await services.jobs.openOf("import", player.id)).toBe(2);
  await finishImports();
  await makeDueClips(services);
  const first = await clipsOf(player.id);
  // Two at once. The best first, one a player and moment: the ace, then the four kills of a teammate.
  expect(first.map(({ name }) => name)).toEqual([expect.stringContaining("Ace"), expect.stringContaining("a2")]);
  await finishClips();
  await makeDueClips(services);
  await finishClips();
  await makeDueClips(services);
  expect(await clipsOf(player.id)).toHaveLength(4);
  await finishClips();
  pass(12 * minuteMs);
  // The day's number is used up: no further match is imported for it.
  expect(await lookForMatches(services)).toMatchObject({ looks: 1, imports: 0 });
  await makeDueClips(services);
  expect(await clipsOf(player.id)).toHaveLength(4);
  pass(25 * 60 * minuteMs);
  expect(await lookForMatches(services)).toMatchObject({ imports: 1 });
  await makeDueClips(services);
  // What found no room in its day is let go.
  expect(await clipsOf(player.id)).toHaveLength(4);
});

test("What waits by itself takes no place of the player's own presses, nor they of it", async () => {
  await start();
  const player = await addPlayer();
  await saveAutomation(services, player.id, { ...chosen, choice: "above", min_score: 20, players: "team" });
  await lookForMatches(services);
  pass(12 * minuteMs);
  answers[player.steam_id] = [listed("m1", minutesAgo(1)), listed("m2", minutesAgo(2)), listed("m3", minutesAgo(3))];
  expect(await lookForMatches(services)).toMatchObject({ imports: 2 });
  const importByHand = (n: number) => importDemoUrl(services, player, `http://127.0.0.1:9/by-hand-${n}.dem.bz2`);
  for (const n of [1, 2, 3, 4]) expect(await importByHand(n)).toMatchObject({ isNew: true });
  await expect(importByHand(5)).rejects.toMatchObject({ code: "imports_under_way" });
  expect(await services.jobs.openOf("import", player.id, { isAutomatic: true })).toBe(2);
  expect(await services.jobs.openOf("import", player.id, { isAutomatic: false })).toBe(4);
  // One that is asked for by hand as well is one of theirs.
  const { match } = await importDemoUrl(services, player, "http://127.0.0.1:9/m1.dem.bz2");
  expect(match.recent_match_id).toBe("m1");
  expect(await services.jobs.openOf("import", player.id, { isAutomatic: false })).toBe(5);
  await finishImports();

  const request = createClipSchema.parse({
    highlight_ids: await highlightsOf(match.id),
    render_settings: { ...settings, pre_time_adjustment: 2, post_time_adjustment: 0 },
  });
  const press = () => createClip(services, player, match.id, request);
  // Whichever lane is first.
  for (const first of ["automatic", "presses"]) {
    if (first === "automatic") expect(await makeDueClips(services)).toBe(2);
    for (const _ of [1, 2, 3]) expect(await press()).toMatchObject({ isNew: true });
    await expect(press()).rejects.toMatchObject({ code: "queue_limit" });
    if (first === "presses") expect(await makeDueClips(services)).toBe(1);
    expect(await makeDueClips(services)).toBe(0);
    const waiting = (await clipsOf(player.id)).filter(({ queue_slot }) => queue_slot !== null);
    const places = (isAutomatic: boolean) =>
      waiting.filter((clip) => clip.made_for_you === isAutomatic).map(({ queue_slot }) => queue_slot);
    expect(places(false)).toEqual([1, 2, 3]);
    expect(places(true)).toEqual(first === "automatic" ? [4, 5] : [4]);
    await finishClips();
  }

  // A kept one is one of theirs, wherever it waits.
  pass(25 * 60 * minuteMs);
  answers[player.steam_id] = [listed("m4", minutesAgo(1))];
  await lookForMatches(services);
  await finishImports();
  expect(await makeDueClips(services)).toBe(2);
  const kept = (await clipsOf(player.id)).filter(({ queue_slot }) => queue_slot !== null);
  for (const { id } of kept) await keepMadeClip(services, player.id, id);
  expect(await press()).toMatchObject({ isNew: true });
  await expect(press()).rejects.toMatchObject({ code: "queue_limit" });
});

test("What comes by itself takes nothing from the day's imports by press: it has half as many of its own", async () => {
  await start("postgres", { IMPORTS_PER_DAY: "3" });
  const player = await addPlayer();
  await saveAutomation(services, player.id, { ...chosen, players: "me" });
  await lookForMatches(services);
  pass(12 * minuteMs);
  answers[player.steam_id] = [listed("m1", minutesAgo(1)), listed("m2", minutesAgo(2))];
  expect(await lookForMatches(services)).toMatchObject({ imports: 1 });
  await finishImports();
  pass(12 * minuteMs);
  // Of three a day one comes by itself.
  expect(await lookForMatches(services)).toMatchObject({ looks: 1, imports: 0 });
  const importByHand = (n: number) => importDemoUrl(services, player, `http://127.0.0.1:9/by-hand-${n}.dem.bz2`);
  for (const n of [1, 2, 3]) expect(await importByHand(n)).toMatchObject({ isNew: true });
  await expect(importByHand(4)).rejects.toMatchObject({ code: "import_limit" });
});

test("A clip that finds the player's storage full waits for room, says so through every look, and is made when there is some", async () => {
  await start("postgres", { USER_DISK_BYTES: "30000000" });
  const player = await playerWithNewMatch();
  const old = await services.database
    .insertInto("clips")
    .values({
      ...{ user_id: player.id, name: "An old one", spec: "{}", settings: "{}", status: "completed" as const },
      ...{ video_key: "clips/1/video-abcd1234.mp4", poster_key: "clips/1/poster-abcd1234.jpg" },
      ...{ thumbnail_key: "clips/1/thumbnail-abcd1234.jpg", video_bytes: 29_000_000, duration_seconds: 60 },
      ...{ completed_at: now, created_at: now },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  expect(await automationOf(services, player.id)).toMatchObject({ problem: null });
  const isFull = { problem: expect.stringContaining("no room: 29 MB of 30 MB are used"), matches_under_way: 1 };
  for (let looks = 0; looks < 3; looks++) {
    expect(await makeDueClips(services)).toBe(0);
    pass(12 * minuteMs);
    expect(await lookForMatches(services)).toMatchObject({ looks: 1 });
    expect(await automationOf(services, player.id)).toMatchObject(isFull);
  }
  await deleteClip(services, player.id, old.id);
  expect(await automationOf(services, player.id)).toMatchObject({ problem: null, matches_under_way: 1 });
  expect(await makeDueClips(services)).toBe(1);
  expect(await clipsOf(player.id)).toMatchObject([{ made_for_you: true, name: expect.stringContaining("Ace") }]);
  expect(await automationOf(services, player.id)).toMatchObject({ problem: null, matches_under_way: 0 });
});

/** A player with an automatic clip that waits and takes all the room they have left. */
async function fullOfWhatWaits() {
  await start("postgres", { USER_DISK_BYTES: "1000000000" });
  const player = await playerWithNewMatch();
  expect(await makeDueClips(services)).toBe(1);
  const made = await services.database.selectFrom("clips").select(["id", "match_id"]).executeTakeFirstOrThrow();
  services.config.USER_DISK_BYTES = (await diskUse(services, player.id, { isAutomatic: true }))!.usedBytes;
  const byScore = await services.database.selectFrom("highlights").select("id").orderBy("score", "desc").execute();
  const press = (highlight: { id: number } | undefined) => {
    const request = { highlight_ids: [highlight!.id], render_settings: chosen.render_settings, reuse: true };
    return createClip(services, player, made.match_id!, createClipSchema.parse(request));
  };
  return { player, made, press: () => press(byScore.at(-1)), pressForTheSame: () => press(byScore[0]) };
}

const firstTry = { signal: new AbortController().signal, attempt: 0, isLastAttempt: false, isAutomatic: true };

test("A press takes the room of a clip that waits by itself, which waits for room from then on and comes when there is some", async () => {
  const { player, made, press } = await fullOfWhatWaits();
  const pressed = await press();
  expect(pressed.isNew).toBe(true);
  // Its turn before the press's would leave no room for what was promised. Its demo has no replay track: drawn, it would have failed.
  await runRenderJob(services, { clipId: made.id }, firstTry);
  expect(await clipsOf(player.id)).toMatchObject([{ id: pressed.clipId, made_for_you: false }]);
  expect(await startIfRoom(services, pressed.clipId)).toMatchObject({ id: pressed.clipId });
  const waits = { problem: expect.stringContaining("you have no room"), matches_under_way: 1, clips_today: 0 };
  expect(await automationOf(services, player.id)).toMatchObject(waits);
  expect(await makeDueClips(services)).toBe(0);
  await deleteClip(services, player.id, pressed.clipId);
  expect(await makeDueClips(services)).toBe(1);
  const [again] = await clipsOf(player.id);
  expect(again).toMatchObject({ made_for_you: true });
  expect(await startIfRoom(services, again!.id)).toMatchObject({ id: again!.id });
  expect(await automationOf(services, player.id)).toMatchObject({ problem: null, matches_under_way: 0 });
});

test("A clip that is drawn by itself keeps its room, and so does one that its player keeps or had in the queue when they switched it off", async () => {
  const drawn = await fullOfWhatWaits();
  expect(await startIfRoom(services, drawn.made.id)).toMatchObject({ id: drawn.made.id });
  await expect(drawn.press()).rejects.toMatchObject({ code: "disk_quota" });
  await fresh.remove();
  const kept = await fullOfWhatWaits();
  expect(await kept.pressForTheSame()).toEqual({ clipId: kept.made.id, isNew: false });
  await expect(kept.press()).rejects.toMatchObject({ code: "disk_quota" });
  expect(await startIfRoom(services, kept.made.id)).toMatchObject({ id: kept.made.id });
  await fresh.remove();
  const off = await fullOfWhatWaits();
  await off.press();
  await stopAutomation(services, off.player.id);
  expect(await startIfRoom(services, off.made.id)).toMatchObject({ id: off.made.id });
});

test("A clip for which no room is made in a day is let go, and what was said of it with it", async () => {
  await start("postgres", { USER_DISK_BYTES: "1000" });
  const player = await playerWithNewMatch();
  expect(await makeDueClips(services)).toBe(0);
  expect((await automationOf(services, player.id)).problem).toContain("no room");
  pass(25 * 60 * minuteMs);
  expect(await makeDueClips(services)).toBe(0);
  expect(await automationOf(services, player.id)).toMatchObject({ problem: null, matches_under_way: 0 });
});

test("A press for what waits as automatic puts it where presses stand, and the mark goes", async () => {
  await start();
  const [player, other] = [await addPlayer(1), await addPlayer(2)];
  for (const each of [player, other]) {
    await saveAutomation(services, each.id, chosen);
    await lookForMatches(services);
  }
  pass(12 * minuteMs);
  for (const each of [player, other])
    answers[each.steam_id] = [listed(`of ${each.id}`.replace(" ", "-"), minutesAgo(1))];
  await lookForMatches(services);
  const openJobs = () => services.database.transaction().execute((transaction) => services.jobs.allOpen(transaction));
  expect((await openJobs()).map(({ isAutomatic }) => isAutomatic)).toEqual([true, true]);
  const match = await services.database
    .selectFrom("matches")
    .selectAll()
    .where("user_id", "=", other.id)
    .executeTakeFirstOrThrow();
  await importDemoUrl(services, other, match.demo_url!);
  expect((await openJobs()).map(({ isAutomatic, ownerId }) => [ownerId, isAutomatic])).toEqual([
    [other.id, false],
    [player.id, true],
  ]);

  await finishImports();
  await makeDueClips(services);
  const [clip] = await clipsOf(other.id);
  const [behind] = await clipsOf(player.id);
  const [highlight] = await services.database
    .selectFrom("clip_highlights")
    .select("highlight_id")
    .where("clip_id", "=", clip!.id)
    .execute();
  const order = async () => [...(await queuePositions(services)).keys()];
  expect(await order()).toEqual([behind!.id, clip!.id].sort((a, b) => a - b).map(String));
  const later = Math.max(behind!.id, clip!.id);
  const owner = later === clip!.id ? other : player;
  expect(await keepMadeClip(services, owner.id, later)).toBe(true);
  expect(await keepMadeClip(services, owner.id, Math.min(behind!.id, clip!.id))).toBe(false);
  expect((await order())[0]).toBe(String(later));
  expect((await openJobs()).filter(({ name }) => name === "render")[0]).toMatchObject({
    payload: { clipId: later },
    isAutomatic: false,
  });
  expect((await clipsOf(owner.id))[0]).toMatchObject({ made_for_you: false });
  // The same, asked for on the match's page.
  const request = createClipSchema.parse({
    highlight_ids: [highlight!.highlight_id],
    render_settings: { ...settings, pre_time_adjustment: 2, post_time_adjustment: 0 },
    reuse: true,
  });
  expect(await createClip(services, other, match.id, request)).toEqual({ clipId: clip!.id, isNew: false });
  expect((await clipsOf(other.id))[0]).toMatchObject({ made_for_you: false });
});

test("A look under way in a process whose clock is ahead is left to it; one from before the clock was set back is not", async () => {
  await start();
  await saveAutomation(services, (await addPlayer()).id, chosen);
  const leasedUntil = (minutes: number) =>
    services.database
      .updateTable("automation")
      .set({ leased_until: minutesAgo(-minutes) })
      .execute();
  await leasedUntil(2.1);
  expect(await lookForMatches(services)).toMatchObject({ looks: 0 });
  await leasedUntil(60);
  expect(await lookForMatches(services)).toMatchObject({ looks: 1 });
});

test("Off is off: nothing that was begun is taken further, and on again begins anew", async () => {
  await start();
  const player = await addPlayer();
  await saveAutomation(services, player.id, chosen);
  await lookForMatches(services);
  pass(12 * minuteMs);
  answers[player.steam_id] = [listed("m1", minutesAgo(1))];
  await lookForMatches(services);
  await stopAutomation(services, player.id);
  await finishImports();
  await makeDueClips(services);
  expect(await clipsOf(player.id)).toEqual([]);
  pass(12 * minuteMs);
  expect(await lookForMatches(services)).toMatchObject({ looks: 0 });
  await saveAutomation(services, player.id, chosen);
  answers[player.steam_id] = [listed("m2", minutesAgo(1)), listed("m1", minutesAgo(13))];
  expect(await lookForMatches(services)).toMatchObject({ looks: 1, imports: 0 });
});

test.each(["away", "refused", "broken", "cut"] as const)(
  "A provider that is %s is asked less and less often, says so quietly, and what was played meanwhile comes",
  async (answer) => {
    await start();
    const player = await addPlayer();
    await saveAutomation(services, player.id, chosen);
    await lookForMatches(services);
    answers[player.steam_id] = answer;
    const asked: number[] = [];
    for (let minutes = 0; minutes < 360; minutes += 5) {
      pass(5 * minuteMs);
      if ((await lookForMatches(services)).looks > 0) asked.push(minutes);
    }
    // After 10, 20, 40, 80 and then every 120 minutes, give or take a tenth and the steps of this test.
    expect(asked.length).toBeGreaterThanOrEqual(4);
    expect(asked.length).toBeLessThanOrEqual(6);
    const state = await automationOf(services, player.id);
    expect(state.problem).toContain("Leetify");
    expect(state.is_on).toBe(true);
    answers[player.steam_id] = [listed("meanwhile", minutesAgo(100))];
    pass(130 * minuteMs);
    expect(await lookForMatches(services)).toMatchObject({ failures: 0, imports: 1 });
    expect(await automationOf(services, player.id)).toMatchObject({ problem: null });
  },
);

test("An outage is not every player's failure: those who are asked first find it, the others wait for it to end", async () => {
  await start();
  for (let index = 0; index < 20; index++) {
    const player = await addPlayer(index);
    answers[player.steam_id] = "away";
    await saveAutomation(services, player.id, chosen);
  }
  const { looks, failures } = await lookForMatches(services);
  expect(failures).toBe(looks);
  // Four at once, of whom the last may have begun their next.
  expect(looks).toBeLessThanOrEqual(8);
  const failed = await services.database.selectFrom("automation").select("user_id").where("failures", ">", 0).execute();
  expect(failed).toHaveLength(looks);
  for (const steamId of Object.keys(answers)) answers[steamId] = [];
  pass(1000);
  expect(await lookForMatches(services)).toEqual({ looks: 20 - looks, failures: 0, imports: 0 });
});

/** So many players whose histories are due. */
async function duePlayers(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const player = await addPlayer(index);
    answers[player.steam_id] = [];
    await saveAutomation(services, player.id, chosen);
  }
}

const otherProcess = (): Services => ({ ...services, config: { ...services.config } });

test("A quota that is used up in the middle of a turn ends it, and every process waits for as long as the provider says", async () => {
  await start("embedded");
  await duePlayers(20);
  history.answersLeft = 10;
  history.retryAfter = "1800";
  const { looks, failures } = await lookForMatches(services);
  // Four at once.
  expect(looks - failures).toBe(10);
  expect(failures).toBeGreaterThanOrEqual(1);
  expect(failures).toBeLessThanOrEqual(4);
  for (const process of [services, otherProcess()]) expect(await lookForMatches(process)).toMatchObject({ looks: 0 });
  // Who is due is told when the pause ends, not that a look is late.
  const due = await services.database
    .selectFrom("automation")
    .select("user_id")
    .where("looked_at", "is", null)
    .execute();
  const next = (await automationOf(services, due[0]!.user_id)).next_look_at;
  expect(Date.parse(next!) - services.now().getTime()).toBeCloseTo(30 * minuteMs, -4);
  history.answersLeft = Number.POSITIVE_INFINITY;
  pass(29 * minuteMs);
  expect(await lookForMatches(services)).toMatchObject({ looks: 0 });
  expect(history.asked).toHaveLength(looks);
  // Of the others none has failed.
  const failed = await services.database.selectFrom("automation").select("user_id").where("failures", ">", 0).execute();
  expect(failed).toHaveLength(failures);
  pass(minuteMs + 1);
  expect(await lookForMatches(otherProcess())).toEqual({ looks: 20, failures: 0, imports: 0 });
});

test("A provider that refuses and does not say for how long is left alone for twice as long each time, until it answers", async () => {
  await start();
  await duePlayers(30);
  history.answersLeft = 0;
  const isAskedAfter = async (ms: number) => {
    pass(ms);
    return (await lookForMatches(services)).looks > 0;
  };
  expect(await isAskedAfter(0)).toBe(true);
  for (const seconds of [30, 60, 120]) {
    expect(await isAskedAfter((seconds - 1) * 1000)).toBe(false);
    expect(await isAskedAfter(1000)).toBe(true);
  }
  history.answersLeft = Number.POSITIVE_INFINITY;
  expect(await isAskedAfter(240_000)).toBe(true);
  history.answersLeft = 0;
  expect(await isAskedAfter(200 * minuteMs)).toBe(true);
  expect(await isAskedAfter(29_000)).toBe(false);
  expect(await isAskedAfter(1000)).toBe(true);
});

test("Of who is taken off the list of those who may sign in nothing is looked at or made until they are back", async () => {
  await start();
  const player = await addPlayer();
  await saveAutomation(services, player.id, chosen);
  answers[player.steam_id] = [];
  await lookForMatches(services);
  pass(12 * minuteMs);
  answers[player.steam_id] = [listed("m1", minutesAgo(1))];
  const { config } = services;
  const listedAre = (steamIds: string[]) => {
    services = { ...services, config: { ...config, SIGN_IN_ALLOW: steamIds } };
  };
  listedAre(["76561199900000009"]);
  expect(await lookForMatches(services)).toEqual({ looks: 0, failures: 0, imports: 0 });
  listedAre(["76561199900000009", player.steam_id]);
  expect(await lookForMatches(services)).toMatchObject({ looks: 1, imports: 1 });
  await finishImports();
  listedAre(["76561199900000009"]);
  expect(await makeDueClips(services)).toBe(0);
  expect(await clipsOf(player.id)).toEqual([]);
  listedAre([]);
  expect(await makeDueClips(services)).toBe(1);
});

test("A demo whose link has expired is tried three times while it is listed, one whose host is away later each time", async () => {
  await start();
  const player = await addPlayer();
  await saveAutomation(services, player.id, chosen);
  await lookForMatches(services);
  pass(12 * minuteMs);
  answers[player.steam_id] = [listed("expired", minutesAgo(1)), listed("away", minutesAgo(2))];
  const tried: Record<string, number[]> = { expired: [], away: [] };
  for (let hour = 0; hour < 12; hour++) {
    await lookForMatches(services);
    const open = await services.database
      .selectFrom("matches")
      .select(["id", "recent_match_id"])
      .where("status", "=", "queued")
      .execute();
    for (const { id, recent_match_id: listedId } of open) {
      tried[listedId ?? ""]?.push(hour);
      const code = listedId === "away" ? "server_error" : "not_found";
      await failImport(services.database, id, { code, sentence: "The demo is not there." });
      await services.jobs.cancel("import", { matchId: id });
    }
    await makeDueClips(services);
    pass(60 * minuteMs);
  }
  expect(tried).toEqual({ expired: [0, 1, 2], away: [0, 1, 3, 7] });
  expect(await services.database.selectFrom("matches").select("id").execute()).toHaveLength(2);
});

test("A hundred players who are due at once keep to the looks of a minute, and every one gets a turn", async () => {
  await start("postgres", { HISTORY_LOOKS_PER_MINUTE: "30" });
  for (let index = 0; index < 100; index++) {
    const player = await addPlayer(index);
    answers[player.steam_id] = [listed(`m${index}`, new Date(now.getTime() + minuteMs))];
    await saveAutomation(services, player.id, chosen);
  }
  const perMinute: number[] = [];
  let imports = 0;
  for (let minute = 0; minute < 4; minute++) {
    const turns = await Promise.all([lookForMatches(services), lookForMatches(services)]);
    imports += turns.reduce((sum, turn) => sum + turn.imports, 0);
    perMinute.push(turns.reduce((sum, turn) => sum + turn.looks, 0));
    pass(61_000);
  }
  expect(perMinute).toEqual([30, 30, 30, 10]);
  expect(new Set(history.asked).size).toBe(100);
  // Of two workers, each asks four at once.
  expect(history.mostAtOnce()).toBeLessThanOrEqual(8);
  expect(imports).toBe(100);

  // Whoever presses is served before all of them, and their own automatic import is not in their way.
  const [, second] = await services.database.selectFrom("users").selectAll().orderBy("id").execute();
  await importDemoUrl(services, second!, "http://127.0.0.1:9/pressed.dem.bz2");
  const began: { matchId: string; isAutomatic: boolean }[] = [];
  let isEnough = () => {};
  const enough = new Promise<void>((resolve) => {
    isEnough = resolve;
  });
  await services.jobs.work(
    "import",
    { places: 8, automaticPlaces: 4 },
    async ({ matchId }, { isAutomatic, signal }) => {
      began.push({ matchId, isAutomatic });
      if (began.length === 5) isEnough();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      throw signal.reason;
    },
  );
  await enough;
  expect(began.map(({ isAutomatic }) => isAutomatic)).toEqual([false, true, true, true, true]);
  // Half of its places stay free: the next press begins at once.
  await importDemoUrl(services, second!, "http://127.0.0.1:9/again.dem.bz2");
  const third = (await services.database.selectFrom("users").selectAll().orderBy("id").execute())[2]!;
  await importDemoUrl(services, third, "http://127.0.0.1:9/third.dem.bz2");
  await expect.poll(() => began.length).toBe(6);
  expect(began.at(-1)!.isAutomatic).toBe(false);
  const owners = await services.database
    .selectFrom("matches")
    .select("user_id")
    .where(
      "id",
      "in",
      began.filter(({ isAutomatic }) => isAutomatic).map(({ matchId }) => matchId),
    )
    .execute();
  expect(new Set(owners.map(({ user_id }) => user_id)).size).toBe(4);
});
