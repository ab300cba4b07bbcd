import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { forgetTopLists } from "../../backend/clips/lists/top-lists.ts";
import { countView } from "../../backend/clips/views.ts";
import { networkOf } from "../../backend/http/client-address.ts";
import type { ClipsOverview, RelatedClips, TopHighlights, UserClips } from "../../contract/schemas/clip-lists.ts";
import { clipsOverviewSchema, topHighlightsSchema, userClipsSchema } from "../../contract/schemas/clip-lists.ts";
import type { Clip, ClipDetail } from "../../contract/schemas/clips.ts";
import { clipDetailSchema, clipSchema } from "../../contract/schemas/clips.ts";
import type { Highlight } from "../../contract/schemas/highlights.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { finishClip, giveMatch, storeReel } from "./stored-reel.ts";

let server: RunningApi;
let reel: string;
let nextSteamId = 76561199999910000n;

beforeAll(async () => {
  server = await startApi();
  reel = await storeReel(server.services);
});
afterAll(() => server.close());

interface Player {
  visitor: ApiVisitor;
  steamId: string;
  matchId: string;
  highlights: Highlight[];
}

async function newPlayer(name = "player"): Promise<Player> {
  const visitor = new ApiVisitor(server.url);
  const steamId = String(nextSteamId++);
  await visitor.signIn(steamId, name);
  const matchId = await giveMatch(server.services, steamId, reel);
  const { highlights } = await visitor.call<MatchDetail>("GET", `/api/matches/${matchId}/`);
  return { visitor, steamId, matchId, highlights };
}

function ofType({ highlights }: Player, type: string): Highlight {
  const found = highlights.find((highlight) => highlight.highlight_type === type);
  if (!found) throw new Error(`The reel has no ${type}.`);
  return found;
}

function create(player: Player, highlightIds: number[], name = "", settings: object = {}): Promise<Response> {
  return player.visitor.request("POST", `/api/matches/${player.matchId}/clips/create/`, {
    name,
    highlight_ids: highlightIds,
    render_settings: settings,
  });
}

async function createdClip(player: Player, types: string[], name = ""): Promise<Clip> {
  const response = await create(
    player,
    types.map((type) => ofType(player, type).id),
    name,
  );
  expect(response.status).toBe(201);
  return clipSchema.parse(await response.json());
}

async function finishedClip(player: Player, types: string[], name = ""): Promise<Clip> {
  const clip = await createdClip(player, types, name);
  await finishClip(server.services, clip.id);
  await server.services.jobs.cancel("render", { clipId: clip.id });
  forgetTopLists(server.services);
  return clip;
}

test("A new clip waits in the queue with its highlights in the order they were chosen", async () => {
  const player = await newPlayer();
  const clip = await createdClip(player, ["knife_kill", "ace"], "Knife first");
  expect(clip).toMatchObject({
    display_name: "Knife first",
    render_status: "queued",
    video_url: null,
    is_owner: true,
    width: 1280,
    height: 720,
    map_display_name: "Dust II",
  });
  expect(clip.highlights.map((highlight) => highlight.highlight_type)).toEqual(["knife_kill", "ace"]);
  expect(await server.services.jobs.isOpen("render", { clipId: clip.id })).toBe(true);
});

test("A clip without a name gets the generated one, and the watermark stays off", async () => {
  const player = await newPlayer();
  const ace = ofType(player, "ace");
  const response = await create(player, [ace.id], "  \u0000\n ", { watermark: true, xray: false });
  const clip = clipSchema.parse(await response.json());
  expect(clip.name).toBe(`${ace.player_name} - Dust II Round ${ace.round_number} - Ace`);
  expect(clip.render_settings).toMatchObject({ watermark: false, xray: false, hud: true });
});

test("A name loses control and direction characters, and HTML stays text", async () => {
  const player = await newPlayer();
  const clip = await createdClip(player, ["ace"], "<b>\u202eevil\u0007  name</b>");
  expect(clip.name).toBe("<b>evil name</b>");
});

test.each([
  ["no highlight", () => [], /at least one/],
  ["six highlights", (player: Player) => player.highlights.slice(0, 6).map(({ id }) => id), /at most 5/],
  ["a highlight that does not exist", () => [999_999], /not one of this match/],
])("A clip of %s is refused with a sentence", async (_, choose, sentence) => {
  const player = await newPlayer();
  const response = await create(player, choose(player));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ detail: expect.stringMatching(sentence) });
});

test("Settings out of range are refused", async () => {
  const player = await newPlayer();
  const response = await create(player, [ofType(player, "ace").id], "", { pre_time_adjustment: 60 });
  expect(response.status).toBe(400);
});

test("The fourth clip in the queue is refused until one of them leaves it", async () => {
  const player = await newPlayer();
  const { id } = ofType(player, "ace");
  const responses = [await create(player, [id]), await create(player, [id]), await create(player, [id])];
  expect(responses.map((response) => response.status)).toEqual([201, 201, 201]);
  const refused = await create(player, [id]);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toEqual({
    error: "queue_limit",
    detail: "Queue limit reached. You can only have 3 clips in queue or processing at once.",
  });
  expect(refused.headers.get("retry-after")).toBe("30");
  const clips = await player.visitor.call<Clip[]>("GET", `/api/matches/${player.matchId}/clips/`);
  await player.visitor.call("DELETE", `/api/matches/clips/${clips[0]?.id}/delete/`);
  expect((await create(player, [id])).status).toBe(201);
});

test("Asked to reuse, a clip that shows the same is answered and not made again, whatever its name", async () => {
  const player = await newPlayer();
  const ids = [ofType(player, "knife_kill").id, ofType(player, "ace").id];
  const ask = (more: object = {}) =>
    player.visitor.request("POST", `/api/matches/${player.matchId}/clips/create/`, {
      highlight_ids: ids,
      reuse: true,
      ...more,
    });
  // Pressed twice at once, too.
  const answers = await Promise.all([ask(), ask({ name: "Another name" })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
  const [first, second] = await Promise.all(answers.map(async (answer) => clipSchema.parse(await answer.json())));
  expect(second?.id).toBe(first?.id);
  expect((await ask({ highlight_ids: [...ids].reverse() })).status).toBe(200);

  const upright = await ask({ format: "vertical" });
  expect(upright.status).toBe(201);
  const other = await ask({ render_settings: { radar: false } });
  expect(other.status).toBe(201);
  // All places are taken; what is there already needs none.
  expect((await ask()).status).toBe(200);
  expect((await ask({ order: "chosen" })).status).toBe(429);

  // An added format counts, a clip that has failed does not. Nor does a public clip for who asks for an unlisted one.
  const { id } = first!;
  const { database } = server.services;
  await finishClip(server.services, id);
  await player.visitor.call("DELETE", `/api/matches/clips/${clipSchema.parse(await upright.json()).id}/delete/`);
  await player.visitor.call("POST", `/api/matches/clips/${id}/formats/`, { format: "vertical" });
  expect(clipSchema.parse(await (await ask({ format: "vertical" })).json()).id).toBe(id);
  const failed = clipSchema.parse(await other.json()).id;
  await database.updateTable("clips").set({ status: "failed", queue_slot: null }).where("id", "=", failed).execute();
  expect((await ask({ render_settings: { radar: false } })).status).toBe(201);
  expect((await ask({ visibility: "public" })).status).toBe(200);
  const unlisted = await ask({ visibility: "unlisted" });
  expect(unlisted.status).toBe(201);
  expect(clipSchema.parse(await unlisted.json())).toMatchObject({ visibility: "unlisted" });
  expect((await ask({ visibility: "unlisted" })).status).toBe(200);
});

test("Rounds stand in the order in which their highlights were chosen, where that is asked for", async () => {
  const player = await newPlayer();
  const chosen = [ofType(player, "knife_kill"), ofType(player, "ace")].sort((a, b) => b.round_number - a.round_number);
  const ids = chosen.map(({ id }) => id);
  const rounds = async (order: object) => {
    const body = { highlight_ids: ids, ...order };
    const answer = await player.visitor.call<{ spec: { segments: { round: number }[] } }>(
      "POST",
      `/api/matches/${player.matchId}/clips/preview/`,
      body,
    );
    return [...new Set(answer.spec.segments.map(({ round }) => round))];
  };
  const later = chosen.map(({ round_number: round }) => round);
  expect(later[0]).toBeGreaterThan(later[1]!);
  expect(await rounds({})).toEqual([...later].reverse());
  expect(await rounds({ order: "chosen" })).toEqual(later);
});

test("A clip is renamed by its owner alone, cleaned and bounded, and everywhere at once", async () => {
  const owner = await newPlayer();
  const clip = await finishedClip(owner, ["ace"], "Before");
  const path = `/api/matches/clips/${clip.id}/`;
  // Kept in memory as it was.
  expect(await owner.visitor.call<Clip>("GET", path)).toMatchObject({ display_name: "Before" });
  const renamed = await owner.visitor.call<Clip>("POST", `${path}rename/`, { name: " <b>\u202eAfter</b> " });
  expect(renamed).toMatchObject({ name: "<b>After</b>", display_name: "<b>After</b>" });
  expect(await owner.visitor.call<Clip>("GET", path)).toMatchObject({ display_name: "<b>After</b>" });
  for (const [name, status] of [
    ["\u200b \n", 400],
    ["x".repeat(1000), 400],
  ] as const) {
    expect((await owner.visitor.request("POST", `${path}rename/`, { name })).status).toBe(status);
  }
  const stranger = await newPlayer();
  expect((await stranger.visitor.request("POST", `${path}rename/`, { name: "Mine" })).status).toBe(404);
  expect((await new ApiVisitor(server.url).request("POST", `${path}rename/`, { name: "Mine" })).status).toBe(401);
  expect(await owner.visitor.call<Clip>("GET", path)).toMatchObject({ display_name: "<b>After</b>" });
});

test("After a clip come others of its maker, going back in time, and of others on its map; finished ones alone", async () => {
  const maker = await newPlayer();
  const [first, second, third] = [
    await finishedClip(maker, ["ace"], "First"),
    await finishedClip(maker, ["ace"], "Second"),
    await finishedClip(maker, ["ace"], "Third"),
  ];
  const waiting = await createdClip(maker, ["ace"], "Waiting");
  const other = await newPlayer();
  const elsewhere = await finishedClip(other, ["ace"], "Of another");
  const visitor = new ApiVisitor(server.url);
  const after = async (id: number) => {
    const { of_maker, of_map } = await visitor.call<RelatedClips>("GET", `/api/matches/clips/${id}/related/`);
    return { of_maker: of_maker.map((clip) => clip.id), of_map: of_map.map((clip) => clip.id) };
  };
  expect((await after(second.id)).of_maker).toEqual([first.id, third.id]);
  const { of_maker, of_map } = await after(first.id);
  expect(of_maker).toEqual([third.id, second.id]);
  expect(of_map).not.toContain(waiting.id);
  expect(of_map.length).toBeLessThanOrEqual(6);
  expect((await after(elsewhere.id)).of_maker).toEqual([]);
  expect((await visitor.request("GET", `/api/matches/clips/${waiting.id}/related/`)).status).toBe(404);
});

test("Clips of all players wait in one line", async () => {
  const positions: number[] = [];
  for (const player of [await newPlayer(), await newPlayer()]) {
    const clip = await createdClip(player, ["ace"]);
    const { queue_position } = await player.visitor.call<Clip>("GET", `/api/matches/clips/${clip.id}/status/`);
    positions.push(queue_position ?? 0);
  }
  expect(positions[1]! - positions[0]!).toBe(1);
});

test("Likes count once a player, and again is the other way", async () => {
  const owner = await newPlayer();
  const clip = await finishedClip(owner, ["ace"]);
  const fan = await newPlayer();
  const like = () => fan.visitor.call("POST", `/api/matches/clips/${clip.id}/like/`);
  expect(await like()).toEqual({ liked: true, likes_count: 1 });
  expect(await fan.visitor.call("GET", `/api/matches/clips/${clip.id}/likes/`)).toEqual({
    likes_count: 1,
    user_has_liked: true,
    liked: true,
  });
  expect(await owner.visitor.call("GET", `/api/matches/clips/${clip.id}/likes/`)).toMatchObject({
    likes_count: 1,
    user_has_liked: false,
  });
  expect(await like()).toEqual({ liked: false, likes_count: 0 });
  const stranger = new ApiVisitor(server.url);
  expect((await stranger.request("POST", `/api/matches/clips/${clip.id}/like/`)).status).toBe(401);
});

test("A view counts once a viewer in six hours, and a bot's never", async () => {
  const clip = await finishedClip(await newPlayer(), ["ace"]);
  const visitor = new ApiVisitor(server.url);
  const path = `/api/matches/clips/${clip.id}/view/`;
  const view = async (userAgent: string) =>
    (
      (await (await visitor.request("POST", path, undefined, { "User-Agent": userAgent })).json()) as {
        views_count: number;
      }
    ).views_count;
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  const safari = "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15";
  expect(await view(firefox)).toBe(1);
  expect(await view(firefox)).toBe(1);
  expect(await view(safari)).toBe(2);
  expect(await view("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)")).toBe(2);
  server.passTime(5 * 3_600_000);
  expect(await view(firefox)).toBe(2);
  server.passTime(1.1 * 3_600_000);
  expect(await view(firefox)).toBe(3);
  expect(await visitor.call("GET", `/api/matches/clips/${clip.id}/views/`)).toEqual({ views_count: 3 });
});

test("A signed-in viewer counts once from wherever he watches", async () => {
  const owner = await newPlayer();
  const clip = await finishedClip(owner, ["ace"]);
  const path = `/api/matches/clips/${clip.id}/view/`;
  for (const browser of ["Firefox/140.0", "Chrome/140.0", "Safari/605.1"]) {
    await owner.visitor.request("POST", path, undefined, { "User-Agent": `Mozilla/5.0 (X11) ${browser}` });
  }
  expect(await owner.visitor.call("GET", `/api/matches/clips/${clip.id}/views/`)).toEqual({ views_count: 1 });
});

test("A network makes five views of a clip in six hours without signing in, however many browsers it invents", async () => {
  const clip = await finishedClip(await newPlayer(), ["ace"]);
  const view = (address: string, browser: number) =>
    countView(server.services, clip.id, {
      userId: null,
      network: networkOf(address),
      userAgent: `Mozilla/5.0 (X11) Firefox/${browser}.0`,
    });
  for (let browser = 1; browser <= 30; browser++) {
    expect(await view("198.51.100.1", browser)).toBe(Math.min(browser, 5));
  }
  for (let browser = 1; browser <= 30; browser++) {
    expect(await view(`2001:db8::${browser}`, browser)).toBe(Math.min(5 + browser, 10));
  }
  // One browser is one viewer, whichever of its network's addresses it has just now.
  expect(await view("2001:db8:1::1", 1)).toBe(11);
  expect(await view("2001:db8:1::2", 1)).toBe(11);
  const { user } = await (await newPlayer()).visitor.call<{ user: { steam_id: string } }>("GET", "/api/auth/status/");
  const { id: userId } = await server.services.database
    .selectFrom("users")
    .select("id")
    .where("steam_id", "=", user.steam_id)
    .executeTakeFirstOrThrow();
  const signedIn = { userId, network: "198.51.100.1", userAgent: "Mozilla/5.0 (X11) Firefox/99.0" };
  expect(await countView(server.services, clip.id, signedIn)).toBe(12);
  server.passTime(6.1 * 3_600_000);
  expect(await view("198.51.100.1", 31)).toBe(13);
});

test("Midnight opens no second helping of views to a network", async () => {
  const clip = await finishedClip(await newPlayer(), ["ace"]);
  const untilMidnight = 86_400_000 - (server.services.now().getTime() % 86_400_000);
  server.passTime(untilMidnight - 60_000);
  const view = (browser: number) =>
    countView(server.services, clip.id, {
      userId: null,
      network: "198.51.100.9",
      userAgent: `Mozilla/5.0 (X11) Firefox/${browser}.0`,
    });
  for (let browser = 1; browser <= 6; browser++) await view(browser);
  server.passTime(120_000);
  for (let browser = 7; browser <= 12; browser++) expect(await view(browser)).toBe(5);
});

test("A clip that is not finished is its owner's alone, whatever is asked of it", async () => {
  const owner = await newPlayer();
  const waiting = await createdClip(owner, ["ace"]);
  const failed = await createdClip(owner, ["ace"]);
  const { database } = server.services;
  await database.updateTable("clips").set({ status: "failed", queue_slot: null }).where("id", "=", failed.id).execute();
  const another = (await newPlayer()).visitor;
  for (const { id } of [waiting, failed]) {
    for (const call of ["", "status/", "likes/", "views/"]) {
      const path = `/api/matches/clips/${id}/${call}`;
      expect((await owner.visitor.request("GET", path)).status, path).toBe(200);
      for (const visitor of [another, new ApiVisitor(server.url)]) {
        const hidden = await visitor.request("GET", path);
        expect([hidden.status, await hidden.json()], path).toEqual([
          404,
          { error: "not_found", detail: "Clip not found" },
        ]);
      }
    }
    for (const agent of ["Mozilla/5.0 (X11) Firefox/140.0", "Googlebot/2.1"]) {
      const path = `/api/matches/clips/${id}/view/`;
      expect((await another.request("POST", path, undefined, { "User-Agent": agent })).status).toBe(404);
    }
    expect((await another.request("POST", `/api/matches/clips/${id}/like/`)).status).toBe(404);
  }
});

test("A clip whose number 32 bits cannot hold is found like any other", async () => {
  const owner = await newPlayer();
  await sql`SELECT setval(pg_get_serial_sequence('clips', 'id'), 30000000000)`.execute(server.services.database);
  const clip = await finishedClip(owner, ["ace"]);
  expect(clip.id).toBe(30_000_000_001);
  const visitor = new ApiVisitor(server.url);
  expect((await visitor.request("GET", `/api/matches/clips/${clip.id}/`)).status).toBe(200);
  expect((await visitor.request("GET", `/video/clips/${clip.id}/`)).status).toBe(200);
  expect((await visitor.request("GET", "/api/matches/clips/9007199254740993/")).status).toBe(404);
  await sql`SELECT setval(pg_get_serial_sequence('users', 'id'), 3000000000)`.execute(server.services.database);
  const late = await newPlayer();
  const imported = await late.visitor.request("POST", "/api/matches/upload-demo/", {
    demo_url: "https://demos.example/late.dem",
  });
  expect(imported.status).toBe(201);
});

test("A clip's page data carries its match and its sharing texts", async () => {
  const owner = await newPlayer("<i>sharer</i>");
  const clip = await finishedClip(owner, ["ace"], "My ace");
  const detail = await new ApiVisitor(server.url).call<ClipDetail>("GET", `/api/matches/clips/${clip.id}/`);
  expect(clipDetailSchema.parse(detail)).toEqual(detail);
  expect(detail.match_info).toMatchObject({ map_name: "de_dust2", score_team1: expect.any(Number) });
  expect(detail.sharing).toEqual({
    title: "My ace",
    description: expect.stringMatching(/^Ace · Round \d+ on Dust II, .+ Clip by <i>sharer<\/i>\.$/),
    created_by: "<i>sharer</i>",
  });
  expect(detail).toMatchObject({ is_owner: false, render_status: "completed", match_id: owner.matchId });
  expect(detail.video_url).toBe(`/video/clips/${clip.id}/?v=abcd1234`);
});

test("The overview groups own clips by match, page by page, with totals", async () => {
  const player = await newPlayer();
  const oldest = await finishedClip(player, ["ace"]);
  // The same demo cannot be two matches of one player, so the other groups are matches without one of their own.
  const others = ["a", "b", "c", "d", "e"].map((letter) => `${player.matchId.slice(0, 10)}x${letter}`);
  for (const id of others) {
    await server.services.database
      .insertInto("matches")
      .columns(["id", "user_id", "source", "status"])
      .expression((from) =>
        from
          .selectFrom("matches")
          .select((row) => [row.val(id).as("id"), "user_id", "source", "status"])
          .where("id", "=", player.matchId),
      )
      .execute();
    const clip = await finishedClip(player, ["knife_kill"]);
    await server.services.database.updateTable("clips").set({ match_id: id }).where("id", "=", clip.id).execute();
  }
  await player.visitor.call("POST", `/api/matches/clips/${oldest.id}/like/`);
  const first = await player.visitor.call<ClipsOverview>("GET", "/api/matches/clips/?limit=5&offset=0");
  expect(clipsOverviewSchema.parse(first)).toEqual(first);
  expect(first.results.map((group) => group.match_id)).toEqual([...others].reverse());
  expect(first.user_stats).toEqual({ total_clips: 6, total_views: 0, total_likes: 1 });
  expect(first.next).toBe("/api/matches/clips/?limit=5&offset=5");
  const second = await player.visitor.call<ClipsOverview>("GET", first.next ?? "");
  expect(second.results.map((group) => group.clips.map((clip) => clip.id))).toEqual([[oldest.id]]);
  expect(second.next).toBeNull();
});

test("A player's public clips are the finished ones, and every Steam ID has such a list", async () => {
  const player = await newPlayer("public");
  const finished = await finishedClip(player, ["ace"]);
  await createdClip(player, ["ace"]);
  const visitor = new ApiVisitor(server.url);
  const list = await visitor.call<UserClips>("GET", `/api/matches/users/${player.steamId}/clips/`);
  expect(userClipsSchema.parse(list)).toEqual(list);
  expect(list.results.flatMap((group) => group.clips.map((clip) => clip.id))).toEqual([finished.id]);
  expect(list.user_stats.total_clips).toBe(1);
  expect(list.user_info).toMatchObject({ steam_id: player.steamId, username: "public" });
  const unknown = await visitor.call<UserClips>("GET", "/api/matches/users/76561190000000000/clips/");
  expect(unknown).toMatchObject({ results: [], next: null, user_stats: { total_clips: 0 } });
  expect(unknown.user_info).toEqual({ steam_id: "76561190000000000", username: "", avatar_url: null });
  expect((await visitor.request("GET", "/api/matches/users/7656119000000000/clips/")).status).toBe(404);
});

test("The top lists hold finished clips only, ranked by what each list is about", async () => {
  const player = await newPlayer();
  const small = await finishedClip(player, ["clutch_1v2"]);
  const big = await finishedClip(player, ["clutch_1v5"]);
  const knife = await finishedClip(player, ["knife_kill", "ninja_defuse"]);
  const waiting = await createdClip(player, ["clutch_1v5"]);
  await player.visitor.call("POST", `/api/matches/clips/${small.id}/like/`);
  const lists = await new ApiVisitor(server.url).call<TopHighlights>("GET", "/api/top-highlights/");
  expect(topHighlightsSchema.parse(lists)).toEqual(lists);
  const ids = (name: keyof TopHighlights) => lists[name].map((clip) => clip.id);
  expect(ids("best_clutches").indexOf(big.id)).toBeLessThan(ids("best_clutches").indexOf(small.id));
  expect(ids("best_clutches")).not.toContain(knife.id);
  expect(ids("best_zeus_knife")).toContain(knife.id);
  expect(ids("best_ninja_defuses")).toContain(knife.id);
  expect(ids("newest")[0]).toBe(knife.id);
  expect(ids("most_liked")).toContain(small.id);
  expect(Object.values(lists).flat()).not.toContainEqual(expect.objectContaining({ id: waiting.id }));
  for (const list of Object.values(lists)) expect(list.length).toBeLessThanOrEqual(10);
  const own = await player.visitor.call<TopHighlights>("GET", "/api/top-highlights/");
  expect(own.most_liked.find(({ id }) => id === small.id)).toMatchObject({ user_has_liked: true, is_owner: true });
  const seenByAll = await player.visitor.call<TopHighlights>("GET", "/api/top-highlights/?public_view=true");
  expect(seenByAll).toEqual(lists);
  for (const path of [
    "/api/top-highlights/?player=a%00b",
    "/api/matches/clips/?map=%00",
    "/api/highlights/?weapon=%00",
  ])
    expect((await player.visitor.request("GET", path)).status, path).toBe(200);
  for (const body of [{ demo_url: "\0" }, { leetify_match_id: "a\0b" }]) {
    const asked = await player.visitor.request("POST", "/api/matches/check-demo-processing/", body);
    expect(asked.status, JSON.stringify(body)).toBe(200);
  }
});

test("What is somebody else's clip or match can be neither deleted nor used", async () => {
  const owner = await newPlayer();
  const clip = await finishedClip(owner, ["ace"]);
  const stranger = await newPlayer();
  for (const [method, path] of [
    ["DELETE", `/api/matches/clips/${clip.id}/delete/`],
    ["DELETE", `/api/matches/${owner.matchId}/delete/`],
    ["GET", `/api/matches/${owner.matchId}/`],
    ["GET", `/api/matches/${owner.matchId}/status/`],
    ["GET", `/api/matches/${owner.matchId}/clips/`],
    ["POST", `/api/matches/${owner.matchId}/retry/`],
  ] as const) {
    expect((await stranger.visitor.request(method, path)).status, `${method} ${path}`).toBe(404);
  }
  const response = await stranger.visitor.request("POST", `/api/matches/${owner.matchId}/clips/create/`, {
    name: "",
    highlight_ids: [ofType(owner, "ace").id],
  });
  expect(response.status).toBe(404);
  expect((await stranger.visitor.request("GET", `/api/matches/clips/${clip.id}/`)).status).toBe(200);
});

test("Deleting a clip removes its files, its likes and its place in every list", async () => {
  const player = await newPlayer();
  const clip = await finishedClip(player, ["ace"]);
  await player.visitor.call("POST", `/api/matches/clips/${clip.id}/like/`);
  // A moment ago somebody watched it.
  expect((await player.visitor.request("GET", `/video/clips/${clip.id}/`)).status).toBe(200);
  expect((await player.visitor.request("DELETE", `/api/matches/clips/${clip.id}/delete/`)).status).toBe(204);
  expect((await player.visitor.request("GET", `/api/matches/clips/${clip.id}/`)).status).toBe(404);
  expect((await player.visitor.request("GET", `/video/clips/${clip.id}/`)).status).toBe(404);
  const keys: string[] = [];
  for await (const key of server.services.blobs.list(`clips/${clip.id}/`)) keys.push(key);
  expect(keys).toEqual([]);
  const lists = await player.visitor.call<TopHighlights>("GET", "/api/top-highlights/");
  expect(
    Object.values(lists)
      .flat()
      .map((shown) => shown.id),
  ).not.toContain(clip.id);
});

test("Deleting a match leaves the same demo of another player untouched", async () => {
  const { database, blobs } = server.services;
  const one = await newPlayer();
  const two = await newPlayer();
  const clip = await finishedClip(one, ["ace"]);
  expect((await one.visitor.request("DELETE", `/api/matches/${one.matchId}/delete/`)).status).toBe(204);
  expect((await one.visitor.request("GET", `/api/matches/clips/${clip.id}/`)).status).toBe(404);
  expect((await two.visitor.call<MatchDetail>("GET", `/api/matches/${two.matchId}/`)).highlights).not.toHaveLength(0);
  const trackKey = (await database.selectFrom("demos").select("track_key").executeTakeFirstOrThrow()).track_key ?? "";
  expect(await blobs.stat(trackKey)).not.toBeNull();
});
