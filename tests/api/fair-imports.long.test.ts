import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorkers } from "../../backend/start-workers.ts";
import type { Match, MatchList, ProcessingState } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type DemoHost, startDemoHost } from "../services/demo-host.ts";
import { type RunningApi, startApi } from "./start-server.ts";

let demos: DemoHost;
let slowHost: Server;
let slow: string;
let server: RunningApi;

beforeAll(async () => {
  demos = await startDemoHost();
  slowHost = startSlowHost();
  await new Promise<void>((resolve) => slowHost.listen(0, "127.0.0.1", resolve));
  slow = `127.0.0.1:${(slowHost.address() as AddressInfo).port}`;
  // As configured by default: one demo is parsed at a time.
  server = await startApi({ IMPORT_ALLOW_HOSTS: `${demos.host},${slow}`, RENDER_WORKERS: "0" });
  await startWorkers(server.services);
});
afterAll(async () => {
  await server.close();
  await demos.close();
  slowHost.closeAllConnections();
  slowHost.close();
});

/** A demo of a gigabyte that comes at 200 kB a second, for as long as anybody reads. */
function startSlowHost(): Server {
  return createServer((_, response) => {
    response.writeHead(200, { "Content-Length": 2 ** 30, "Content-Type": "application/octet-stream" });
    response.write(Buffer.concat([Buffer.from("PBDEMS2\0"), Buffer.alloc(20_000)]));
    const timer = setInterval(() => response.write(Buffer.alloc(20_000)), 100);
    response.on("close", () => clearInterval(timer));
  });
}

let nextSteamId = 76561199999960000n;

async function newPlayer(): Promise<ApiVisitor> {
  const visitor = new ApiVisitor(server.url);
  await visitor.signIn(String(nextSteamId++), "importer");
  return visitor;
}

const paste = (player: ApiVisitor, demoUrl: string) =>
  player.request("POST", "/api/matches/upload-demo/", { demo_url: demoUrl });

const stateOf = (player: ApiVisitor, id: string) => player.call<ProcessingState>("GET", `/api/matches/${id}/status/`);

const finished = (player: ApiVisitor, id: string) =>
  player.poll<ProcessingState>(`/api/matches/${id}/status/`, (state) => !state.is_processing, { seconds: 100 });

test("While one player has forty imports of a slow host asked for, and others import from it, a sample and another host's demo are done", async () => {
  const greedy = await newPlayer();
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => paste(greedy, `http://${slow}/${n}.dem`)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(36);
  const others = await Promise.all(Array.from({ length: 6 }, () => newPlayer()));
  const theirs = await Promise.all(
    others.map(async (player) => ({
      player,
      id: ((await (await paste(player, `http://${slow}/d.dem`)).json()) as Match).id,
    })),
  );

  const newcomer = await newPlayer();
  const sample = await newcomer.call<Match>("POST", "/api/matches/import-sample/");
  const pasted = (await (await paste(newcomer, demos.url("overtime-reconnect.dem.gz"))).json()) as Match;
  expect(await finished(newcomer, sample.id)).toMatchObject({ status: "completed" });
  expect(await finished(newcomer, pasted.id)).toMatchObject({ status: "completed" });

  // All of that while every slow one was under way: one of the greedy player's, and four in all.
  const { results } = await greedy.call<MatchList>("GET", "/api/matches/");
  expect(results.map(({ processing_status }) => processing_status).sort()).toEqual([
    "downloading_demo",
    "queued",
    "queued",
    "queued",
  ]);
  const states = await Promise.all(theirs.map(({ player, id }) => stateOf(player, id)));
  expect(states.map(({ status }) => status).sort()).toEqual([
    ...Array(3).fill("downloading_demo"),
    ...Array(3).fill("queued"),
  ]);
  expect(
    states
      .map(({ status_display }) => status_display)
      .sort()
      .slice(3),
  ).toEqual([
    "Queued, waiting for its turn, position 1",
    "Queued, waiting for its turn, position 2",
    "Queued, waiting for its turn, position 3",
  ]);

  // Who leaves makes room, in the line too.
  const running = theirs[states.findIndex(({ status }) => status === "downloading_demo")];
  const next = theirs[states.findIndex(({ status_display }) => status_display.endsWith("position 1"))];
  await running?.player.call("DELETE", `/api/matches/${running.id}/delete/`);
  await next?.player.poll<ProcessingState>(
    `/api/matches/${next.id}/status/`,
    (state) => state.status === "downloading_demo",
  );
  for (const { player, id } of theirs)
    if (id !== running?.id) await player.call("DELETE", `/api/matches/${id}/delete/`);
  for (const { match_id } of results) await greedy.call("DELETE", `/api/matches/${match_id}/delete/`);
});

test("Demos that came at the same time are parsed one after another, and say which is next", async () => {
  const players = await Promise.all([newPlayer(), newPlayer(), newPlayer()]);
  const files = ["highlights-reel.dem.gz", "match-de_nuke.dem.zst", "overtime-reconnect.dem.gz?again"];
  const seen = await Promise.all(
    players.map(async (player, index) => {
      const { id } = (await (await paste(player, demos.url(files[index] ?? ""))).json()) as Match;
      const displays: string[] = [];
      const progress: number[] = [];
      await player.poll<ProcessingState>(
        `/api/matches/${id}/status/`,
        (state) => {
          displays.push(state.status_display);
          progress.push(state.progress);
          return !state.is_processing;
        },
        { seconds: 100, everyMs: 50 },
      );
      expect(progress).toEqual([...progress].sort((a, b) => a - b));
      expect(displays.at(-1)).toBe("Completed");
      return displays;
    }),
  );
  expect(seen.flat().filter((text) => text === "Processing demo, waiting for its turn, position 1")).not.toEqual([]);
});
