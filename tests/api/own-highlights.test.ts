import { afterAll, beforeAll, expect, test } from "vitest";
import type { UserClips } from "../../contract/schemas/clip-lists.ts";
import type { Clip } from "../../contract/schemas/clips.ts";
import type { FoundHighlights } from "../../contract/schemas/found-highlights.ts";
import type { MatchDetail } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { finishClip, giveMatch, storeReel } from "./stored-reel.ts";

let server: RunningApi;
let player: ApiVisitor;
let match: MatchDetail;
let sha256: string;

const steamId = "76561199999970001";

beforeAll(async () => {
  server = await startApi();
  player = new ApiVisitor(server.url);
  await player.signIn(steamId, "finder");
  sha256 = await storeReel(server.services);
  match = await player.call<MatchDetail>("GET", `/api/matches/${await giveMatch(server.services, steamId, sha256)}/`);
});
afterAll(() => server.close());

const find = (query: Record<string, string> = {}) =>
  player.call<FoundHighlights>("GET", `/api/highlights/?${new URLSearchParams(query)}`);

test("Highlights of all own matches are found, the best first, by type, weapon, map, player and day", async () => {
  const all = await find({ limit: "100" });
  expect(all).toMatchObject({ player: "all", has_own: false, maps: [match.map_name], next: null });
  expect(all.results.map(({ id }) => id).sort()).toEqual(match.highlights.map(({ id }) => id).sort());
  expect(all.results.map(({ score }) => score)).toEqual(all.results.map(({ score }) => score).sort((a, b) => b - a));
  expect(all.results[0]).toMatchObject({ match_id: match.id, map_name: match.map_name, can_create_clips: true });
  expect(all.results[0]?.pictures_url).toBe(match.pictures_url);
  const { database } = server.services;
  const pictures = (key: string | null) =>
    database.updateTable("demos").set({ pictures_key: key }).where("sha256", "=", sha256).execute();
  await pictures("demos/reel/pictures-4.tar");
  expect((await find()).results[0]?.pictures_url).toBe(`/api/matches/${match.id}/pictures/4/`);
  await pictures(match.pictures_url === null ? null : "demos/reel/pictures-4.tar");

  const [first] = match.highlights;
  const weapon = first?.kills[0]?.weapon ?? "";
  const withWeapon = match.highlights.filter(({ kills }) => kills.some((kill) => kill.weapon === weapon));
  const ids = async (query: Record<string, string>) =>
    (await find({ limit: "100", ...query })).results.map(({ id }) => id).sort((a, b) => a - b);
  const sorted = (found: { id: number }[]) => found.map(({ id }) => id).sort((a, b) => a - b);
  expect(await ids({ weapon })).toEqual(sorted(withWeapon));
  const type = first?.highlight_type ?? "ace";
  expect(await ids({ type })).toEqual(sorted(match.highlights.filter((one) => one.highlight_type === type)));
  const name = first?.player_name ?? "";
  const ofPlayer = match.highlights.filter((one) => one.player_name === name);
  expect(await ids({ player: name.toUpperCase() })).toEqual(sorted(ofPlayer));
  if (first?.player_steam_id) expect(await ids({ player: first.player_steam_id })).toEqual(sorted(ofPlayer));
  expect(await ids({ map: match.map_name })).toHaveLength(match.highlights.length);
  expect(await ids({ map: "de_elsewhere" })).toEqual([]);
  const day = new Date().toISOString().slice(0, 10);
  expect(await ids({ from: "2020-01-01", until: day })).toHaveLength(match.highlights.length);
  expect(await ids({ until: "2020-01-01" })).toEqual([]);
  expect((await player.request("GET", "/api/highlights/?from=yesterday")).status).toBe(400);
});

test("A day is one of the player's time zone, from midnight to midnight there", async () => {
  const { database } = server.services;
  const playedAt = (iso: string | null) =>
    database.updateTable("demos").set({ played_at: iso }).where("sha256", "=", sha256).execute();
  const isFound = async (query: Record<string, string>) => (await find(query)).results.length > 0;
  const on = (day: string, zone?: string) =>
    isFound({ from: day, until: day, ...(zone === undefined ? {} : { time_zone: zone }) });
  const { played_at: before } = await database
    .selectFrom("demos")
    .select("played_at")
    .where("sha256", "=", sha256)
    .executeTakeFirstOrThrow();
  try {
    // Eight in the evening in Bogotá, the next day in UTC and in Tokyo.
    await playedAt("2026-11-21T01:00:00Z");
    const evening = ["2026-11-20", "2026-11-21", "2026-11-22"];
    const daysOf = async (zone?: string) => {
      const found = await Promise.all(evening.map((day) => on(day, zone)));
      return evening.filter((_, index) => found[index]);
    };
    expect(await daysOf()).toEqual(["2026-11-21"]);
    expect(await daysOf("UTC")).toEqual(["2026-11-21"]);
    expect(await daysOf("America/Bogota")).toEqual(["2026-11-20"]);
    expect(await daysOf("Asia/Tokyo")).toEqual(["2026-11-21"]);
    // The last half hour of the day on which New York puts its clocks back, which is 25 hours long.
    await playedAt("2026-11-02T04:30:00Z");
    expect(await on("2026-11-01", "America/New_York")).toBe(true);
    expect(await on("2026-11-02", "America/New_York")).toBe(false);
    // And the first one after that on which it puts them forward.
    await playedAt("2026-03-09T04:00:00Z");
    expect(await on("2026-03-08", "America/New_York")).toBe(false);
    expect(await on("2026-03-09", "America/New_York")).toBe(true);
    for (const day of ["0000-01-01", "0001-01-01", "9999-12-31"]) expect(await on(day, "America/New_York")).toBe(false);
  } finally {
    await playedAt(before?.toISOString() ?? null);
  }

  const refused = await player.request("GET", "/api/highlights/?from=2026-11-20&time_zone=Mars/Olympus");
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("time_zone: There is no such time zone");
  expect((await find({ limit: "2", time_zone: "America/Bogota" })).next).toBe(
    "/api/highlights/?limit=2&offset=2&time_zone=America%2FBogota",
  );
});

test("They come in pages, and to their owner alone", async () => {
  const first = await find({ limit: "2", type: "wallbang" });
  const more = await find({ limit: "2" });
  expect(more.results).toHaveLength(2);
  expect(more.next).toBe("/api/highlights/?limit=2&offset=2");
  const second = await player.call<FoundHighlights>("GET", more.next ?? "");
  expect(second.results.map(({ id }) => id)).not.toContain(more.results[0]?.id);
  expect(first.results.every(({ highlight_type }) => highlight_type === "wallbang")).toBe(true);
  expect((await new ApiVisitor(server.url).request("GET", "/api/highlights/")).status).toBe(401);
  const stranger = new ApiVisitor(server.url);
  await stranger.signIn("76561199999970002", "stranger");
  expect(await stranger.call("GET", "/api/highlights/")).toMatchObject({ results: [], maps: [], has_own: false });
});

test("Who plays in these matches finds the own ones first, and everybody's when asked for", async () => {
  const name = match.highlights[0]?.player_name ?? "";
  const { database } = server.services;
  const { players } = await database
    .selectFrom("demos")
    .select("players")
    .where("sha256", "=", sha256)
    .executeTakeFirstOrThrow();
  const own = players.map((one) => (one.name === name ? { ...one, steam_id: steamId } : one));
  await database
    .updateTable("demos")
    .set({ players: JSON.stringify(own) })
    .where("sha256", "=", sha256)
    .execute();
  const found = await find({ limit: "100" });
  expect(found).toMatchObject({ player: steamId, has_own: true });
  expect(found.results.every(({ player_steam_id }) => player_steam_id === steamId)).toBe(true);
  expect((await find({ limit: "100", player: "all" })).results).toHaveLength(match.highlights.length);
});

test("A list of clips is narrowed down by map, type and player, its totals are not, and its next page keeps the filter", async () => {
  const chosen = [
    match.highlights[0],
    match.highlights.find((one) => one.player_name !== match.highlights[0]?.player_name),
  ];
  const clips: Clip[] = [];
  for (const highlight of chosen) {
    const clip = await player.call<Clip>("POST", `/api/matches/${match.id}/clips/create/`, {
      highlight_ids: [highlight?.id],
    });
    await finishClip(server.services, clip.id);
    clips.push(clip);
  }
  const visitor = new ApiVisitor(server.url);
  const list = (query: Record<string, string>) =>
    visitor.call<UserClips>("GET", `/api/matches/users/${steamId}/clips/?${new URLSearchParams(query)}`);
  const ids = ({ results }: UserClips) => results.flatMap((group) => group.clips.map(({ id }) => id));
  const byName = await list({ player: chosen[1]?.player_name.toUpperCase() ?? "" });
  expect(ids(byName)).toEqual([clips[1]?.id]);
  expect(byName.user_stats.total_clips).toBe(2);
  expect(ids(await list({ map: match.map_name })).sort()).toEqual(clips.map(({ id }) => id).sort());
  expect(ids(await list({ map: "de_elsewhere" }))).toEqual([]);
  expect(ids(await list({ type: chosen[0]?.highlight_type ?? "ace" }))).toContain(clips[0]?.id);
  expect((await visitor.request("GET", `/api/matches/users/${steamId}/clips/?type=nothing`)).status).toBe(400);
});

test("Whether a player has begun is known without listing the matches", async () => {
  expect(await player.call("GET", "/api/auth/standing/")).toEqual({ has_matches: true });
  const newcomer = new ApiVisitor(server.url);
  expect((await newcomer.request("GET", "/api/auth/standing/")).status).toBe(401);
  await newcomer.signIn("76561199999970003", "newcomer");
  expect(await newcomer.call("GET", "/api/auth/standing/")).toEqual({ has_matches: false });
});
