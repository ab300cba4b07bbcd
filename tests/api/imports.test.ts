import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startWorkers } from "../../backend/start-workers.ts";
import { BlobStoreFullError } from "../../backend/storage/blob-store.ts";
import {
  type Match,
  type MatchDetail,
  type MatchList,
  matchDetailSchema,
  matchListSchema,
  matchSchema,
  type ProcessingState,
  processingStateSchema,
} from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type DemoHost, startDemoHost } from "../services/demo-host.ts";
import { type RunningApi, startApi } from "./start-server.ts";

const fixtures = new URL("../fixtures/demos/", import.meta.url);

let demos: DemoHost;
let slowDemos: DemoHost;
let server: RunningApi;

beforeAll(async () => {
  demos = await startDemoHost();
  slowDemos = await startDemoHost({ bytesPerSecond: 8_000_000 });
  server = await startApi({
    IMPORT_ALLOW_HOSTS: `${demos.host},${slowDemos.host}`,
    IMPORT_WORKERS: "2",
    RENDER_WORKERS: "0",
    IMPORTS_PER_DAY: "6",
    // Stages that last a moment are looked for as often as can be.
    REQUESTS_PER_MINUTE: "100000",
  });
  await startWorkers(server.services);
});
afterAll(async () => {
  await server.close();
  await demos.close();
  await slowDemos.close();
});

let nextSteamId = 76561199999940000n;

async function newPlayer(name = "importer", steamId = String(nextSteamId++)): Promise<ApiVisitor> {
  const visitor = new ApiVisitor(server.url);
  await visitor.signIn(steamId, name);
  return visitor;
}

const paste = (player: ApiVisitor, demoUrl: string) =>
  player.call<Match>("POST", "/api/matches/upload-demo/", { demo_url: demoUrl });

function finished(player: ApiVisitor, matchId: string): Promise<ProcessingState> {
  return player.poll<ProcessingState>(`/api/matches/${matchId}/status/`, (state) => !state.is_processing, {
    seconds: 100,
  });
}

test("A pasted link becomes a match with highlights, and says on the way how far it is", async () => {
  const player = await newPlayer("Кедровник", "76561199999900001");
  const response = await player.request("POST", "/api/matches/upload-demo/", {
    demo_url: `  ${demos.url("highlights-reel.dem.gz")}#fragment `,
  });
  expect(response.status).toBe(201);
  const created = matchSchema.parse(await response.json());
  expect(created).toMatchObject({
    match_type: "imported",
    processing_status: "queued",
    demo_url: demos.url("highlights-reel.dem.gz"),
  });
  const seen: ProcessingState[] = [];
  await player.poll<ProcessingState>(`/api/matches/${created.id}/status/`, (state) => {
    seen.push(processingStateSchema.parse(state));
    return !state.is_processing;
  });
  const progress = seen.map((state) => state.progress);
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect(seen.at(-1)).toMatchObject({ is_completed: true, status: "completed", progress: 1, error: null });
  const match = matchDetailSchema.parse(await player.call("GET", `/api/matches/${created.id}/?include_players=true`));
  expect(match).toMatchObject({
    map_display_name: "Dust II",
    can_create_clips: true,
    highlights_count: match.highlights.length,
    user_outcome: { color_class: "win", formatted_score: "6 - 3" },
  });
  expect(seen.at(-1)?.highlights_found).toBe(match.highlights.length);
  // No renderer works here: the ground of its clips waits for one.
  const { database, jobs } = server.services;
  const { demo_sha256: sha256 } = await database
    .selectFrom("matches")
    .select("demo_sha256")
    .where("id", "=", created.id)
    .executeTakeFirstOrThrow();
  expect(await jobs.isOpen("relief", { sha256: sha256 ?? "" })).toBe(true);
  expect(match.players_by_team?.team1.players.map((one) => one.steam_id)).toContain("76561199999900001");
  const opponent = await newPlayer("opponent", "76561199999900005");
  const same = await paste(opponent, demos.url("highlights-reel.dem.gz"));
  await finished(opponent, same.id);
  expect(await opponent.call("GET", `/api/matches/${same.id}/`)).toMatchObject({
    user_outcome: { color_class: "loss", formatted_score: "3 - 6" },
    highlights: match.highlights.map(({ id }) => ({ id })),
  });
});

test("A full disk ends the import with a sentence, and a later try succeeds", async () => {
  const full = vi.spyOn(server.services.blobs, "putFile").mockRejectedValue(new BlobStoreFullError("no space left"));
  const player = await newPlayer();
  const { id } = await paste(player, demos.url("cases/late-assists.dem.gz"));
  const state = await finished(player, id);
  full.mockRestore();
  expect(state).toMatchObject({ status: "failed", error: expect.stringMatching(/no disk space left/) });
  await player.call("POST", `/api/matches/${id}/retry/`);
  expect(await finished(player, id)).toMatchObject({ status: "completed" });
  await player.request("DELETE", `/api/matches/${id}/delete/`);
});

test("Two players who import the same demo at once share one parse", async () => {
  const stored = vi.spyOn(server.services.blobs, "putFile");
  const one = await newPlayer();
  const two = await newPlayer();
  const [first, second] = await Promise.all([
    paste(one, demos.url("overtime-reconnect.dem.gz")),
    paste(two, `${demos.url("overtime-reconnect.dem.gz")}?other=link`),
  ]);
  expect(await finished(one, first.id)).toMatchObject({ status: "completed" });
  expect(await finished(two, second.id)).toMatchObject({ status: "completed" });
  const highlights = async (player: ApiVisitor, matchId: string) =>
    (await player.call<MatchDetail>("GET", `/api/matches/${matchId}/`)).highlights.map(({ id }) => id);
  const ids = await highlights(one, first.id);
  expect(ids).not.toHaveLength(0);
  expect(await highlights(two, second.id)).toEqual(ids);
  expect(stored.mock.calls.filter(([key]) => key.includes("/track-"))).toHaveLength(1);
  stored.mockRestore();
});

test("The same demo from another address is the match the player has", async () => {
  const player = await newPlayer();
  const first = await paste(player, demos.url("highlights-reel.dem.gz"));
  await finished(player, first.id);
  expect((await paste(player, demos.url("highlights-reel.dem.gz"))).id).toBe(first.id);
  const second = await paste(player, `${demos.url("highlights-reel.dem.gz")}?signature=fresh`);
  expect(second.id).not.toBe(first.id);
  expect(await finished(player, second.id)).toMatchObject({ is_completed: true, match_id: first.id });
  expect((await player.call<Match>("GET", `/api/matches/${second.id}/`)).match_id).toBe(first.id);
  const list = await player.call<MatchList>("GET", "/api/matches/");
  expect(list.results.map((match) => match.id)).toEqual([first.id]);
  expect(list.count).toBe(1);
  expect((await player.request("DELETE", `/api/matches/${second.id}/delete/`)).status).toBe(204);
  expect((await player.request("GET", `/api/matches/${first.id}/`)).status).toBe(404);
});

test.each([
  ["nothing-here.dem", "not_found"],
  ["html.dem", "html_page"],
  ["csgo.dem", "csgo_demo"],
  ["empty.dem", "empty_file"],
  ["cut.dem", "cut_off"],
])("The file %s ends as failed (%s), with its sentence in the list, and can be deleted", async (fileName, code) => {
  const player = await newPlayer();
  const { id } = await paste(player, demos.url(fileName));
  const state = await finished(player, id);
  expect(state).toMatchObject({ status: "failed", is_completed: false, error: expect.stringMatching(/^\S.*\.$/) });
  const row = await server.services.database
    .selectFrom("matches")
    .select("error_code")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(row.error_code).toBe(code);
  const list = await player.call<MatchList>("GET", "/api/matches/");
  expect(list.results[0]?.processing.error).toBe(state.error);
  expect((await player.request("DELETE", `/api/matches/${id}/delete/`)).status).toBe(204);
});

test("A private address is refused", async () => {
  const player = await newPlayer();
  const { id } = await paste(player, "http://127.0.0.1:1/demo.dem");
  expect(await finished(player, id)).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/private network/),
  });
});

test("A failed import can be tried again, and pasting its address again does the same", async () => {
  let isThere = false;
  const demo = readFileSync(new URL("highlights-reel.dem.gz", fixtures));
  const host: Server = createServer((_, response) => {
    response.writeHead(isThere ? 200 : 404, isThere ? { "Content-Length": demo.length } : {});
    response.end(isThere ? demo : "not yet");
  });
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(host.address() as AddressInfo).port}`;
  server.services.config.IMPORT_ALLOW_HOSTS.push(address);
  const player = await newPlayer();
  const { id } = await paste(player, `http://${address}/late.dem.gz`);
  expect((await finished(player, id)).status).toBe("failed");
  expect((await paste(player, `http://${address}/late.dem.gz`)).id).toBe(id);
  expect((await finished(player, id)).status).toBe("failed");
  isThere = true;
  expect((await player.request("POST", `/api/matches/${id}/retry/`)).status).toBe(200);
  expect(await finished(player, id)).toMatchObject({ status: "completed", error: null });
  expect((await player.request("POST", `/api/matches/${id}/retry/`)).status).toBe(409);
  host.closeAllConnections();
  host.close();
});

test("A demo file can be uploaded, whatever it is called", async () => {
  const player = await newPlayer();
  const form = new FormData();
  form.set("note", "a field that nobody asked for");
  form.set("demo_file", new Blob([readFileSync(new URL("highlights-reel.dem.gz", fixtures))]), "../../etc/passwd");
  const response = await upload(player, form);
  expect(response.status).toBe(201);
  const match = matchSchema.parse(await response.json());
  expect(match.demo_url).toBeNull();
  expect(await finished(player, match.id)).toMatchObject({ status: "completed" });
});

test("An uploaded text file ends as failed with its sentence, and a form without a file is refused", async () => {
  const player = await newPlayer();
  const form = new FormData();
  form.set("demo_file", new Blob(["this is not a demo"]), "match.dem");
  const { id } = (await (await upload(player, form)).json()) as Match;
  expect((await finished(player, id)).error).toMatch(/not a CS2 demo/);
  const empty = await upload(player, new FormData());
  expect(empty.status).toBe(400);
  expect(await empty.json()).toMatchObject({ demo_file: ["Please choose a demo file"] });
});

function upload(player: ApiVisitor, form: FormData): Promise<Response> {
  return fetch(`${server.url}/api/matches/upload-file/`, {
    method: "POST",
    body: form,
    headers: {
      Cookie: [...player.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      "X-XSRF-TOKEN": decodeURIComponent(player.cookies.get("XSRF-TOKEN") ?? ""),
    },
  });
}

test("A player without matches is offered the sample match, once", async () => {
  const player = await newPlayer();
  const before = matchListSchema.parse(await player.call("GET", "/api/matches/"));
  expect(before).toMatchObject({ results: [], count: 0, next: null, sample_available: true });
  const sample = await player.call<Match>("POST", "/api/matches/import-sample/");
  expect(await finished(player, sample.id)).toMatchObject({ status: "completed" });
  expect((await player.call<Match>("POST", "/api/matches/import-sample/")).id).toBe(sample.id);
  const after = await player.call<MatchList>("GET", "/api/matches/");
  expect(after).toMatchObject({ count: 1, sample_available: false });
  expect(after.results[0]).toMatchObject({ map_display_name: "Mirage" });
  const file = await server.services.database.selectFrom("demos").select(["file_key"]).execute();
  expect(file.length).toBeGreaterThan(0);
});

test.each([
  ["empty", "", "Please enter a demo URL"],
  ["blank", "   ", "Please enter a demo URL"],
  ["no address", "match.dem", /not a URL/],
  ["not http", "ftp://demos.example/match.dem", /http/],
  ["with a password", "https://user:secret@demos.example/match.dem", /user name/],
  ["too long", `https://demos.example/${"a".repeat(2100)}`, /too long/],
])("What is typed is refused with a sentence at its field: %s", async (_, typed, sentence) => {
  const player = await newPlayer();
  const response = await player.request("POST", "/api/matches/upload-demo/", { demo_url: typed });
  expect(response.status).toBe(400);
  const { demo_url: sentences } = (await response.json()) as { demo_url: string[] };
  expect(sentences).toHaveLength(1);
  expect(sentences[0]).toMatch(sentence);
});

test("Imports of a day are limited, and deleting makes no room", async () => {
  const player = await newPlayer();
  for (let count = 0; count < 6; count++) {
    const match = await paste(player, `http://127.0.0.1:1/${count}.dem`);
    await player.request("DELETE", `/api/matches/${match.id}/delete/`);
  }
  const refused = await player.request("POST", "/api/matches/upload-demo/", { demo_url: "http://127.0.0.1:1/x.dem" });
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({
    error: "import_limit",
    detail: expect.stringMatching(/6 matches a day/),
  });
  server.passTime(24 * 3_600_000 + 1000);
  expect(
    (await player.request("POST", "/api/matches/upload-demo/", { demo_url: "http://127.0.0.1:1/x.dem" })).status,
  ).toBe(201);
});

test("The list is paged, the newest first", async () => {
  const player = await newPlayer();
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) {
    const { id } = await paste(player, `http://127.0.0.1:1/page-${count}.dem`);
    // No more than four may wait at once.
    await finished(player, id);
    ids.unshift(id);
    server.passTime(1000);
  }
  const first = await player.call<MatchList>("GET", "/api/matches/?limit=2&offset=0");
  expect(first.results.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect(first).toMatchObject({ count: 5, next: "/api/matches/?limit=2&offset=2" });
  const last = await player.call<MatchList>("GET", "/api/matches/?limit=2&offset=4");
  expect(last.results.map(({ id }) => id)).toEqual(ids.slice(4));
  expect(last.next).toBeNull();
  for (const query of ["limit=0", "limit=abc", "limit=9999", "offset=-1"]) {
    expect((await player.request("GET", `/api/matches/?${query}`)).status, query).toBe(400);
  }
});

test.each(["downloading_demo", "parsing_demo", "analyzing_highlights"])(
  "A match that is deleted in the stage %s leaves nothing behind",
  async (stage) => {
    const player = await newPlayer();
    const { id } = await paste(player, `${slowDemos.url("match-de_nuke.dem.zst")}?${stage}`);
    // A stage may last a tenth of a second; a look that comes too late would find the match completed.
    const isThere = (state: ProcessingState) => state.status === stage;
    await player.poll(`/api/matches/${id}/status/`, isThere, { seconds: 50, everyMs: 5 });
    expect((await player.request("DELETE", `/api/matches/${id}/delete/`)).status).toBe(204);
    expect(await server.services.jobs.isOpen("import", { matchId: id })).toBe(false);
    expect((await player.request("GET", `/api/matches/${id}/status/`)).status).toBe(404);
    await expect.poll(() => readdirSync(server.services.scratchDirectory), { timeout: 20_000 }).toEqual([]);
    const demo = server.services.database.selectFrom("demos").select("sha256").where("map", "=", "de_nuke");
    expect(await demo.execute()).toEqual([]);
  },
);

test("The state of an import can be asked by address, with a bearer token too", async () => {
  const player = await newPlayer();
  const url = demos.url("highlights-reel.dem.gz");
  const ask = (visitor: ApiVisitor, headers?: Record<string, string>) =>
    visitor.request("POST", "/api/matches/check-demo-processing/", { demo_url: url, leetify_match_id: null }, headers);
  expect(await (await ask(player)).json()).toMatchObject({ is_processing: false, is_completed: false, match_id: null });
  const { id } = await paste(player, url);
  await finished(player, id);
  expect(await (await ask(player)).json()).toMatchObject({ is_completed: true, match_id: id });
  const signedOut = await ask(new ApiVisitor(server.url));
  expect(signedOut.status).toBe(401);
  expect(await signedOut.json()).toMatchObject({ detail: "Authentication required" });
});

test("A recent match is imported once, with what the page knew of it", async () => {
  const player = await newPlayer();
  const body = {
    demo_url: "http://127.0.0.1:1/recent.dem",
    recent_match_id: "5f0c4a1e-recent",
    map_name: "de_nuke",
    game_mode: "Matchmaking",
    score_team1: 13,
    score_team2: 9,
    match_date: "2026-11-01T18:00:00.000Z",
    skip_validation: true,
  };
  const imported = await player.call<Match>("POST", "/api/matches/import-recent-match/", body);
  expect(imported).toMatchObject({
    map_display_name: "Nuke",
    score_team1: 13,
    score_team2: 9,
    match_date: body.match_date,
    recent_match_id: body.recent_match_id,
  });
  expect((await finished(player, imported.id)).status).toBe("failed");
  expect(
    await player.call<ProcessingState>("GET", `/api/matches/recent_${body.recent_match_id}_de_nuke/status/`),
  ).toMatchObject({ match_id: imported.id });
  const forged = await player.request("POST", "/api/matches/import-recent-match/", {
    ...body,
    recent_match_id: "x' OR 1=1 --",
  });
  expect(forged.status).toBe(400);
});
