/** Examples for the OpenAPI document, made from its schemas: the value of a field is written once, by its name. */

type Json = Record<string, unknown>;

/** Stands for text without a chosen value; a test finds it. */
export const unchosenText = "…";

const matchId = "kV3xQ9mZ2bTc";
const steamId = "76561197960287930";
const time = "2026-11-21T19:42:08.000Z";

/**
 * Values by a field's name, or by its parent's name and its own. A value that does not fit the schema's type or choices is skipped: `id` is
 * a number in one place and a text in another.
 */
const values: Record<string, readonly unknown[]> = {
  // Query parameters.
  "login.next": ["/matches"],
  demo: ["C:\\demos\\match730_003768.dem"],
  download: ["1"],
  highlights: ["88213,88219"],
  map: ["de_mirage"],
  offset: [0],
  v: ["8d21c0"],
  "track.v": ["4"],
  // The upload form.
  demo_file: ["<the bytes of match730_003768.dem.bz2>"],
  part: ["<8,388,608 bytes of match730_003768.dem.bz2>"],
  // Messages to scripts.
  "clip.url": ["https://clips.example/clips/4127"],
  "clip.name": ["Quad Kill on Mirage"],
  "clip.highlights": [[{ type: "quad_kill", round: 7, player: { name: "quietOtter", steam_id: steamId } }]],
  "format.name": ["vertical"],
  "format.width": [720],
  "format.height": [1280],
  "match.url": [`https://clips.example/matches/${matchId}`],
  "match.score": [[13, 9]],
  played_at: ["2026-11-20T20:15:00.000Z"],
  timestamp: [time],
  message: ["Clutchcast reaches this address."],
  // CS Demo Manager's configuration.
  openapi: ["3.1.0"],
  paths: [{}],
  demoPath: ["match730_003768.dem"],
  outputFileName: ["Quad Kill on Mirage"],
  framerate: [60],
  number: [1, "1"],
  startTick: [41_011],
  endTick: [41_920],
  deathNoticesDuration: [5],
  playersOptions: [[]],
  cameras: [[]],
  playerSteamId: [steamId],
  playerName: ["quietOtter"],
  address_lines: [["12 Example Street", "10115 Berlin"]],
  auth_url: ["https://steamcommunity.com/openid/login?openid.mode=checkid_setup"],
  authenticated: [true],
  avatar_url: ["https://avatars.steamstatic.com/b5bd56c1aa4644a474a2e4972be27ef9e82e517e_medium.jpg"],
  can_add_formats: [true],
  can_create_clips: [true],
  checks: [{ database: "ok", storage: "ok", encoder: "ok" }],
  clip_days: [730],
  clip_id: [4127],
  clip_ids: [[4127, 4131]],
  clips_count: [1],
  color_class: ["win"],
  count: [12],
  created_at: [time],
  created_by: ["quietOtter"],
  current_operation: ["Finding highlights"],
  definition: ["Four kills by one player in a round."],
  demo_data_days: [730],
  demo_file_days: [1],
  demo_url: ["https://demos.example/match730_003768.dem.bz2"],
  description: ["Four kills in 6.2 seconds on Mirage."],
  detail: ["A sentence for a person."],
  device: ["Firefox on Windows"],
  display_name: ["Quad Kill on Mirage"],
  duration_seconds: [14.2],
  end_tick: [41_920],
  error: ["not_found", "The demo could not be downloaded."],
  expires_at: ["2027-02-19T19:42:08.000Z"],
  expires_in_days: [90],
  first_characters: ["clutchcast_pat_Zk3v"],
  flags: [["headshot"]],
  format: ["720p", "vertical"],
  formatted_score: ["13 - 9"],
  from: [12.5, "2026-11-01"],
  game_mode: ["Competitive"],
  has_matches: [true],
  has_own: [true],
  height: [720],
  highlight_id: [88_213, "88213"],
  highlight_ids: [[88_213, 88_219]],
  highlight_info: ["Quad Kill · Round 7"],
  highlight_type: ["quad_kill"],
  highlights_count: [23],
  highlights_found: [23],
  hosting_provider: ["a hosting provider in Germany"],
  id: [4127, matchId, "4127", "9f86d081884c7d65", "9f86d081884c7d659a2feaa0", "0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9"],
  imported_at: [time],
  include_players: ["true"],
  is_completed: [true],
  is_current: [true],
  is_owner: [true],
  jurisdiction: ["Berlin, Germany"],
  kills_count: [4],
  kind: ["kill", "planted"],
  label: ["paleFalcon"],
  last_seen_at: [time],
  last_used_at: [time],
  leetify_match_id: ["5f0f4d4c-7e4b-4b0e-9d3e-0b8f6f1a2b3c"],
  likes_count: [3],
  limit: [5, 9],
  liked: [true],
  local_identity: [false],
  loop_url: ["/video/clips/4127/loop.mp4?v=8d21c0"],
  map_display_name: ["Mirage"],
  map_icon_url: ["/maps/de_mirage.svg"],
  map_name: ["de_mirage"],
  maps: [["de_mirage", "de_nuke"]],
  "marks.detail": ["AK-47"],
  match_date: ["2026-11-20T20:15:00.000Z"],
  match_id: [matchId],
  match_type: ["imported"],
  name: ["Quad Kill on Mirage", "floor-0.webp"],
  next: ["/api/matches/?limit=9&offset=9", "/matches"],
  "operator.name": ["Jo Example"],
  email: ["operator@clips.example"],
  order: ["match"],
  parts: [[]],
  pictures_url: [`/api/matches/${matchId}/pictures/4/`],
  base64: ["<the bytes of a picture>"],
  player: [steamId, 3],
  player_name: ["quietOtter"],
  player_steam_id: [steamId],
  player_avatar_url: ["https://avatars.steamstatic.com/b5bd56c1aa4644a474a2e4972be27ef9e82e517e_medium.jpg"],
  "players.name": ["quietOtter"],
  "players.steam_id": [steamId],
  poster_url: ["/video/clips/4127/poster.jpg?v=8d21c0", "https://clips.example/video/clips/4127/poster.jpg?v=8d21c0"],
  post_time_adjustment: [0],
  pre_time_adjustment: [2],
  processing_status: ["completed"],
  product_name: ["Clutchcast"],
  public_view: ["true"],
  at: [time],
  attempts: [5],
  begun_at: [time],
  cause: ["ffmpeg ended with status 1"],
  ended_at: [time],
  failed_at: [time],
  file_name: ["match730_003768.dem.bz2"],
  part_bytes: [8_388_608],
  received_bytes: [16_777_216],
  bytes: [94_371_840],
  file: ["clutchcast-2026-11-21.backup"],
  host: ["worker-1"],
  href: ["/clips/4127"],
  last_at: [time],
  next_due_at: ["2026-11-22T19:42:08.000Z"],
  queue: ["render"],
  sentence: ["Video processing failed. Delete the clip and create it again."],
  subject: ["clip 4127"],
  trace_id: ["4bf92f3577b34da6a3ce929d0e0e4736"],
  value: ["20.20.2"],
  address: ["https://scripts.example/hook"],
  clips_per_day: [3],
  clips_today: [1],
  event: ["clip.ready"],
  found_at: [time],
  is_on: [true],
  looked_at: [time],
  matches_found: [12],
  matches_under_way: [0],
  message_id: ["msg_2Xq3kV3xQ9mZ2bTc"],
  min_score: [60],
  next_look_at: ["2026-11-21T19:52:08.000Z"],
  next_try_at: [time],
  secret: ["whsec_<44 characters of base64>"],
  since: [time],
  "deliveries.status": [200],
  took_ms: [182],
  tries: [1],
  tried_at: [time],
  webhook_id: [17],
  public_id: ["4127"],
  clip_name: ["Quad Kill on Mirage"],
  demo_name: ["match730_003768.dem"],
  first_tick: [40_800],
  takes: [2],
  by_hand: [["paleFalcon"]],
  csdm_url: ["/api/matches/clips/4127/in-game/csdm.json"],
  hlae_url: ["/api/matches/clips/4127/in-game/hlae.xml"],
  progress: [1],
  "provider.name": ["Leetify"],
  "provider.url": ["https://leetify.com/"],
  provider_match_url: ["https://leetify.com/app/match-details/5f0f4d4c"],
  public_url: ["https://clips.example"],
  reason: ["4 kills in 6.2 s, two through smoke"],
  recent_match_id: ["5f0f4d4c-7e4b-4b0e-9d3e-0b8f6f1a2b3c"],
  removable_highlights: [[]],
  render_status: ["completed"],
  reuse: [true],
  round: [7],
  round_number: [7],
  sample_available: [false],
  scopes: [["read", "create"]],
  score: [71.5],
  score_team1: [13],
  score_team2: [9],
  seconds: [4.6],
  share_url: ["/video/clips/4127/share.mp4?v=8d21c0", "https://clips.example/video/clips/4127/share.mp4?v=8d21c0"],
  size: [1024],
  spec: [{}],
  start_seconds: [0],
  start_tick: [41_011],
  started_at: [time],
  status: ["completed", "ready", "ok"],
  status_display: ["Completed"],
  steam_id: [steamId],
  steam_name: ["quietOtter"],
  "team1.name": ["Team A"],
  "team2.name": ["Team B"],
  thumbnail_url: ["/video/clips/4127/thumbnail.jpg?v=8d21c0"],
  tick: [41_530],
  tick_rate: [64],
  time_zone: ["America/New_York"],
  title: ["Quad Kill on Mirage by quietOtter"],
  to: [19],
  token: ["clutchcast_pat_<43 letters, digits, hyphens and underscores>"],
  track_url: [`/api/matches/${matchId}/track/?v=4`],
  type: ["quad_kill"],
  until: ["2026-11-30"],
  url: ["https://clips.example"],
  user_has_liked: [true],
  username: ["quietOtter"],
  version: ["4"],
  "victim.name": ["paleFalcon"],
  "victim.steam_id": ["76561197960265729"],
  "victims_data.name": ["paleFalcon"],
  "victims_data.steam_id": ["76561197960265729"],
  video_url: ["/video/clips/4127/?v=8d21c0", "https://clips.example/video/clips/4127/?v=8d21c0"],
  views_count: [118],
  weapon: ["ak47"],
  weapon_name: ["AK-47"],
  wide_poster_url: ["/video/clips/4127/wide-poster.jpg?v=8d21c0"],
  width: [1280],
  xray: [true],
  hud: [true],
  radar: [true],
  killfeed: [true],
};

/** Nullable fields that examples set to null, as they are for finished or plain things. */
const nullInExamples = new Set([
  "error",
  "render_error",
  "queue_position",
  "problem",
  "display_name",
  "provider",
  "off_reason",
]);
/** Lists of clips and of matches, left empty where each would repeat the other. */
const emptyInLists = new Set(["highlights", "clips", "kills"]);

/**
 * A value that fits a schema of the document.
 * @param schemas the document's schemas by name, for references
 * @param field the field's name and that of its parent
 */
export function exampleOf(
  schema: Json,
  schemas: Readonly<Record<string, Json>>,
  field: readonly string[] = [],
): unknown {
  const reference = schema.$ref as string | undefined;
  if (reference) return exampleOf(schemas[reference.slice(reference.lastIndexOf("/") + 1)] ?? {}, schemas, field);
  if ("const" in schema) return schema.const;
  const name = field.at(-1) ?? "";
  // `{ type: ["string", "null"] }` is short for two choices.
  const choices = Array.isArray(schema.type)
    ? (schema.type as string[]).map((type): Json => ({ ...schema, type }))
    : (schema.anyOf as Json[] | undefined);
  if (choices) {
    if (choices.some(({ type }) => type === "null") && nullInExamples.has(name)) return null;
    return exampleOf(choices.find(({ type }) => type !== "null") ?? {}, schemas, field);
  }
  const chosen = [...(values[field.slice(-2).join(".")] ?? []), ...(values[name] ?? [])].find((value) =>
    fits(value, schema),
  );
  if (chosen !== undefined) return chosen;
  if (schema.enum) return (schema.enum as unknown[])[0];
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries((schema.properties as Record<string, Json> | undefined) ?? {}).map(([key, of]) => [
          key,
          exampleOf(of, schemas, [...field, key]),
        ]),
      );
    case "array":
      if (field.length > 2 && emptyInLists.has(name)) return [];
      return [exampleOf(schema.items as Json, schemas, field)];
    case "string":
      return unchosenText;
    case "integer":
    case "number":
      return (schema.minimum as number | undefined) ?? 0;
    case "boolean":
      return false;
    default:
      return {};
  }
}

/** Turns a message's example into one about a failure. */
export function withFailure(message: unknown): unknown {
  const { data, ...rest } = message as { data: { clip: Json; format?: Json } };
  const failed = { status: "failed", error: "Video processing failed.", video_url: null, poster_url: null };
  const { clip, format } = data;
  return {
    ...rest,
    data: format
      ? { clip, format: { ...format, ...failed } }
      : { clip: { ...clip, ...failed, share_url: null, duration_seconds: null } },
  };
}

function fits(value: unknown, schema: Json): boolean {
  if (schema.enum) return (schema.enum as unknown[]).includes(value);
  if (schema.pattern && !(typeof value === "string" && new RegExp(schema.pattern as string).test(value))) return false;
  if (typeof value === "number") {
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema as {
      minimum?: number;
      maximum?: number;
    };
    return ["integer", "number"].includes(schema.type as string) && value >= minimum && value <= maximum;
  }
  if (Array.isArray(value)) return schema.type === "array";
  if (typeof value === "object") return schema.type === "object";
  return schema.type === typeof value;
}
