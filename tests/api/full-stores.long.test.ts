import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runVideoJob } from "../../backend/clips/render/video-job.ts";
import { newMatchId } from "../../backend/matches/new-match-id.ts";
import { startWorkers } from "../../backend/start-workers.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { MatchDetail, ProcessingState } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { startS3, type TestS3 } from "../services/s3.ts";
import { leavingOut, type RunningApi, startApi } from "./start-server.ts";
import { giveMatch, storeReel } from "./stored-reel.ts";

/* A PostgreSQL server and an S3 store without room, while the disk of this machine has plenty. */

let store: TestS3;
let server: RunningApi;
let player: ApiVisitor;
let sha256: string;

const steamId = "76561199999950710";

beforeAll(async () => {
  store = await startS3();
  const { endpoint, bucket, accessKeyId, secretAccessKey, region } = store;
  server = await startApi(
    {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
      S3_REGION: region,
    },
    "postgres",
  );
  player = new ApiVisitor(server.url);
  await player.signIn(steamId, "patient");
  sha256 = await storeReel(server.services);
});
afterAll(async () => {
  await server.close();
  await store.stop();
});

/** Of somebody's demo, which is known here, so that it need not be read: that takes minutes on a machine with other work. */
async function startImport(steamId: string): Promise<() => Promise<boolean>> {
  const visitor = new ApiVisitor(server.url);
  await visitor.signIn(steamId, "importer");
  const { database, jobs } = server.services;
  const { id: ownerId } = await database
    .selectFrom("users")
    .select("id")
    .where("steam_id", "=", steamId)
    .executeTakeFirstOrThrow();
  const id = newMatchId();
  const match = { id, user_id: ownerId, source: "url", demo_url: `https://demos.example/${id}.dem` } as const;
  await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto("matches")
      .values({ ...match, demo_sha256: sha256 })
      .execute();
    await jobs.send("import", { matchId: id }, { ownerId, transaction });
  });
  const path = `/api/matches/${id}/status/`;
  const resting = await visitor.poll<ProcessingState>(
    path,
    (state) => state.status_display.includes("storage") || !state.is_processing,
  );
  expect(resting).toMatchObject({
    status: "queued",
    status_display: "Queued, the storage is full; goes on by itself when there is room",
    error: null,
  });
  return async () => (await visitor.call<ProcessingState>("GET", path)).is_completed;
}

async function createClip(): Promise<Clip> {
  const matchId = await giveMatch(server.services, steamId, sha256);
  const { highlights } = await player.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  const knife = highlights.find(({ highlight_type }) => highlight_type === "knife_kill");
  return player.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, {
    highlight_ids: [knife?.id],
    render_settings: { pre_time_adjustment: 0, post_time_adjustment: -1.5 },
  });
}

async function storeFile(key: string): Promise<void> {
  const path = join(mkdtempSync(join(server.services.scratchDirectory, "file-")), "file");
  writeFileSync(path, "bytes");
  await server.services.blobs.putFile(key, path, "video/mp4");
}

/** Tries it again now that it rests, as if its wait were over: it has used up no try. */
async function tryAgain(name: string): Promise<void> {
  const resting = () =>
    sql`SELECT retry_count FROM pgboss.job WHERE name = ${name} AND state = 'retry' AND start_after > now()`.execute(
      server.services.database,
    );
  await expect.poll(async () => (await resting()).rows, { timeout: 60_000 }).toEqual([{ retry_count: 0 }]);
  await sql`UPDATE pgboss.job SET start_after = now() WHERE name = ${name} AND state = 'retry'`.execute(
    server.services.database,
  );
}

/** A store that had no room is asked again after half a minute. */
async function triedUntil(name: string, isDone: () => Promise<boolean>): Promise<void> {
  const try_ = async () => {
    if (await isDone()) return true;
    await sql`UPDATE pgboss.job SET start_after = now() WHERE name = ${name} AND state = 'retry'`.execute(
      server.services.database,
    );
    return false;
  };
  await expect.poll(try_, { timeout: 120_000, interval: 500 }).toBe(true);
}

const videoRests = "This server's storage is full. The video goes on by itself when there is room.";

test("A video that is made and finds no room in the store rests, in its first try as in its last", async () => {
  store.capacity(store.objects.size);
  const { services } = server;
  const clip = await createClip();
  // No worker is there yet: this test does its job.
  await services.jobs.cancel("render", { clipId: clip.id });
  for (const isLastAttempt of [false, true]) {
    const context = { signal: new AbortController().signal, attempt: 1, isLastAttempt, isAutomatic: false };
    const making = runVideoJob(services, { clipId: clip.id }, context, { name: "render", failed: "" }, () =>
      storeFile(`clips/${clip.id}/video.mp4`),
    );
    await expect(making).rejects.toThrow("full");
    expect(await player.call<Clip>("GET", `/api/matches/clips/${clip.id}/status/`)).toMatchObject({
      render_status: "queued",
      render_error: videoRests,
    });
  }
});

test("While the store has no room imports and renders rest and say so, use up no try, and go on by themselves", async () => {
  await startWorkers(leavingOut(server.services, ["relief", "map", "pictures", "loop", "share"]));
  store.capacity(store.objects.size);
  await expect(storeFile("clips/0/video.mp4")).rejects.toThrow("full");
  const isImported = await startImport("76561199999950711");
  const clip = await createClip();
  const clipPath = `/api/matches/clips/${clip.id}/status/`;
  const rested = await player.poll<Clip>(clipPath, (state) => state.render_error !== null);
  expect(rested).toMatchObject({ render_status: "queued", render_error: videoRests });
  // More often than a job has tries.
  for (let times = 0; times < 6; times++) for (const name of ["import", "render"]) await tryAgain(name);

  store.capacity(Number.POSITIVE_INFINITY);
  await triedUntil("import", isImported);
  // The reel has no replay track here, so the render has begun and says so.
  await triedUntil("render", async () => (await player.call<Clip>("GET", clipPath)).render_error !== videoRests);
});

test("While the database's server has no room an import rests and says so, uses up no try, and goes on by itself", async () => {
  const { database } = server.services;
  // What PostgreSQL says when a table cannot grow.
  await sql`CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$`.execute(database);
  await sql`CREATE TRIGGER no_room BEFORE UPDATE ON matches FOR EACH ROW
    WHEN (NEW.status = 'completed') EXECUTE FUNCTION no_room()`.execute(database);
  store.capacity(Number.POSITIVE_INFINITY);
  const isImported = await startImport("76561199999950712");
  for (let times = 0; times < 6; times++) await tryAgain("import");
  await sql`DROP TRIGGER no_room ON matches`.execute(database);
  await triedUntil("import", isImported);
});
