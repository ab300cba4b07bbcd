import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newestClips } from "../../backend/clips/lists/clip-feeds.ts";
import { publicClips } from "../../backend/clips/lists/clip-lists.ts";
import { relatedClips } from "../../backend/clips/lists/related-clips.ts";
import { addressOf, type RouteDescription } from "../../contract/api-route.ts";
import { apiRoutes } from "../../contract/api-routes.ts";
import { clipAddressPattern } from "../../contract/clip-address.ts";
import type { Clip, ClipDetail, ClipState } from "../../contract/schemas/clips.ts";
import type { Highlight } from "../../contract/schemas/highlights.ts";
import type { MatchRounds } from "../../contract/schemas/match-rounds.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { userIdOf } from "../services/seeded-rows.ts";
import { uniqueSteamId } from "../services/unique.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { finishClip, giveMatch, storeReel } from "./stored-reel.ts";

const steamId = uniqueSteamId();
const strangersId = uniqueSteamId();
const secretName = "Nobodyfindsthis";
const publicName = "Everybodysees";

let server: RunningApi;
let owner: ApiVisitor;
let stranger: ApiVisitor;
const visitor = () => new ApiVisitor(server.url);
let demoSha256: string;
let matchId: string;
let strangersMatchId: string;
let highlightIds: number[];

beforeAll(async () => {
  server = await startApi();
  owner = visitor();
  await owner.signIn(steamId, "owner");
  stranger = visitor();
  await stranger.signIn(strangersId, "stranger");
  demoSha256 = await storeReel(server.services, { hasTrack: true });
  matchId = await giveMatch(server.services, steamId, demoSha256);
  // The same demo: what the stranger's own match shows must not tell of the owner's clips.
  strangersMatchId = await giveMatch(server.services, strangersId, demoSha256);
  const { highlights } = await owner.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  highlightIds = highlights.slice(0, 2).map(({ id }) => id);
});
afterAll(() => server.close());

async function finishedClip(name: string, more: object = {}): Promise<Clip> {
  const body = { name, highlight_ids: [highlightIds[0]], ...more };
  const { id } = await owner.call<Clip>("POST", `/api/matches/${matchId}/clips/create/`, body);
  await finishClip(server.services, id, `video of ${name}`);
  return owner.call<Clip>("GET", `/api/matches/clips/${id}/`);
}

const setVisibility = (clip: Pick<Clip, "id">, visibility: string, by = owner) =>
  by.request("POST", `/api/matches/clips/${clip.id}/visibility/`, { visibility });

const asText = async (response: Response) => `${response.status} ${await response.text()}`;

/** Every call that names a clip. */
const callsOfClips = Object.values(apiRoutes)
  .flatMap((area): RouteDescription[] => Object.values(area))
  .filter((route) => route.namesClip);

test("An unlisted clip plays for whoever has its address, and is theirs to like", async () => {
  const clip = await finishedClip(secretName, { visibility: "unlisted" });
  expect(clip.visibility).toBe("unlisted");
  expect(clip.public_id).toMatch(clipAddressPattern);
  expect(clip.public_id.length).toBeGreaterThan(22);
  const shown = await visitor().call<ClipDetail>("GET", `/api/matches/clips/${clip.public_id}/`);
  expect(shown).toMatchObject({ id: clip.id, public_id: clip.public_id, display_name: secretName, is_owner: false });
  for (const url of [shown.video_url, shown.poster_url, shown.thumbnail_url, shown.loop_url, shown.share_url]) {
    expect(url).toContain(`/video/clips/${clip.public_id}/`);
    expect(await asText(await visitor().request("GET", url ?? ""))).toBe(`200 video of ${secretName}`);
  }
  expect(await stranger.call("POST", `/api/matches/clips/${clip.public_id}/like/`)).toMatchObject({ liked: true });
  expect(await visitor().call("POST", `/api/matches/clips/${clip.public_id}/view/`)).toEqual({ views_count: 1 });
  // Its owner may leave the key out.
  expect(await owner.call("GET", `/api/matches/clips/${clip.id}/`)).toMatchObject({ likes_count: 1, views_count: 1 });
});

test("By its number, or with another key, an unlisted clip answers as one that does not exist, in every call", async () => {
  const clip = await finishedClip(secretName, { visibility: "unlisted" });
  const key = clip.public_id.split("-").slice(1).join("-");
  const wrongKeys = [`${key.slice(0, -1)}${key.endsWith("A") ? "Q" : "A"}`, "A".repeat(22)];
  expect(callsOfClips.length).toBeGreaterThan(15);
  for (const route of callsOfClips) {
    const body = route.method === "post" ? { name: "x", format: "1080p", visibility: "public" } : undefined;
    const ask = async (who: ApiVisitor, id: string) =>
      asText(await who.request(route.method.toUpperCase(), addressOf(route, { id }), body));
    for (const who of route.access === "public" ? [stranger, visitor()] : [stranger]) {
      const missing = await ask(who, "999999999");
      expect(missing, route.path).toMatch(/^404 /);
      for (const id of [String(clip.id), ...wrongKeys.map((wrong) => `${clip.id}-${wrong}`)]) {
        expect(await ask(who, id), `${route.method} ${route.path}`).toBe(missing);
      }
    }
  }
  const files = ["", "share.mp4", "loop.mp4", "poster.jpg", "wide-poster.jpg", "thumbnail.jpg"];
  for (const file of files) {
    expect((await owner.request("GET", `/video/clips/${clip.id}/${file}`)).status, file).toBe(200);
  }
});

test("No list, no count and no other clip tells of an unlisted one", async () => {
  const unlisted = await finishedClip(secretName, { visibility: "unlisted" });
  const open = await finishedClip(publicName);
  await stranger.call("POST", `/api/matches/clips/${unlisted.public_id}/like/`);
  await visitor().call("POST", `/api/matches/clips/${unlisted.public_id}/view/`);
  const lists = Object.values(apiRoutes)
    .flatMap((area): RouteDescription[] => Object.values(area))
    .filter(({ method, path }) => method === "get" && path !== apiRoutes.account.data.path)
    .flatMap((route) => {
      const id = route.namesClip ? open.public_id : matchId;
      return [{}, { type: "ace" }, { player: steamId }].map((query) =>
        addressOf(route, { id, steam_id: steamId, version: "0", name: "ground.bin" }, query),
      );
    });
  let found = 0;
  for (const address of lists) {
    for (const who of [stranger, visitor()]) {
      const text = await (await who.request("GET", address)).text();
      expect(text, address).not.toContain(secretName);
      expect(text, address).not.toContain(unlisted.public_id);
      if (text.includes(publicName)) found++;
    }
  }
  // Or the test would look at nothing.
  expect(found).toBeGreaterThan(5);

  const publicPage = `/api/matches/users/${steamId}/clips/`;
  const before = await visitor().call<{ user_stats: object }>("GET", publicPage);
  expect(before.user_stats).toEqual(await countedPublic());
});

/** What everybody may know, counted anew. */
async function countedPublic(): Promise<object> {
  const clips = await server.services.database
    .selectFrom("clips")
    .innerJoin("users", "users.id", "clips.user_id")
    .select(["views_count", "likes_count"])
    .where("steam_id", "=", steamId)
    .where("status", "=", "completed")
    .where("link_key", "is", null)
    .execute();
  const sum = (column: "views_count" | "likes_count") => clips.reduce((all, clip) => all + clip[column], 0);
  return { total_clips: clips.length, total_views: sum("views_count"), total_likes: sum("likes_count") };
}

test("A clip that becomes unlisted leaves the lists at once and its old address leads nowhere; its owner alone decides", async () => {
  const clip = await finishedClip("Change of mind");
  const inLists = async () =>
    (await (await visitor().request("GET", "/api/top-highlights/")).text()).includes(clip.name);
  await expect.poll(inLists, { timeout: 15_000 }).toBe(true);
  await stranger.call("POST", `/api/matches/clips/${clip.id}/like/`);
  const oldVideo = clip.video_url ?? "";
  expect((await setVisibility(clip, "unlisted", stranger)).status).toBe(404);
  expect((await setVisibility(clip, "secret")).status).toBe(400);

  const hidden = (await (await setVisibility(clip, "unlisted")).json()) as ClipState;
  expect(hidden.public_id).not.toBe(String(clip.id));
  expect(await inLists()).toBe(false);
  expect((await visitor().request("GET", `/api/matches/clips/${clip.id}/`)).status).toBe(404);
  expect((await visitor().request("GET", oldVideo)).status).toBe(404);
  // Its owner's page may still be open: no cache between may keep what answers only them.
  const owners = await owner.request("GET", oldVideo);
  expect([owners.status, owners.headers.get("cache-control")]).toEqual([
    200,
    expect.stringMatching(/^private, (?!.*s-maxage)/),
  ]);
  expect((await visitor().request("GET", hidden.video_url ?? "")).status).toBe(200);
  const stats = async () =>
    (await visitor().call<{ user_stats: object }>("GET", `/api/matches/users/${steamId}/clips/`)).user_stats;
  expect(await stats()).toEqual(await countedPublic());
  // A second press changes nothing: what was shared goes on working.
  expect(await (await setVisibility(clip, "unlisted")).json()).toMatchObject({ public_id: hidden.public_id });

  const shown = (await (await setVisibility(clip, "public")).json()) as ClipState;
  expect(shown).toMatchObject({ public_id: String(clip.id), visibility: "public", likes_count: 1 });
  expect(await stats()).toEqual(await countedPublic());
  for (const address of [clip.id, hidden.public_id]) {
    expect((await visitor().request("GET", `/api/matches/clips/${address}/`)).status).toBe(200);
  }
  const again = (await (await setVisibility(clip, "unlisted")).json()) as ClipState;
  expect(again.public_id).not.toBe(hidden.public_id);
  expect((await visitor().request("GET", `/api/matches/clips/${hidden.public_id}/`)).status).toBe(404);
});

test("Nobody learns the new address of a clip that becomes unlisted in another process, or while a list with it is read", async () => {
  const { database } = server.services;
  const clip = await finishedClip("Hidden elsewhere");
  const linkKey = "a".repeat(22);
  const hide = () => database.updateTable("clips").set({ link_key: linkKey }).where("id", "=", clip.id).execute();
  const show = () => database.updateTable("clips").set({ link_key: null }).where("id", "=", clip.id).execute();
  for (const call of ["", "status/"]) {
    await show();
    const path = `/api/matches/clips/${clip.id}/${call}`;
    // Whoever looks knows the clip's address from then on for a moment.
    await expect.poll(async () => (await visitor().request("GET", path)).status, { timeout: 5000 }).toBe(200);
    await hide();
    const answer = await asText(await visitor().request("GET", path));
    expect(answer).toMatch(/^404 /);
    expect(answer).not.toContain(linkKey);
    expect((await owner.request("GET", path)).status).toBe(200);
    expect((await visitor().request("GET", path.replace(`/${clip.id}/`, `/${clip.id}-${linkKey}/`))).status).toBe(200);
  }
  await show();
  const other = await finishedClip("Watched before");
  const page = { limit: 10, offset: 0, path: "/" };
  const lists = {
    feed: () => newestClips(watched, null),
    "a player's feed": async () => newestClips(watched, await userIdOf(database, steamId)),
    "a player's clips": () => publicClips(watched, steamId, null, page),
    "what comes next": () => relatedClips(watched, other.id, null),
  };
  let hiding: Promise<unknown> | null = null;
  // Between the look at which clips are listed and the one at what they are now.
  const watched = {
    ...server.services,
    database: database.withPlugin({
      transformQuery({ node }) {
        if (JSON.stringify(node).includes("loop_key")) hiding ??= hide();
        return node;
      },
      transformResult: async ({ result }) => result,
    }),
  };
  for (const [name, read] of Object.entries(lists)) {
    await show();
    hiding = null;
    const told = JSON.stringify(await read());
    expect(await hiding, name).not.toBe(null);
    expect(told, name).not.toContain(clip.name);
    expect(told, name).not.toContain(linkKey);
  }
});

test("A compilation of unlisted clips is unlisted unless it is asked to be public, and then neither numbers nor names its parts", async () => {
  const [first, second] = [await finishedClip(secretName, { visibility: "unlisted" }), await finishedClip("Part two")];
  const compile = (more: object) =>
    owner.call<Clip>("POST", "/api/matches/clips/compilations/", { clip_ids: [first.id, second.id], ...more });
  const byItself = await compile({});
  expect(byItself.visibility).toBe("unlisted");
  const asked = await compile({ visibility: "public" });
  expect(asked.visibility).toBe("public");
  await finishClip(server.services, asked.id);
  const partsFor = async (who: ApiVisitor) => {
    const { parts } = await who.call<ClipDetail>("GET", `/api/matches/clips/${asked.id}/`);
    return parts.map(({ clip_id: id, name }) => [id, name]);
  };
  for (const who of [visitor(), stranger]) {
    expect(await partsFor(who)).toEqual([
      [null, "A clip"],
      [second.id, "Part two"],
    ]);
  }
  expect(await partsFor(owner)).toEqual([
    [first.id, secretName],
    [second.id, "Part two"],
  ]);
  // Made unlisted afterwards, and public again.
  await setVisibility(second, "unlisted");
  expect(await partsFor(visitor())).toEqual([
    [null, "A clip"],
    [null, "A clip"],
  ]);
  await setVisibility(second, "public");
  expect(await partsFor(visitor())).toContainEqual([second.id, "Part two"]);
  // Deletion does not make a name public that was not.
  expect((await owner.request("DELETE", `/api/matches/clips/${first.id}/delete/`)).status).toBe(204);
  expect((await partsFor(visitor()))[0]).toEqual([null, "A clip"]);
  expect((await partsFor(owner))[0]).toEqual([null, secretName]);
});

test("Who marked a moment takes it away as any other though a stranger's unlisted clip shows it, and nothing tells of that clip", async () => {
  const { players, removable_highlights: before } = await owner.call<MatchRounds>(
    "GET",
    `/api/matches/${matchId}/rounds/`,
  );
  const player = players.findIndex(({ steam_id, team }) => steam_id !== null && team !== null);
  const mark = (name: string) =>
    owner.call<Highlight>("POST", `/api/matches/${matchId}/highlights/`, { round: 2, player, from: 1, to: 9, name });
  const clipOf = async (who: ApiVisitor, match: string, { id }: Highlight, visibility: string) => {
    const body = { name: "A moment", highlight_ids: [id], visibility };
    const clip = await who.call<Clip>("POST", `/api/matches/${match}/clips/create/`, body);
    await finishClip(server.services, clip.id);
    return clip;
  };
  const remove = ({ id }: Highlight) => owner.request("DELETE", `/api/matches/${matchId}/highlights/${id}/`);
  const [hidden, shown, own] = [await mark("Nobody asks"), await mark("Everybody's"), await mark("Mine")];
  const strangersClip = await clipOf(stranger, strangersMatchId, hidden, "unlisted");
  await clipOf(stranger, strangersMatchId, shown, "public");
  await clipOf(owner, matchId, own, "unlisted");

  const { removable_highlights: removable } = await owner.call<MatchRounds>("GET", `/api/matches/${matchId}/rounds/`);
  expect(removable).toEqual([...before, hidden.id]);
  expect(await asText(await remove(shown))).toMatch(/^409 .*Another player's clip shows this moment, so it stays\./);
  expect(await asText(await remove(own))).toMatch(/^409 .*A clip of yours shows this moment, so it stays\. Delete/);
  expect((await remove(hidden)).status).toBe(204);
  expect((await remove(hidden)).status).toBe(404);
  for (const [who, match] of [
    [owner, matchId],
    [stranger, strangersMatchId],
  ] as const) {
    const { highlights } = await who.call<MatchDetail>("GET", `/api/matches/${match}/`);
    const marked = highlights.filter(({ highlight_type: type }) => type === "custom").map(({ id }) => id);
    expect(marked).toEqual([shown.id, own.id]);
  }
  const { highlights } = await stranger.call<ClipDetail>("GET", `/api/matches/clips/${strangersClip.id}/`);
  expect(highlights).toMatchObject([{ id: hidden.id, display_name: "Custom Moment" }]);

  // Neither does the copy of what is kept about its maker, or about the player whom it shows.
  const seen = visitor();
  const seenId = players[player]?.steam_id ?? "";
  await seen.signIn(seenId, "seen");
  await giveMatch(server.services, seenId, demoSha256);
  for (const [who, told] of [
    [owner, [shown.id, own.id]],
    [seen, [shown.id, own.id]],
  ] as const) {
    const archive = unzipSync(new Uint8Array(await (await who.request("GET", "/api/account/data/")).arrayBuffer()));
    const data = JSON.parse(strFromU8(archive["data.json"] ?? new Uint8Array()));
    const moments = data.matches[0].highlights.filter(({ type }: { type: string }) => type === "custom");
    expect(moments.map(({ id }: { id: number }) => id)).toEqual(told);
  }
});
