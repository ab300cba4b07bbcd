import type { ColumnType, Generated, GeneratedAlways, JSONColumnType, Selectable } from "kysely";
import type { Visibility } from "../../contract/clip-address.ts";
import type { ClipFormat } from "../../contract/clip-formats.ts";
import type { StoredHighlightType } from "../../contract/highlight-types.ts";
import type { RenderSettings } from "../../contract/schemas/clips.ts";
import type { ProcessingStatus, RenderStatus } from "../../contract/statuses.ts";
import type { ClipSpec } from "../../replay/clip-spec.ts";
import type { MatchRecord } from "../../replay/match-record.ts";

/** The tables as Kysely sees them; `migrations/` creates them. int8 arrives as number on both drivers. */

type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>;
type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

export interface UsersTable {
  id: GeneratedAlways<number>;
  /** SteamID64 as text, unique. */
  steam_id: string;
  steam_name: string;
  avatar_url: string | null;
  created_at: Timestamp;
}

export interface SessionsTable {
  /** SHA-256 of the id in the cookie, hex. The id itself is never stored. */
  id_hash: string;
  user_id: number;
  created_at: Timestamp;
  last_seen_at: Timestamp;
  expires_at: Timestamp;
  /** "Firefox on Windows"; null when the browser does not say, and for sessions older than the column. */
  device: string | null;
}

/** Access tokens of players' scripts. */
export interface AccessTokensTable {
  id: GeneratedAlways<number>;
  user_id: number;
  name: string;
  /** SHA-256 of the token, hex. The token itself is never stored. */
  token_hash: string;
  /** First characters of the token, so that its player recognises it. */
  first_characters: string;
  /** `TokenScope`s, separated by spaces. */
  scopes: string;
  created_at: Timestamp;
  /** Null when it is valid until revoked. */
  expires_at: NullableTimestamp;
  /** Exact to five minutes. */
  last_used_at: NullableTimestamp;
}

/** One-time values of sign-in: OpenID response nonces seen, so that none is used twice. */
export interface OpenidNoncesTable {
  nonce: string;
  seen_at: Timestamp;
}

/** A demo by content: parsed once, whoever imports it. */
export interface DemosTable {
  /** SHA-256 of the unpacked demo, hex. */
  sha256: string;
  map: string;
  game_mode: string;
  server_name: string;
  /** When it was played, if demo or provider say so. */
  played_at: NullableTimestamp;
  /** DemoPlayer[]: index = PlayerIndex of the match record. */
  players: JSONColumnType<DemoPlayer[]>;
  /** DemoTeam[2] */
  teams: JSONColumnType<DemoTeam[]>;
  /** What a clip's segments depend on: tick rate and rounds of the match record. */
  timing: JSONColumnType<DemoTiming>;
  /** Blob key of the replay track, null once deleted by retention. */
  track_key: string | null;
  /** Blob key of the raw demo, null once deleted by retention. */
  file_key: string | null;
  file_bytes: number | null;
  /** Size of the replay track; null when it is older than the column. */
  track_bytes: number | null;
  /** Blob key of the pictures of its highlights and its ground; null until they are made, after the import. */
  pictures_key: string | null;
  /** When they were last tried, so that a failure is not repeated whenever somebody opens the match. */
  pictures_tried_at: NullableTimestamp;
  /** Version of the rules that found all of its highlights. */
  detector_version: number;
  /** The newest version of the rules that was tried on its stored data, so that none is tried twice; null: none was. */
  detection_tried: number | null;
  created_at: Timestamp;
}

export type DemoTiming = Pick<MatchRecord, "tickRate" | "rounds">;

export interface DemoPlayer {
  name: string;
  steam_id: string | null;
  team: 0 | 1 | null;
  /** The demo itself has another name for them: see `RecordedPlayer`. Unknown for demos that were read by older versions. */
  has_other_name?: true;
}

export interface DemoTeam {
  name: string;
  score: number;
}

export interface MatchesTable {
  /** Opaque text: nanoid-like, 12 characters. */
  id: string;
  user_id: number;
  /** null until the demo is unpacked and hashed. */
  demo_sha256: string | null;
  /** What the player pasted; null for an uploaded file or the sample. */
  demo_url: string | null;
  source: "url" | "recent" | "upload" | "sample";
  /** Blob key of an uploaded file that still waits for its import. */
  upload_key: string | null;
  /** Size of that file; null when it is older than the column. */
  upload_bytes: number | null;
  /** Name of an uploaded file, cleaned; null for other sources, and for uploads older than the column. */
  file_name: string | null;
  recent_match_id: string | null;
  leetify_match_id: string | null;
  provider_match_url: string | null;
  /** What the provider said before the demo was read. */
  provider_map: string | null;
  provider_game_mode: string | null;
  provider_score1: number | null;
  provider_score2: number | null;
  provider_played_at: NullableTimestamp;
  status: Generated<ProcessingStatus>;
  /** 0..1 over the whole import. */
  progress: Generated<number>;
  /** Figure for the status text, e.g. "41 %", or "". */
  operation: Generated<string>;
  /** DemoImportError code and sentence, when failed. */
  error_code: string | null;
  error: string | null;
  /**
   * Set when the demo, once hashed, turned out to be one the player already has: the id of that match (references matches,
   * on delete cascade). Such a row is in no list, its id answers as the other match, and its demo_sha256 is null: UNIQUE
   * (user_id, demo_sha256) where demo_sha256 is not null holds one match a player and demo. Decision 070.
   */
  alias_of: string | null;
  created_at: Timestamp;
  completed_at: NullableTimestamp;
}

/** Demo files that come in parts. Decision 175. */
export interface UploadsTable {
  /** 24 hexadecimal digits; the blob is `uploads/ID`. */
  id: string;
  user_id: number;
  /** Like that of a match. */
  file_name: string | null;
  /** Of the whole file. */
  bytes: number;
  /** Of each part but the last. Kept, since a later version may have another size. */
  part_bytes: number;
  /** One for each part that is here, as the store gave it. */
  part_tags: Generated<string[]>;
  /** What the store knows the unfinished blob by. */
  store_handle: string;
  /** Null until it is imported. The row stays after that, so that a repeated press is answered with the same match. */
  match_id: string | null;
  created_at: Timestamp;
  /** When its last part came. */
  touched_at: Timestamp;
}

export interface HighlightsTable {
  id: GeneratedAlways<number>;
  demo_sha256: string;
  type: StoredHighlightType;
  round: number;
  /** PlayerIndex in demos.players. */
  player: number;
  /** Steam ID of that player, by which lists find it; written by a trigger, null for a bot. */
  steam_id: GeneratedAlways<string | null>;
  /** Map of the demo, likewise. */
  map: GeneratedAlways<string | null>;
  kills_count: number;
  score: number;
  reason: string;
  start_tick: number;
  end_tick: number;
  /** HighlightMoment[] of backend/highlights/highlight.ts */
  moments: JSONColumnType<unknown[]>;
  /** False when the rules no longer find it, or its maker is gone, and it is kept only for clips that show it. Decisions 077, 134. */
  is_listed: Generated<boolean>;
  /** Name of a custom highlight, cleaned; null for detected ones. */
  name: string | null;
  /** Who marked a custom highlight; null for detected ones, and when that account is gone. */
  made_by: number | null;
  /** Blob key of a custom highlight's still, null until it is drawn. Stills of detected ones are in the pictures of the match. */
  still_key: string | null;
  /** Like `pictures_tried_at` of the demo. */
  still_tried_at: NullableTimestamp;
}

export interface ClipsTable {
  id: GeneratedAlways<number>;
  user_id: number;
  /** Null for a compilation, like `demo_sha256`: its parts are in `clip_parts`. */
  match_id: string | null;
  demo_sha256: string | null;
  name: string;
  spec: JSONColumnType<ClipSpec>;
  /** RenderSettings of the contract, as sent. */
  settings: JSONColumnType<object>;
  status: Generated<RenderStatus>;
  progress: Generated<number>;
  error: string | null;
  /**
   * 1..3 while queued or processing, 4 or 5 for an automatic clip, else null. UNIQUE (user_id, queue_slot): the database holds the limit
   * of three clips, so that two simultaneous requests cannot both take the last place.
   */
  queue_slot: number | null;
  video_key: string | null;
  poster_key: string | null;
  /** A picture in 16:9 at half the poster's size, for lists. */
  thumbnail_key: string | null;
  /** The poster in 16:9: the poster itself unless that is upright. Null for upright clips older than the column. */
  wide_poster_key: string | null;
  video_bytes: number | null;
  /** Expected size of its video, which counts as stored while the clip has a place in the queue. */
  expected_bytes: number | null;
  duration_seconds: number | null;
  /** The file of at most `limits.shareFileBytes`: the video itself if that is small enough. Null until it is made. */
  share_key: string | null;
  /** When it was last requested outside of the render, so that a failure is tried again only hours later. */
  share_tried_at: NullableTimestamp;
  /** The muted loop of three seconds for cards. Null until it is made, and for ever when the replay data is gone. */
  loop_key: string | null;
  /** Like `share_tried_at`. */
  loop_tried_at: NullableTimestamp;
  /** Hash of the map's footprints (`maps/<hash>/…`) in force when it was created; null: it is drawn on those of its match. */
  map_hash: string | null;
  /** What its video shows when; null until it is rendered, and for clips rendered before this was kept. */
  moments: ColumnType<StoredMoment[] | null, string | null | undefined, string | null>;
  /** Key of an unlisted clip, which follows the id in its address. Null: the clip is public. */
  link_key: string | null;
  /** Keys by which lists find it: see `clips/lists/found-by.ts`. */
  found_by: Generated<string[]>;
  /** 64 bits that a trigger derives from `found_by`, for the indexes of lists; not a JavaScript number. Migration 030. */
  found_signature: GeneratedAlways<unknown>;
  /** Scores of its best highlights, by which the "best" lists rank it; null if it has none for that list. Written by triggers (migration 029). */
  best_clutch: GeneratedAlways<number | null>;
  best_multikill: GeneratedAlways<number | null>;
  best_zeus_knife: GeneratedAlways<number | null>;
  best_noscope: GeneratedAlways<number | null>;
  best_one_tap: GeneratedAlways<number | null>;
  best_ninja_defuse: GeneratedAlways<number | null>;
  likes_count: Generated<number>;
  views_count: Generated<number>;
  /** It was made automatically, and its player has not kept it yet. Decision 164. */
  made_for_you: Generated<boolean>;
  created_at: Timestamp;
  completed_at: NullableTimestamp;
  /** When its name or visibility last changed; null if neither did. */
  edited_at: NullableTimestamp;
}

/** A tick that a clip's video shows, and when. */
export interface StoredMoment {
  tick: number;
  /** Position in the video. */
  seconds: number;
  /** True where a segment begins; else it is a kill or defuse of a highlight. */
  isStart: boolean;
}

/** A format that was added to a finished clip. The format in which it was created is in the clip's row. Decision 115. */
export interface ClipFormatsTable {
  clip_id: number;
  /** The clip's. */
  user_id: number;
  format: ClipFormat;
  status: Generated<Exclude<RenderStatus, "pending">>;
  progress: Generated<number>;
  error: string | null;
  /** 1..3 while queued or processing: one of the places that the player's clips have. */
  queue_slot: number | null;
  video_key: string | null;
  poster_key: string | null;
  video_bytes: number | null;
  /** Like the column of clips. */
  expected_bytes: number | null;
  created_at: Timestamp;
  completed_at: NullableTimestamp;
}

export interface ClipHighlightsTable {
  clip_id: number;
  highlight_id: number;
  /** Order within the clip. */
  position: number;
}

/** The clips that a compilation consists of. Decision 150. */
export interface ClipPartsTable {
  /** The compilation. */
  clip_id: number;
  /** From 0, in the order of the video. */
  position: number;
  /** Null once that clip is deleted. */
  part_id: number | null;
  /** Copied when the compilation was created. */
  name: string;
  duration_seconds: number;
  /** Where it begins in the compilation's video; null until that is made. */
  start_seconds: number | null;
  /** Highlights that it shows; null if its clip was deleted before this was kept. */
  highlight_ids: JSONColumnType<number[]> | null;
}

export interface LikesTable {
  user_id: number;
  clip_id: number;
  created_at: Timestamp;
}

/** Views of the last hours: one row keeps a viewer from counting twice in 6 h. */
export interface ViewsTable {
  clip_id: number;
  /** Hash of network and user agent with a salt that changes daily. */
  viewer_hash: string;
  /** Hash of the network alone, for viewers who are not signed in. */
  network_hash: string | null;
  viewed_at: Timestamp;
}

/** Fixed-window counters for rate limits; UNLOGGED: losing them in a crash is fine. */
export interface RateCountersTable {
  key: string;
  window_start: Timestamp;
  count: number;
}

/** Avatars and names by SteamID, for players in demos. */
export interface ProfilesTable {
  steam_id: string;
  name: string;
  avatar_url: string | null;
  refreshed_at: Timestamp;
}

/** When a player was served last, by queue: the place of their newest finished job in the order of all. Decision 075. */
export interface JobTurnsTable {
  user_id: number;
  queue: string;
  /** A value of the sequence `job_order`, which also orders the jobs. */
  turn: number;
}

/** Files of where players walk on a map, merged from its matches, at most one a day. Decision 123. */
export interface MapFootprintsTable {
  /** Like `demos.map`. */
  map: string;
  /** Clips created from this time on are drawn on it, until the next one is valid. */
  valid_from: Timestamp;
  /** Hash of the file's content, part of its blob key; null when the matches gave no file. */
  hash: string | null;
  /** Number of matches in it. */
  matches: number;
  /** Hash of the list of matches: a new file is made when the list changes. */
  sources: string;
  made_at: Timestamp;
}

/** Totals of a user, without changes that are not added up yet; read by `counts.ts`. Decision 154. */
export interface UserTotalsTable {
  user_id: number;
  clips: Generated<number>;
  finished_clips: Generated<number>;
  /** Of all clips; only finished ones have views and likes. */
  views: Generated<number>;
  likes: Generated<number>;
  /** Without matches that turned out to be another one (`alias_of`). */
  matches: Generated<number>;
  /** Bytes of videos, uploads, and demos of their matches. */
  bytes: Generated<number>;
  list_changes: Generated<number>;
}

/** Clips and matches by status, without changes that are not added up yet. */
export interface StatusCountsTable {
  kind: "clips" | "matches";
  status: string;
  count: Generated<number>;
}

/** Which automatic clips a player wants, and when their match history is looked at. Decision 163. */
export interface AutomationTable {
  user_id: number;
  is_on: boolean;
  /** One clip of the best highlight of a match, or one of each highlight that reaches `min_score`. */
  choice: "best" | "above";
  min_score: number;
  /** Whose highlights count. */
  players: "me" | "team";
  /** Null: the default of the installation. */
  format: ClipFormat | null;
  /** RenderSettings without the time adjustments. */
  settings: JSONColumnType<Partial<RenderSettings>>;
  /** Visibility of clips that are made from now on. */
  visibility: Generated<Visibility>;
  clips_per_day: number;
  /** Only matches played after this count. */
  since: Timestamp;
  /** True after the first look: matches without a date that it listed count as played before. */
  knows_past: Generated<boolean>;
  next_look_at: Timestamp;
  /** Until when a worker has it; after that, another may take over. */
  leased_until: NullableTimestamp;
  /** Consecutive failed looks. */
  failures: Generated<number>;
  looked_at: NullableTimestamp;
  /** When a look last found a new match. */
  found_at: NullableTimestamp;
  /** A sentence: why the last look or import failed. */
  problem: string | null;
}

/** A match of a player's history that was imported automatically, or must not be. */
export interface AutomationMatchesTable {
  user_id: number;
  /** The history provider's id. */
  provider_id: string;
  /** Null once it is deleted, and for matches that were never imported automatically. */
  match_id: string | null;
  state: "past" | "importing" | "making" | "failed" | "done";
  /** Number of imports that were begun. */
  tries: Generated<number>;
  /** When it was found. For an ended match without a date this is renewed while the history lists it. */
  found_at: Timestamp;
  changed_at: Timestamp;
}

/** A highlight of which a clip is to be made, or was made once: it is never made again. */
export interface AutomationClipsTable {
  user_id: number;
  provider_id: string;
  highlight_id: number;
  /** 0 for the best highlight. */
  place: number;
  wanted_at: Timestamp;
  made_at: NullableTimestamp;
  /** Null until the clip is made, and once it is deleted. */
  clip_id: number | null;
}

/** Addresses that are told when something of a player's is ready. Decision 165. */
export interface WebhooksTable {
  id: GeneratedAlways<number>;
  user_id: number;
  /** A channel of Discord, of which a player has one, or signed messages to a script. */
  kind: "discord" | "script";
  url: string;
  /** Signing secret of a script, in the form of the Standard Webhooks specification. */
  secret: string | null;
  /** WebhookEvent of the contract. */
  events: string[];
  is_on: Generated<boolean>;
  /** A sentence: why the server switched it off. */
  off_reason: string | null;
  created_at: Timestamp;
}

/** A message to a webhook: one for each event. */
export interface WebhookDeliveriesTable {
  id: GeneratedAlways<number>;
  webhook_id: number;
  /** The webhook's. */
  user_id: number;
  /** Lets receivers recognise a message that they have already. */
  message_id: string;
  /** WebhookEvent of the contract, or `test`. */
  event: string;
  /** Id of the clip or match. */
  subject: string;
  /** The body that was sent last; null until it is first sent. */
  body: string | null;
  state: Generated<"waiting" | "sent" | "failed">;
  created_at: Timestamp;
  /** Null: due at once. */
  due_at: NullableTimestamp;
  /** Until when a process that is sending it has it. */
  leased_until: NullableTimestamp;
  tries: Generated<number>;
  /** This and the next four are those of the last try. */
  tried_at: NullableTimestamp;
  /** HTTP status; null when there was no answer. */
  status: number | null;
  took_ms: number | null;
  /** A sentence. */
  problem: string | null;
}

export interface SettingsTable {
  key: string;
  value: string;
}

/** Blobs to delete once no backup needs them. */
interface HeldDeletionsTable {
  key: string;
}

export interface Database {
  users: UsersTable;
  sessions: SessionsTable;
  access_tokens: AccessTokensTable;
  openid_nonces: OpenidNoncesTable;
  demos: DemosTable;
  matches: MatchesTable;
  uploads: UploadsTable;
  highlights: HighlightsTable;
  clips: ClipsTable;
  clip_formats: ClipFormatsTable;
  clip_highlights: ClipHighlightsTable;
  clip_parts: ClipPartsTable;
  likes: LikesTable;
  views: ViewsTable;
  rate_counters: RateCountersTable;
  profiles: ProfilesTable;
  settings: SettingsTable;
  held_deletions: HeldDeletionsTable;
  job_turns: JobTurnsTable;
  map_footprints: MapFootprintsTable;
  automation: AutomationTable;
  automation_matches: AutomationMatchesTable;
  automation_clips: AutomationClipsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  user_totals: UserTotalsTable;
  /** Written only by triggers, one row for each change. */
  user_total_changes: UserTotalsTable;
  status_counts: StatusCountsTable;
  /** Written only by triggers. */
  status_count_changes: StatusCountsTable;
}

export type User = Selectable<UsersTable>;
export type MatchRow = Selectable<MatchesTable>;
export type UploadRow = Selectable<UploadsTable>;
export type ClipRow = Selectable<ClipsTable>;
export type ClipFormatRow = Selectable<ClipFormatsTable>;
export type DemoRow = Selectable<DemosTable>;
export type AutomationRow = Selectable<AutomationTable>;
/** Without `steam_id` and `map`, which serve to find it: its player and map are read from the demo. */
export type HighlightRow = Omit<Selectable<HighlightsTable>, "steam_id" | "map">;
