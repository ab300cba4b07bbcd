import { afterAll, beforeAll, expect, test } from "vitest";
import { withUnpackedTrack } from "../../backend/clips/match-replay/unpacked-track.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { giveMatch, storeReel } from "./stored-reel.ts";

const steamId = "76561199999930001";

let server: RunningApi;
let owner: ApiVisitor;
let path: string;
let trackKey: string;
beforeAll(async () => {
  server = await startApi();
  owner = new ApiVisitor(server.url);
  await owner.signIn(steamId, "owner");
  const sha256 = await storeReel(server.services, { hasTrack: true });
  path = `/api/matches/${await giveMatch(server.services, steamId, sha256)}/track/`;
  const { database } = server.services;
  const demo = await database.selectFrom("demos").select("track_key").executeTakeFirstOrThrow();
  trackKey = demo.track_key!;
});
afterAll(() => server.close());

/** How many parts were answered so, as the server's figures tell it. */
async function answered(status: number): Promise<number> {
  const figures = await (await fetch(`${server.url}/metrics`)).text();
  const line = new RegExp(`^clutchcast_http_requests_total\\{.*/track/.*status="${status}"\\} (\\d+)$`, "m").exec(
    figures,
  );
  return Number(line?.[1] ?? 0);
}

test("A part that a browser gives up while it waits is not made", async () => {
  let letGo = () => {};
  let parts = 0;
  const readers = ["x", "y"].map((reader) =>
    withUnpackedTrack(server.services, trackKey, reader, async () => {
      parts++;
      await new Promise<void>((resolve) => {
        const before = letGo;
        letGo = () => [before(), resolve()];
      });
    }),
  );
  await expect.poll(() => parts).toBe(2);
  const leaving = new AbortController();
  const init = { headers: { Cookie: owner.cookieHeader }, signal: leaving.signal };
  const asked = fetch(`${server.url}${path}?round=1`, init);
  setTimeout(() => leaving.abort(), 300);
  await expect(asked).rejects.toThrow();
  await expect.poll(() => answered(499)).toBe(1);
  letGo();
  await Promise.all(readers);
  const part = await owner.request("GET", `${path}?round=1`);
  expect([part.status, await answered(200)]).toEqual([200, 1]);
});

test("A round that is not in the match, and moments that are not, are told from a replay that is gone", async () => {
  for (const query of ["round=99", "highlights=999999"]) {
    const refused = await owner.request("GET", `${path}?${query}`);
    expect(refused.status).toBe(404);
    expect(await refused.json()).toEqual({
      error: "not_found",
      detail: "There is no such part in the replay of this match.",
    });
  }
  await server.services.database.updateTable("demos").set({ track_key: null }).execute();
  const gone = await owner.request("GET", `${path}?round=1`);
  expect(await gone.json()).toEqual({
    error: "not_found",
    detail: "The replay of this match is no longer kept, so it cannot be played.",
  });
});
