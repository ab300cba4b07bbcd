import { afterAll, expect, test } from "vitest";
import type { MatchDetail, MatchList } from "../../contract/schemas/matches.ts";
import type { ProcessingStatus } from "../../contract/statuses.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { finishClip, giveMatch, storeReel } from "./stored-reel.ts";

/** One connection and many: what the embedded database cannot do at once, a server does. */
const kinds = ["embedded", "postgres"] as const;
const servers = new Map<string, Promise<{ server: RunningApi; reel: string }>>();

afterAll(async () => {
  for (const opened of servers.values()) await (await opened).server.close();
});

function serverOn(kind: (typeof kinds)[number]) {
  const known = servers.get(kind);
  if (known) return known;
  const opened = startApi({}, kind).then(async (server) => ({ server, reel: await storeReel(server.services) }));
  servers.set(kind, opened);
  return opened;
}

let nextSteamId = 76561199999920000n;

async function newPlayer(kind: (typeof kinds)[number]) {
  const { server, reel } = await serverOn(kind);
  const visitor = new ApiVisitor(server.url);
  const steamId = String(nextSteamId++);
  await visitor.signIn(steamId, "racer");
  const matchId = await giveMatch(server.services, steamId, reel);
  const { highlights } = await visitor.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  return { server, visitor, matchId, highlightIds: highlights.map(({ id }) => id) };
}

test.each(kinds)("Of twenty clips created at once three are accepted (%s)", async (kind) => {
  const { server, visitor, matchId, highlightIds } = await newPlayer(kind);
  const responses = await Promise.all(
    Array.from({ length: 20 }, () =>
      visitor.request("POST", `/api/matches/${matchId}/clips/create/`, {
        name: "",
        highlight_ids: highlightIds.slice(0, 1),
      }),
    ),
  );
  expect(responses.map((response) => response.status).sort()).toEqual([201, 201, 201, ...Array(17).fill(429)]);
  const clips = await visitor.call<{ id: number }[]>("GET", `/api/matches/${matchId}/clips/`);
  expect(clips).toHaveLength(3);
  // The seventeen refusals have used up no number.
  const newest = Math.max(...clips.map(({ id }) => id));
  await finishClip(server.services, newest);
  const create = { name: "", highlight_ids: highlightIds.slice(0, 1) };
  const next = await visitor.call<{ id: number }>("POST", `/api/matches/${matchId}/clips/create/`, create);
  expect([...clips.map(({ id }) => id), next.id].sort((a, b) => a - b)).toEqual(
    Array.from({ length: 4 }, (_, at) => newest - 2 + at),
  );
});

test.each(kinds)("Likes of many players at once are all counted (%s)", async (kind) => {
  const { server, visitor, matchId, highlightIds } = await newPlayer(kind);
  const clip = await visitor.call<{ id: number }>("POST", `/api/matches/${matchId}/clips/create/`, {
    name: "",
    highlight_ids: highlightIds.slice(0, 1),
  });
  await finishClip(server.services, clip.id);
  const fans = [await newPlayer(kind), await newPlayer(kind), await newPlayer(kind), await newPlayer(kind)];
  // Three toggles each: an odd number ends as liked.
  await Promise.all(
    fans.flatMap((fan) => [1, 2, 3].map(() => fan.visitor.call("POST", `/api/matches/clips/${clip.id}/like/`))),
  );
  expect(await visitor.call("GET", `/api/matches/clips/${clip.id}/likes/`)).toMatchObject({ likes_count: fans.length });
});

test.each(kinds)("One viewer who plays a clip many times at once is one view (%s)", async (kind) => {
  const { server, visitor, matchId, highlightIds } = await newPlayer(kind);
  const clip = await visitor.call<{ id: number }>("POST", `/api/matches/${matchId}/clips/create/`, {
    name: "",
    highlight_ids: highlightIds.slice(0, 1),
  });
  await finishClip(server.services, clip.id);
  await Promise.all(Array.from({ length: 10 }, () => visitor.call("POST", `/api/matches/clips/${clip.id}/view/`)));
  expect(await visitor.call("GET", `/api/matches/clips/${clip.id}/views/`)).toEqual({ views_count: 1 });
});

test.each(kinds)("The same address pasted many times at once is one import (%s)", async (kind) => {
  const { visitor } = await newPlayer(kind);
  const responses = await Promise.all(
    Array.from({ length: 8 }, () =>
      visitor.request("POST", "/api/matches/upload-demo/", { demo_url: "https://demos.example/same.dem" }),
    ),
  );
  expect(responses.map((response) => response.status).sort()).toEqual([...Array(7).fill(200), 201]);
  const list = await visitor.call<MatchList>("GET", "/api/matches/");
  expect(list.count).toBe(2);
});

test.each(kinds)(
  "Of eight demos imported at once four are accepted, and each that ends makes room (%s)",
  async (kind) => {
    const { server, visitor } = await newPlayer(kind);
    const paste = (n: number) =>
      visitor.request("POST", "/api/matches/upload-demo/", { demo_url: `https://demos.example/${n}.dem` });
    const responses = await Promise.all(Array.from({ length: 8 }, (_, n) => paste(n)));
    expect(responses.map((response) => response.status).sort()).toEqual([...Array(4).fill(201), ...Array(4).fill(429)]);
    const refused = responses.find((response) => response.status === 429);
    expect(refused?.headers.get("retry-after")).toBe("30");
    expect(await refused?.json()).toMatchObject({
      error: "imports_under_way",
      detail: "You have 4 imports waiting or under way. When one of them is done, you can import the next match.",
    });
    expect((await visitor.request("POST", "/api/matches/import-sample/")).status).toBe(429);
    const list = await visitor.call<MatchList>("GET", "/api/matches/");
    const waiting = list.results.filter((match) => match.processing_status === "queued").map((match) => match.match_id);
    expect(waiting).toHaveLength(4);

    const end = async (id: string | undefined, status: ProcessingStatus) => {
      await server.services.jobs.cancel("import", { matchId: id ?? "" });
      await server.services.database
        .updateTable("matches")
        .set({ status })
        .where("id", "=", id ?? "")
        .execute();
    };
    await end(waiting[0], "failed");
    expect((await paste(8)).status).toBe(201);
    // A new try is an import like any other.
    expect((await visitor.request("POST", `/api/matches/${waiting[0]}/retry/`)).status).toBe(429);
    await end(waiting[1], "completed");
    expect((await visitor.request("POST", `/api/matches/${waiting[0]}/retry/`)).status).toBe(200);
    await visitor.request("DELETE", `/api/matches/${waiting[2]}/delete/`);
    expect((await paste(9)).status).toBe(201);
    expect((await paste(10)).status).toBe(429);
    // Another player has places of their own.
    expect((await (await newPlayer(kind)).visitor.request("POST", "/api/matches/import-sample/")).status).toBe(201);
  },
);
