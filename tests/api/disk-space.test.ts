import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { noPictures } from "../../backend/matches/no-pictures.ts";
import { startWorkers } from "../../backend/start-workers.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { Match, MatchDetail, ProcessingState } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type DemoHost, startDemoHost } from "../services/demo-host.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { finishClip, giveMatch, storeReel } from "./stored-reel.ts";

const noRoom =
  "This server has no disk space left, so nothing new can be stored. Everything is still here to see and to delete.";
const steamId = "76561199999950300";

let demos: DemoHost;
let server: RunningApi;
let player: ApiVisitor;
let matchId: string;
let clipId: number;

/** What the disk has room for; the real one has for everything. */
let disk: "roomy" | "short" | "full" = "roomy";
/** Then it has room again once the import's own files are gone. */
let isFilledByImport = false;

beforeAll(async () => {
  demos = await startDemoHost();
  server = await startApi({ IMPORT_ALLOW_HOSTS: demos.host, REQUESTS_PER_MINUTE: "100000" });
  server.services.diskSpace = {
    freeBytes: () => (disk === "full" ? 0 : 1e12),
    reserveBytes: () => 0,
    isShort: (afresh) => disk !== "roomy" && !(afresh && isFilledByImport),
    isFull: () => disk === "full",
  };
  player = new ApiVisitor(server.url);
  await player.signIn(steamId, "last block");
  matchId = await giveMatch(server.services, steamId, await storeReel(server.services));
  clipId = (await createClip()).id;
  await finishClip(server.services, clipId);
});
afterAll(async () => {
  await server.close();
  await demos.close();
});
beforeEach(() => {
  disk = "roomy";
});

async function createClip(): Promise<Clip> {
  const { highlights } = await player.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  const knife = highlights.find((highlight) => highlight.highlight_type === "knife_kill");
  return player.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, {
    name: "",
    highlight_ids: [knife?.id],
    render_settings: { pre_time_adjustment: 0, post_time_adjustment: -1.5 },
  });
}

async function answerOf(visitor: ApiVisitor, method: string, path: string, body?: unknown) {
  const response = await visitor.request(method, path, body);
  const text = await response.text();
  return { status: response.status, ...(text ? JSON.parse(text) : {}) };
}

function upload(): Promise<Response> {
  const form = new FormData();
  form.set("demo_file", new Blob([new Uint8Array(1000)]), "match.dem");
  return fetch(`${server.url}/api/matches/upload-file/`, {
    method: "POST",
    headers: {
      Cookie: player.cookieHeader,
      "X-XSRF-TOKEN": decodeURIComponent(player.cookies.get("XSRF-TOKEN") ?? ""),
    },
    body: form,
  });
}

test("On a full disk pages are read, things deleted and likes taken back; what stores anew gets the sentence", async () => {
  const ready = await (await fetch(`${server.url}/readyz`)).json();
  expect(ready.checks).toMatchObject({ disk: "ok" });
  await player.call("POST", `/api/matches/clips/${clipId}/like/`, {});
  const doomed = await createClip();
  const other = new ApiVisitor(server.url);
  await other.signIn("76561199999950301", "leaves");

  disk = "full";
  const refused = { status: 507, error: "disk_full", detail: noRoom };
  const url = "https://demos.example/a.dem";
  expect(await answerOf(player, "POST", "/api/matches/upload-demo/", { demo_url: url })).toMatchObject(refused);
  expect(await answerOf(player, "POST", "/api/matches/import-sample/", {})).toMatchObject(refused);
  expect(await answerOf(player, "POST", `/api/matches/${matchId}/retry/`, {})).toMatchObject(refused);
  await expect(createClip()).rejects.toThrow("507");
  expect((await upload()).status).toBe(507);

  for (const path of [
    "/api/matches/",
    `/api/matches/${matchId}/`,
    `/api/matches/clips/${clipId}/`,
    "/api/top-highlights/",
  ]) {
    expect((await player.request("GET", path)).status).toBe(200);
  }
  const viewer = new ApiVisitor(server.url);
  expect(await viewer.call("POST", `/api/matches/clips/${clipId}/view/`, {})).toEqual({ views_count: 0 });
  const like = `/api/matches/clips/${clipId}/like/`;
  expect(await player.call("POST", like, {})).toEqual({ liked: false, likes_count: 0 });
  expect(await answerOf(player, "POST", like, {})).toMatchObject(refused);
  expect((await player.request("DELETE", `/api/matches/clips/${doomed.id}/delete/`)).status).toBe(204);
  expect((await other.request("POST", "/api/auth/logout/", {})).status).toBe(200);
  // Signing in writes little, and is tried.
  await other.signIn("76561199999950301", "comes back");

  // Readiness is looked at once in some seconds.
  server.passTime(10_000);
  const notReady = await fetch(`${server.url}/readyz`);
  expect(notReady.status).toBe(503);
  expect((await notReady.json()).checks).toMatchObject({ disk: "failed", database: "ok" });
  server.passTime(10_000);
  disk = "roomy";
  expect(await player.call("POST", like, {})).toEqual({ liked: true, likes_count: 1 });
});

test("A write for which the database finds no room is answered with the sentence, and a page read without one", async () => {
  const { database } = server.services;
  // What PostgreSQL says when a table cannot grow.
  await sql`CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$`.execute(database);
  const tables = ["likes", "views", "sessions"];
  for (const table of tables) {
    const no = sql.raw(`CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION no_room()`);
    await no.execute(database);
  }
  await database.deleteFrom("likes").execute();
  expect(await answerOf(player, "POST", `/api/matches/clips/${clipId}/like/`, {})).toMatchObject({
    status: 507,
    detail: noRoom,
  });
  const viewer = new ApiVisitor(server.url);
  expect(await viewer.call("POST", `/api/matches/clips/${clipId}/view/`, {})).toMatchObject({ views_count: 0 });
  // Long enough that the session's last use would be written.
  server.passTime(600_000);
  expect((await player.request("GET", "/api/matches/")).status).toBe(200);
  const stranger = new ApiVisitor(server.url);
  await stranger.signIn("76561199999950302", "no room");
  expect((await stranger.request("GET", "/api/matches/")).status).toBe(401);
  for (const table of tables) await sql.raw(`DROP TRIGGER no_room ON ${table}`).execute(database);
  expect((await player.request("POST", `/api/matches/clips/${clipId}/like/`, {})).status).toBe(200);
});

test("A match whose pictures are missing is opened on a full disk, and without room in the database", async () => {
  const { database, jobs } = server.services;
  await database.updateTable("demos").set(noPictures).execute();
  const sha256 = await database.selectFrom("demos").select("sha256").executeTakeFirstOrThrow();
  await jobs.cancel("pictures", sha256);
  const open = async () => (await player.request("GET", `/api/matches/${matchId}/`)).status;
  disk = "full";
  expect([await open(), await jobs.isOpen("pictures", sha256)]).toEqual([200, false]);
  disk = "roomy";
  await sql`CREATE FUNCTION no_room_for_pictures() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER no_room BEFORE UPDATE ON demos EXECUTE FUNCTION no_room_for_pictures()`.execute(database);
  expect([await open(), await jobs.isOpen("pictures", sha256)]).toEqual([200, false]);
  await sql`DROP TRIGGER no_room ON demos`.execute(database);
  expect([await open(), await jobs.isOpen("pictures", sha256)]).toEqual([200, true]);
});

test("While the disk is short an upload is refused with a sentence, an import and a render wait with one", async () => {
  disk = "short";
  const refusal = await upload();
  expect(refusal.status).toBe(507);
  expect((await refusal.json()).detail).toBe("This server has no disk space left for the demo. Try again later.");

  await startWorkers(server.services);
  const match = await player.call<Match>("POST", "/api/matches/upload-demo/", {
    demo_url: demos.url("highlights-reel.dem.gz"),
  });
  const clip = await createClip();
  const importPath = `/api/matches/${match.id}/status/`;
  const waiting = await player.poll<ProcessingState>(
    importPath,
    (state) => state.status_display.includes("waiting") || !state.is_processing,
  );
  expect(waiting).toMatchObject({
    status: "queued",
    status_display: "Queued, waiting for free disk space on this server",
    error: null,
  });
  const clipPath = `/api/matches/clips/${clip.id}/status/`;
  const postponed = await player.poll<Clip>(
    clipPath,
    (state) => state.render_error !== null || state.render_status !== "queued",
  );
  expect(postponed).toMatchObject({
    render_status: "queued",
    render_error: "Waiting for free disk space on this server.",
  });

  disk = "roomy";
  const { database } = server.services;
  const postponedJobs = sql`SELECT id FROM pgboss.job WHERE state = 'retry' AND start_after > now()
    AND name IN ('import', 'render')`;
  await expect.poll(async () => (await postponedJobs.execute(database)).rows, { timeout: 60_000 }).toHaveLength(2);
  await sql`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`.execute(database);
  await player.poll<ProcessingState>(importPath, (state) => state.is_completed);
  // The reel of this file has no replay track, so the render has begun and says so.
  const begun = await player.poll<Clip>(clipPath, (state) => state.render_status !== "queued");
  expect(begun.render_error).not.toBe("Waiting for free disk space on this server.");
});

test("An import under which the disk becomes full waits when others fill it, and fails when it does alone", async () => {
  const slow = await startDemoHost({ bytesPerSecond: 40_000 });
  server.services.config.IMPORT_ALLOW_HOSTS.push(slow.host);
  try {
    for (const filledBy of ["others", "itself"] as const) {
      disk = "roomy";
      const match = await player.call<Match>("POST", "/api/matches/upload-demo/", {
        demo_url: `${slow.url("highlights-reel.dem.gz")}?filled-by=${filledBy}`,
      });
      const path = `/api/matches/${match.id}/status/`;
      await player.poll<ProcessingState>(path, (state) => state.status === "downloading_demo");
      isFilledByImport = filledBy === "itself";
      disk = "full";
      const ended = await player.poll<ProcessingState>(path, (state) => state.status !== "downloading_demo");
      if (filledBy === "others")
        expect(ended.status_display).toBe("Queued, waiting for free disk space on this server");
      else {
        expect(ended).toMatchObject({
          status: "failed",
          error: "This server has no disk space left for the demo. Try again later.",
        });
      }
    }
  } finally {
    await slow.close();
  }
});
