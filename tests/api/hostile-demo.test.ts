import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorkers } from "../../backend/start-workers.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { InGame } from "../../contract/schemas/in-game.ts";
import type { Match, MatchDetail, ProcessingState } from "../../contract/schemas/matches.ts";
import { unseenMark } from "../../contract/testing/hostile-name.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type DemoHost, startDemoHost } from "../services/demo-host.ts";
import { leavingOut, type RunningApi, startApi } from "./start-server.ts";
import { finishClip } from "./stored-reel.ts";

/* A demo whose map and server have names of twelve megabytes, its clans and weapons of one: tests/fixtures/README.md. */

let demos: DemoHost;
let server: RunningApi;
let player: ApiVisitor;
let match: MatchDetail;

beforeAll(async () => {
  demos = await startDemoHost();
  server = await startApi({ IMPORT_ALLOW_HOSTS: demos.host });
  await startWorkers(leavingOut(server.services, ["pictures", "render"]));
  player = new ApiVisitor(server.url);
  await player.signIn("76561199999952001", "stranger");
  const { id } = await player.call<Match>("POST", "/api/matches/upload-demo/", {
    demo_url: demos.url("hostile-texts.dem.zst"),
  });
  const state = await player.poll<ProcessingState>(`/api/matches/${id}/status/`, (now) => !now.is_processing, {
    seconds: 100,
  });
  expect(state).toMatchObject({ status: "completed", error: null });
  match = await player.call<MatchDetail>("GET", `/api/matches/${id}/?include_players=true`);
});
afterAll(async () => {
  await server.close();
  await demos.close();
});

async function bytesOf(path: string, visitor: ApiVisitor): Promise<number> {
  const response = await visitor.request("GET", path);
  expect(response.status).toBe(200);
  return (await response.arrayBuffer()).byteLength;
}

test("is imported, with texts cut short and nothing in them that turns a page around", () => {
  expect(match.map_name).toMatch(/^de_(mapname)+/);
  expect(match.map_name.length).toBeLessThanOrEqual(64);
  const texts = JSON.stringify(match);
  expect(texts).not.toMatch(unseenMark);
  expect(texts.length).toBeLessThan(60_000);
  const kills = match.highlights.flatMap((highlight) => highlight.kills);
  expect(new Set(kills.map((kill) => kill.weapon_name))).toEqual(
    new Set(["Unknown weapon", "AK-47", "AWP", "Karambit"]),
  );
  const names = Object.values(match.players_by_team ?? {}).flatMap((team) => [
    team.name,
    ...team.players.map(({ name }) => name),
  ]);
  expect(Math.max(...names.map((name) => Array.from(name).length))).toBeLessThanOrEqual(64);
});

test("leaves rows that are small", async () => {
  const { rows } = await sql<{ bytes: number }>`
    SELECT octet_length(row_to_json(d)::text) + (SELECT sum(octet_length(row_to_json(h)::text)) FROM highlights h) AS bytes
    FROM demos d`.execute(server.services.database);
  expect(Number(rows[0]!.bytes)).toBeLessThan(30_000);
});

// How they are drawn: hostile-demo.long.test.ts.
test("gives clips and answers that are small", async () => {
  const chosen = ["wallbang", "no_scope", "knife_kill"].map(
    (type) => match.highlights.find((highlight) => highlight.highlight_type === type)!.id,
  );
  const clip = await player.call<Clip>("POST", `/api/matches/${match.id}/clips/create/`, {
    name: "",
    highlight_ids: chosen,
    render_settings: { pre_time_adjustment: 0, post_time_adjustment: -1.5 },
  });
  expect(Array.from(clip.name).length).toBeLessThanOrEqual(200);
  await finishClip(server.services, clip.id);
  const visitor = new ApiVisitor(server.url);
  expect(await bytesOf(`/api/matches/clips/${clip.id}/`, visitor)).toBeLessThan(60_000);
  expect(await bytesOf("/api/top-highlights/", visitor)).toBeLessThan(120_000);
  expect(await bytesOf("/api/matches/", player)).toBeLessThan(60_000);
});

test("a player whose name the demo writes otherwise than it is shown is told to whoever records in the game", async () => {
  const { id } = await player.call<Match>("POST", "/api/matches/upload-demo/", {
    demo_url: demos.url("cases/odd-names.dem.gz"),
  });
  await player.poll<ProcessingState>(`/api/matches/${id}/status/`, (now) => !now.is_processing, { seconds: 100 });
  const { highlights } = await player.call<MatchDetail>("GET", `/api/matches/${id}/`);
  const clip = await player.call<Clip>("POST", `/api/matches/${id}/clips/create/`, {
    name: "",
    highlight_ids: [highlights.find(({ highlight_type: type }) => type === "ace")!.id],
    render_settings: {},
  });
  const inGame = await player.call<InGame>("GET", `/api/matches/clips/${clip.id}/in-game/`);
  expect(inGame.by_hand).toEqual(["two spaces"]);
  const commands = await (await player.request("GET", inGame.hlae_url)).text();
  expect(commands).toContain("mirv_streams record start");
  expect(commands).not.toContain("spec_player");
});
