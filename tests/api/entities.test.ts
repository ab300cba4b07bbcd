import { afterAll, beforeAll, expect, test } from "vitest";
import type { ClipsOverview, UserClips } from "../../contract/schemas/clip-lists.ts";
import type { Clip, ClipDetail } from "../../contract/schemas/clips.ts";
import type { Match, MatchDetail, MatchList } from "../../contract/schemas/matches.ts";
import { ApiVisitor } from "../services/api-visitor.ts";
import { type HistoryProviderServer, startHistoryProvider } from "../services/leetify-server.ts";
import { type RunningApi, startApi } from "./start-server.ts";
import { finishClip, giveMatch, storeReel } from "./stored-reel.ts";

const steamId = "76561199999971000";

let history: HistoryProviderServer;
let server: RunningApi;
let visitor: ApiVisitor;
let match: MatchDetail;
let clip: Clip;

beforeAll(async () => {
  history = await startHistoryProvider({
    [steamId]: [
      {
        id: "recent-one",
        map: "de_nuke",
        demoUrl: "https://demos.example/recent-one.dem.bz2",
        finishedAt: "2026-11-02T18:00:00.000Z",
        score: [13, 4],
      },
    ],
  });
  server = await startApi({ HISTORY_PROVIDER: "leetify", LEETIFY_API_URL: history.url });
  visitor = new ApiVisitor(server.url);
  await visitor.signIn(steamId, "Entity");
  const id = await giveMatch(server.services, steamId, await storeReel(server.services));
  match = await visitor.call("GET", `/api/matches/${id}/?include_players=true`);
  clip = await visitor.call("POST", `/api/matches/${id}/clips/create/`, {
    name: "Named",
    highlight_ids: [match.highlights[0]!.id],
    render_settings: {
      xray: false,
      hud: true,
      radar: false,
      killfeed: true,
      highlight_info: false,
      watermark: false,
      pre_time_adjustment: 2,
      post_time_adjustment: -1.5,
    },
  });
  await finishClip(server.services, clip.id);
});
afterAll(async () => {
  await server?.close();
  await history?.close();
});

/** Fails unless the entity has every one of these fields. */
function hasFields(entity: object | undefined, fields: string): void {
  for (const field of fields.split(/,?\s+/)) expect(entity, field).toHaveProperty([field]);
}

const mapFields = "map_name map_display_name game_mode match_date score_team1 score_team2";

test("The auth status, the login start and the user have their fields", async () => {
  expect(await new ApiVisitor(server.url).call("GET", "/api/auth/status/")).toEqual({
    authenticated: false,
    user: null,
  });
  expect(await visitor.call("GET", "/api/auth/status/")).toEqual({
    authenticated: true,
    user: { steam_id: steamId, steam_name: "Entity", avatar_url: `/local-steam/avatars/${steamId}.svg` },
  });
  const { auth_url: address } = await visitor.call<{ auth_url: string }>("GET", "/api/auth/steam/login/");
  expect(URL.canParse(address)).toBe(true);
});

test("Imported and recent matches and a match's details have their fields", async () => {
  const { results } = await visitor.call<MatchList>("GET", "/api/matches/?limit=9&offset=0");
  const [imported, recent] = results as [Match, Match];
  expect([imported.match_type, recent.match_type]).toEqual(["imported", "recent"]);
  hasFields(
    imported,
    `id match_id match_type ${mapFields} created_at user_outcome highlights_count highlights clips_count clips
    processing_status demo_url`,
  );
  expect(imported).toMatchObject({ highlights_count: 22, clips_count: 1, processing_status: "completed" });
  hasFields(imported.user_outcome, "color_class formatted_score");
  hasFields(
    recent,
    "recent_match_id leetify_match_id demo_url map_name game_mode score_team1 score_team2 match_date processing_status",
  );
  expect(recent).toMatchObject({ recent_match_id: "recent-one", leetify_match_id: "recent-one", score_team1: 13 });
  hasFields(match, `${mapFields} demo_url highlights players_by_team`);
  expect(match.players_by_team?.team1.players).toHaveLength(5);
  const without = await visitor.call<MatchDetail>("GET", `/api/matches/${match.match_id}/`);
  expect(without.players_by_team).toBeNull();
});

test("The processing status and a highlight have their fields", async () => {
  const processing =
    "is_processing is_completed status processing_status status_display current_operation queue_position";
  hasFields(
    await visitor.call("GET", `/api/matches/${match.match_id}/status/`),
    `${processing} highlights_found match_id`,
  );
  const byAddress = await visitor.call<{ match_id: string }>("POST", "/api/matches/check-demo-processing/", {
    demo_url: match.demo_url,
  });
  hasFields(byAddress, `${processing} highlights_found match_id`);
  expect(byAddress.match_id).toBe(match.match_id);
  for (const highlight of match.highlights) {
    hasFields(
      highlight,
      "id highlight_type kills_count display_name player_name player_avatar_url round_number victims_data",
    );
    for (const victim of highlight.victims_data) hasFields(victim, "name steam_id avatar_url");
  }
});

test("A clip, its details and its payload have their fields", async () => {
  const fields = `id name display_name highlight_info highlights render_status queue_position render_error video_url poster_url
    created_at likes_count views_count match_id user ${mapFields}`;
  hasFields(clip, fields);
  hasFields(clip.user, "steam_id username avatar_url");
  const detail = await visitor.call<ClipDetail>("GET", `/api/matches/clips/${clip.id}/`);
  hasFields(detail, `${fields} match_info sharing`);
  hasFields(detail.match_info, mapFields);
  hasFields(detail.sharing, "title description created_by");
  expect(detail.render_settings).toEqual({
    xray: false,
    hud: true,
    radar: false,
    killfeed: true,
    highlight_info: false,
    watermark: false,
    pre_time_adjustment: 2,
    post_time_adjustment: -1.5,
  });
  expect(detail).toMatchObject({ name: "Named", highlights: [{ id: match.highlights[0]!.id }] });
});

test("The top highlights, both overviews, likes and views have their fields", async () => {
  expect(Object.keys(await visitor.call("GET", "/api/top-highlights/"))).toEqual([
    "newest",
    "most_viewed",
    "most_liked",
    "best_clutches",
    "best_multikills",
    "best_zeus_knife",
    "best_noscopes",
    "best_one_taps",
    "best_ninja_defuses",
  ]);
  const own = await visitor.call<ClipsOverview>("GET", "/api/matches/clips/?limit=5&offset=0");
  hasFields(own, "results user_stats limit next");
  hasFields(own.user_stats, "total_clips total_views total_likes");
  hasFields(own.results[0], `match_id ${mapFields} clips`);
  expect(own).toMatchObject({ limit: 5, next: null });
  const publicly = await visitor.call<UserClips>("GET", `/api/matches/users/${steamId}/clips/?limit=5&offset=0`);
  hasFields(publicly, "results user_stats limit next user_info");
  hasFields(publicly.user_info, "username avatar_url");

  const path = `/api/matches/clips/${clip.id}`;
  expect(await visitor.call("POST", `${path}/like/`)).toEqual({ liked: true, likes_count: 1 });
  expect(await visitor.call("GET", `${path}/likes/`)).toEqual({ likes_count: 1, user_has_liked: true, liked: true });
  expect(await visitor.call("POST", `${path}/like/`)).toEqual({ liked: false, likes_count: 0 });
  expect(await visitor.call("GET", `${path}/views/`)).toEqual({ views_count: 0 });
});
