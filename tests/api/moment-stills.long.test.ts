import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runPicturesJob } from "../../backend/clips/render/pictures-job.ts";
import { deleteUser, summarizeAccount } from "../../backend/library/delete-user.ts";
import { deleteOrphanBlobs } from "../../backend/retention/delete-orphans.ts";
import type { Highlight } from "../../contract/schemas/highlights.ts";
import type { MatchRounds } from "../../contract/schemas/match-rounds.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { giveMatch, storeReel } from "./stored-reel.ts";

const [makerSteamId, otherSteamId] = ["76561199999970201", "76561199999970202"] as const;
const run = { signal: new AbortController().signal, attempt: 0, isLastAttempt: false, isAutomatic: false };

let server: RunningApi;
let sha256: string;
let maker: ApiVisitor;
let other: ApiVisitor;
let matchId: string;
let otherMatchId: string;
let player: number;

// A real demo, whose pictures are made; what a worker does then is done by the tests.
beforeAll(async () => {
  server = await startApi();
  maker = new ApiVisitor(server.url);
  await maker.signIn(makerSteamId, "maker");
  other = new ApiVisitor(server.url);
  await other.signIn(otherSteamId, "other");
  sha256 = await storeReel(server.services, { hasTrack: true });
  matchId = await giveMatch(server.services, makerSteamId, sha256);
  otherMatchId = await giveMatch(server.services, otherSteamId, sha256);
  const rounds = await maker.call<MatchRounds>("GET", `/api/matches/${matchId}/rounds/`);
  player = rounds.players.findIndex(({ steam_id, team }) => steam_id !== null && team !== null);
  await runPicturesJob(server.services, { sha256 }, run);
});
afterAll(() => server.close());

const mark = (from = 1, to = 9.5) =>
  maker.call<Highlight>("POST", `/api/matches/${matchId}/highlights/`, { round: 2, player, from, to });
const removed = async (id: number) =>
  (await maker.request("DELETE", `/api/matches/${matchId}/highlights/${id}/`)).status === 204;

const isAsked = () => server.services.jobs.isOpen("pictures", { sha256, ofMoments: true });

/** As a worker does what was asked for. */
async function drawStills(): Promise<void> {
  expect(await isAsked()).toBe(true);
  await server.services.jobs.cancel("pictures", { sha256, ofMoments: true });
  await runPicturesJob(server.services, { sha256, ofMoments: true }, run);
}

async function picture(name: string, [visitor, match] = [maker, matchId]) {
  const { pictures_url: url } = await visitor.call<MatchDetail>("GET", `/api/matches/${match}/`);
  const answer = await visitor.request("GET", `${url}${name}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, isKept: answer.headers.get("cache-control")?.includes("immutable"), bytes };
}

const stillOf = (id: number, ...of: Parameters<typeof picture> extends [string, ...infer Rest] ? Rest : never) =>
  picture(`highlight-${id}.webp`, ...of);

async function storedStills(): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of server.services.blobs.list(`demos/${sha256}/`)) if (key.includes("/still-")) keys.push(key);
  return keys;
}

test("A marked moment gets a still of its own, which its card shows for everybody who has the match, until it is removed", async () => {
  const ground = (await picture("floor-0-small.webp")).bytes;
  const { id } = await mark();
  const before = await stillOf(id);
  expect(before.bytes.equals(ground)).toBe(true);
  // The still comes under the same address.
  expect(before.isKept).toBe(false);

  await drawStills();
  const still = await stillOf(id);
  expect(still).toMatchObject({ status: 200, isKept: true });
  expect(still.bytes.equals(ground)).toBe(false);
  expect(still.bytes.toString("latin1", 0, 4) + still.bytes.toString("latin1", 8, 12)).toBe("RIFFWEBP");
  expect((await stillOf(id, [other, otherMatchId])).bytes.equals(still.bytes)).toBe(true);

  // Another run draws the missing ones alone.
  const [first] = await storedStills();
  const later = await mark(10, 14);
  await drawStills();
  expect(await storedStills()).toHaveLength(2);
  expect(await storedStills()).toContain(first);
  expect((await stillOf(later.id)).bytes.equals(still.bytes)).toBe(false);
  await runPicturesJob(server.services, { sha256, ofMoments: true }, run);
  expect(await storedStills()).toHaveLength(2);

  // The sweep of files that nobody names knows them.
  const inTwoDays = { ...server.services, now: () => new Date(Date.now() + 2 * 86_400_000) };
  await deleteOrphanBlobs(inTwoDays, run.signal);
  expect(await storedStills()).toHaveLength(2);

  expect(await removed(id)).toBe(true);
  expect(await storedStills()).toEqual([expect.stringContaining(`/still-${later.id}-`)]);
  expect((await stillOf(id)).status).toBe(404);
  expect(await removed(later.id)).toBe(true);
  expect(await storedStills()).toEqual([]);
});

test("Of a moment that is removed before its still is drawn, or while it is, nothing stays", async () => {
  const { services } = server;
  const gone = await mark();
  expect(await removed(gone.id)).toBe(true);
  await drawStills();
  expect(await storedStills()).toEqual([]);

  const going = await mark();
  const put = services.blobs.putFile.bind(services.blobs);
  const spied = vi.spyOn(services.blobs, "putFile").mockImplementation(async (...given) => {
    await put(...given);
    expect(await removed(going.id)).toBe(true);
  });
  await drawStills();
  expect(spied).toHaveBeenCalledOnce();
  spied.mockRestore();
  expect(await storedStills()).toEqual([]);
});

test("A still that is missing is asked for when somebody looks at the match, once in half a day", async () => {
  const { id } = await mark();
  await server.services.jobs.cancel("pictures", { sha256, ofMoments: true });
  const look = () => other.call("GET", `/api/matches/${otherMatchId}/`);
  await look();
  expect(await isAsked()).toBe(false);
  // As one that was marked before there were such stills.
  await server.services.database.updateTable("highlights").set({ still_tried_at: null }).where("id", "=", id).execute();
  await Promise.all([look(), look()]);
  await drawStills();
  await look();
  expect(await isAsked()).toBe(false);
  expect(await storedStills()).toHaveLength(1);
  expect(await removed(id)).toBe(true);
});

test("Who marks and removes without end fills no queue, and the still that is left out is asked for at the next look", async () => {
  const { jobs, database } = server.services;
  for (let time = 0; time < 12; time++) expect(await removed((await mark()).id)).toBe(true);
  const { id } = await mark();
  const owner = await database
    .selectFrom("users")
    .select("id")
    .where("steam_id", "=", makerSteamId)
    .executeTakeFirstOrThrow();
  expect(await jobs.openOf("pictures", owner.id)).toBe(4);
  const triedAt = async () =>
    (await database.selectFrom("highlights").select("still_tried_at").where("id", "=", id).executeTakeFirstOrThrow())
      .still_tried_at;
  expect(await triedAt()).toBeNull();
  const look = () => maker.call("GET", `/api/matches/${matchId}/`);
  await look();
  expect(await triedAt()).toBeNull();
  await jobs.cancel("pictures", { sha256, ofMoments: true });
  await look();
  expect(await triedAt()).not.toBeNull();
  await drawStills();
  expect(await storedStills()).toHaveLength(1);
  expect(await removed(id)).toBe(true);
});

test("With its maker's account a moment's still goes, and with the last match of its demo", async () => {
  const { services } = server;
  await mark();
  await drawStills();
  expect(await storedStills()).toHaveLength(1);
  const account = await summarizeAccount(services, makerSteamId);
  await deleteUser(services, account!);
  expect(await storedStills()).toEqual([]);

  const own = await other.call<Highlight>("POST", `/api/matches/${otherMatchId}/highlights/`, {
    ...{ round: 2, player, from: 1, to: 9.5 },
  });
  await drawStills();
  expect(await storedStills()).toEqual([expect.stringContaining(`/still-${own.id}-`)]);
  expect((await other.request("DELETE", `/api/matches/${otherMatchId}/delete/`)).status).toBe(204);
  expect(await storedStills()).toEqual([]);
});
