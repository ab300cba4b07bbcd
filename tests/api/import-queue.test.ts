import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { importRecentMatch } from "../../backend/matches/create-match.ts";
import { reportImport } from "../../backend/matches/match-life.ts";
import type { Match, MatchDetail, MatchList, ProcessingState } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";

let server: RunningApi;

// Nothing takes an import until a test says so.
beforeAll(async () => {
  server = await startApi({ IMPORT_ALLOW_HOSTS: "demos.example" });
});
afterAll(() => server.close());

async function newPlayer(steamId: string): Promise<ApiVisitor> {
  const visitor = new ApiVisitor(server.url);
  await visitor.signIn(steamId, "importer");
  return visitor;
}

const demoUrl = (name: string) => `http://demos.example/${name}.dem`;

async function paste(player: ApiVisitor, name: string): Promise<string> {
  const { id } = await player.call<Match>("POST", "/api/matches/upload-demo/", { demo_url: demoUrl(name) });
  return id;
}

/** Sent as a player's automation does. */
async function importByItself(steamId: string, name: string): Promise<string> {
  const { services } = server;
  const user = await services.database
    .selectFrom("users")
    .selectAll()
    .where("steam_id", "=", steamId)
    .executeTakeFirstOrThrow();
  const unknown = { map: null, gameMode: null, score1: null, score2: null, playedAt: null, providerMatchUrl: null };
  const facts = { recentMatchId: name, leetifyMatchId: name, ...unknown };
  const { match } = await importRecentMatch(services, user, demoUrl(name), facts, { within: async () => {} });
  return match.id;
}

test("Imports that wait say their place: players take turns, and what nobody pressed for comes last", async () => {
  const { services } = server;
  const [ann, ben] = [await newPlayer("76561199999950001"), await newPlayer("76561199999950002")];
  const automatic = await importByItself("76561199999950002", "automatic");
  const [a1, a2, a3] = [await paste(ann, "a1"), await paste(ann, "a2"), await paste(ann, "a3")];
  const [b1, b2] = [await paste(ben, "b1"), await paste(ben, "b2")];
  const line = [a1, b1, a2, b2, a3, automatic];
  const ownerOf = (id: string) => ([a1, a2, a3].includes(id) ? ann : ben);
  const places = () =>
    Promise.all(
      line.map(async (id) => {
        const state = await ownerOf(id).call<ProcessingState>("GET", `/api/matches/${id}/status/`);
        return state.queue_position;
      }),
    );
  expect(await places()).toEqual([1, 2, 3, 4, 5, 6]);

  // All calls say so.
  const { results } = await ann.call<MatchList>("GET", "/api/matches/");
  expect(results.map(({ id, processing }) => [id, processing.queue_position])).toEqual([
    [a3, 5],
    [a2, 3],
    [a1, 1],
  ]);
  expect((await ben.call<MatchDetail>("GET", `/api/matches/${b2}/`)).processing).toMatchObject({
    ...{ status: "queued", status_display: "Queued", queue_position: 4 },
  });
  const byAddress = { demo_url: demoUrl("b1") };
  expect(await ben.call("POST", "/api/matches/check-demo-processing/", byAddress)).toMatchObject({ queue_position: 2 });
  // As somebody may type it again.
  const typed = { demo_url: ` ${byAddress.demo_url.replace("http://", "HTTP://")}#of-ours` };
  expect(await ben.call("POST", "/api/matches/check-demo-processing/", typed)).toMatchObject({ queue_position: 2 });
  const unknown = { demo_url: demoUrl("unknown") };
  expect(await ben.call("POST", "/api/matches/check-demo-processing/", unknown)).toMatchObject({
    queue_position: null,
  });

  // In a process's hand, the first waits there until it may be downloaded, and then waits no longer.
  const begun: string[] = [];
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await services.jobs.work("import", 1, async ({ matchId }) => {
    begun.push(matchId);
    await held;
  });
  await vi.waitFor(() => expect(begun).toEqual([a1]), 10_000);
  expect(await places()).toEqual([null, 1, 2, 3, 4, 5]);
  const waiting = { status: "queued", progress: 0, operation: "waiting for its turn, position 1" } as const;
  await reportImport(services.database, a1, waiting);
  expect(await places()).toEqual([1, 2, 3, 4, 5, 6]);
  await reportImport(services.database, a1, { status: "downloading_demo", progress: 0.1, operation: "25 %" });
  expect(await places()).toEqual([null, 1, 2, 3, 4, 5]);

  // A press for what waits as automatic moves it before those that were pressed for later in turn.
  await ben.call("POST", "/api/matches/upload-demo/", { demo_url: demoUrl("automatic") });
  expect(await places()).toEqual([null, 3, 2, 5, 4, 1]);

  const expected = await places();
  goOn();
  await vi.waitFor(() => expect(begun).toHaveLength(6), 20_000);
  expect(begun.slice(1).map((id) => expected[line.indexOf(id)])).toEqual([1, 2, 3, 4, 5]);
});
