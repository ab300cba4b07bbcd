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
  /** "Firefox on Windows"; null where the browser does not tell, and of sessions that are older than the column. */
  device: string | null;
}

/** What a player's scripts call with. */
export interface AccessTokensTable {
  id: GeneratedAlways<number>;
  user_id: number;
  name: string;
  /** SHA-256 of the token, hex. The token itself is never stored. */
  token_hash: string;
  /** Of the token, for its player to know it by. */
  first_characters: string;
  /** `TokenScope`s with a space between. */
  scopes: string;
  created_at: Timestamp;
  /** Null: it ends when it is revoked. */
  expires_at: NullableTimestamp;
  /** To five minutes. */
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
  /** Of the replay track; null: not known, of what is older than the column. */
  track_bytes: number | null;
  /** Blob key of the pictures of its highlights and its ground; null until they are made, which follows the import. */
  pictures_key: string | null;
  /** When they were last tried, so that what fails is not tried at every look at the match. */
  pictures_tried_at: NullableTimestamp;
  /** Of the rules that found its highlights, all of them. */
  detector_version: number;
  /** The newest version of the rules that was tried on what is stored of it, so that none is tried twice; null: none was. */
  detection_tried: number | null;
  created_at: Timestamp;
}

export type DemoTiming = Pick<MatchRecord, "tickRate" | "rounds">;

export interface DemoPlayer {
  name: string;
  steam_id: string | null;
  team: 0 | 1 | null;
  /** The demo itself has another name for them: see `RecordedPlayer`. Not known of demos that were read before it was asked. */
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
  /** Of that file; null: not known, of what is older than the column. */
  upload_bytes: number | null;
  /** What the player calls an uploaded file, cleaned; null of other sources, and of uploads that are older than the column. */
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

export interface HighlightsTable {
  id: GeneratedAlways<number>;
  demo_sha256: string;
  type: StoredHighlightType;
  round: number;
  /** PlayerIndex in demos.players. */
  player: number;
  /** Of that player, for lists to find it by; written by a trigger, null of a bot. */
  steam_id: GeneratedAlways<string | null>;
  /** Of the demo, likewise. */
  map: GeneratedAlways<string | null>;
  kills_count: number;
  score: number;
  reason: string;
  start_tick: number;
  end_tick: number;
  /** HighlightMoment[] of backend/highlights/highlight.ts */
  moments: JSONColumnType<unknown[]>;
  /** False when the rules find it no more, or who marked it is gone, and it is kept for the clips that were made of it. Decisions 077, 134. */
  is_listed: Generated<boolean>;
  /** What a custom one is called, cleaned; null of those that are found. */
  name: string | null;
  /** Who marked a custom one; null of those that are found, and when that account is gone. */
  made_by: number | null;
  /** Blob key of a custom one's still; null until it is drawn, and of those that are found: theirs are in the pictures of the match. */
  still_key: string | null;
  /** As `pictures_tried_at` of the demo. */
  still_tried_at: NullableTimestamp;
}

export interface ClipsTable {
  id: GeneratedAlways<number>;
  user_id: number;
  /** Null, as `demo_sha256`, of a compilation: its parts are in `clip_parts`. */
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
   * 1..3 while queued or processing, 4 or 5 of one that was made by itself, else null. UNIQUE (user_id, queue_slot): the limit of
   * three clips is held by the database, so that two requests at once cannot both take the last place.
   */
  queue_slot: number | null;
  video_key: string | null;
  poster_key: string | null;
  /** A picture in 16:9 at half the poster's size, for lists. */
  thumbnail_key: string | null;
  /** The poster in 16:9: the poster itself but where that is upright. Null of upright clips that are older than it. */
  wide_poster_key: string | null;
  video_bytes: number | null;
  /** What its video will take as far as can be told: counts while it has a place in the queue. */
  expected_bytes: number | null;
  duration_seconds: number | null;
  /** The file of at most `limits.shareFileBytes`: the video itself where it is small enough. Null until it is made. */
  share_key: string | null;
  /** When it was last put to work outside of the render, so that what fails is tried again hours later. */
  share_tried_at: NullableTimestamp;
  /** The muted loop of three seconds for cards. Null until it is made; for ever where the replay data is gone. */
  loop_key: string | null;
  /** As `share_tried_at`. */
  loop_tried_at: NullableTimestamp;
  /** Of the map's footprints (`maps/<hash>/…`) that were in force when it was created; null: drawn on those of its match. */
  map_hash: string | null;
  /** When its video shows what; null until it is rendered, and of clips that were rendered before such times were kept. */
  moments: ColumnType<StoredMoment[] | null, string | null | undefined, string | null>;
  /** Of an unlisted clip: what its address has behind its id. Null: everybody finds it. */
  link_key: string | null;
  /** By what lists find it, see `clips/lists/found-by.ts`. */
  found_by: Generated<string[]>;
  /** A trigger makes it of `found_by`, for the indexes of lists; 64 bits, which are no number here. Migration 030. */
  found_signature: GeneratedAlways<unknown>;
  /** Scores of its best highlights, by which the "best" lists rank it; written by triggers, null where it has none of theirs. Migration 029. */
  best_clutch: GeneratedAlways<number | null>;
  best_multikill: GeneratedAlways<number | null>;
  best_zeus_knife: GeneratedAlways<number | null>;
  best_noscope: GeneratedAlways<number | null>;
  best_one_tap: GeneratedAlways<number | null>;
  best_ninja_defuse: GeneratedAlways<number | null>;
  likes_count: Generated<number>;
  views_count: Generated<number>;
  /** Nobody pressed for it, and its player has not kept it yet. Decision 164. */
  made_for_you: Generated<boolean>;
  created_at: Timestamp;
  completed_at: NullableTimestamp;
  /** When its name or who finds it changed last; null while neither did. */
  edited_at: NullableTimestamp;
}

/** A moment of a clip's video: a tick that it shows, and when. */
export interface StoredMoment {
  tick: number;
  /** Of the video. */
  seconds: number;
  /** A segment begins here; else a highlight's kill or defuse. */
  isStart: boolean;
}

/** A format added to a finished clip; that in which a clip was created is in its own row. Decision 115. */
export interface ClipFormatsTable {
  clip_id: number;
  /** The clip's. */
  user_id: number;
  format: ClipFormat;
  status: Generated<Exclude<RenderStatus, "pending">>;
  progress: Generated<number>;
  error: string | null;
  /** 1..3 while queued or processing, one of the places that the player's clips have. */
  queue_slot: number | null;
  video_key: string | null;
  poster_key: string | null;
  video_bytes: number | null;
  /** As of clips. */
  expected_bytes: number | null;
  created_at: Timestamp;
  completed_at: NullableTimestamp;
}

export interface ClipHighlightsTable {
  clip_id: number;
  highlight_id: number;
  /** Order of selection. */
  position: number;
}

/** The clips that a compilation is joined of. Decision 150. */
export interface ClipPartsTable {
  /** The compilation. */
  clip_id: number;
  /** From 0 on, in the order in which they are seen. */
  position: number;
  /** Null once that clip is deleted. */
  part_id: number | null;
  /** As they were when it was asked for. */
  name: string;
  duration_seconds: number;
  /** Where it begins in the joint video; null until that is made. */
  start_seconds: number | null;
  /** The highlights that it shows; null where its clip was deleted before this was kept. */
  highlight_ids: JSONColumnType<number[]> | null;
}

export interface LikesTable {
  user_id: number;
  clip_id: number;
  created_at: Timestamp;
}

/** Who viewed what in the last hours: one row keeps a viewer from counting twice in 6 h. */
export interface ViewsTable {
  clip_id: number;
  /** Hash of network and user agent with a salt that changes daily. */
  viewer_hash: string;
  /** Hash of the network alone, of viewers who are not signed in. */
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
  /** Of the sequence `job_order`, which also orders the jobs themselves. */
  turn: number;
}

/** Where players walk on a map, merged from its matches: one file a day at most. Decision 123. */
export interface MapFootprintsTable {
  /** As `demos.map`. */
  map: string;
  /** Clips created from then on are drawn on it, until the next one's time. */
  valid_from: Timestamp;
  /** Of the file's content, in its blob key; null when nothing could be made of the matches. */
  hash: string | null;
  /** How many matches have their walks in it. */
  matches: number;
  /** Hash of the list of matches that were looked at: another one is made when they are others. */
  sources: string;
  made_at: Timestamp;
}

/** What a user has, without the changes that were not added up yet: read by `counts.ts`. Decision 154. */
export interface UserTotalsTable {
  user_id: number;
  clips: Generated<number>;
  finished_clips: Generated<number>;
  /** Of all clips: only finished ones are viewed and liked. */
  views: Generated<number>;
  likes: Generated<number>;
  /** Without those that turned out to be another one. */
  matches: Generated<number>;
  /** Of videos, uploads, and the demos of their matches. */
  bytes: Generated<number>;
  list_changes: Generated<number>;
}

/** Clips and matches by status, without the changes that were not added up yet. */
export interface StatusCountsTable {
  kind: "clips" | "matches";
  status: string;
  count: Generated<number>;
}

/** What a player has made by itself, and when their match history is looked at. Decision 163. */
export interface AutomationTable {
  user_id: number;
  is_on: boolean;
  /** A clip of the best highlight of a match, or one of each that reaches `min_score`. */
  choice: "best" | "above";
  min_score: number;
  /** Whose highlights. */
  players: "me" | "team";
  /** Null: that of the installation. */
  format: ClipFormat | null;
  /** The options of RenderSettings, without the times. */
  settings: JSONColumnType<Partial<RenderSettings>>;
  /** Of the clips that are made from now on. */
  visibility: Generated<Visibility>;
  clips_per_day: number;
  /** Matches that were played before are left alone. */
  since: Timestamp;
  /** Matches without a date that were listed at the first look were played before. */
  knows_past: Generated<boolean>;
  next_look_at: Timestamp;
  /** A worker is looking; another takes over after that. */
  leased_until: NullableTimestamp;
  /** In a row. */
  failures: Generated<number>;
  looked_at: NullableTimestamp;
  /** When a look last found a new match. */
  found_at: NullableTimestamp;
  /** A sentence: why the last look, or the last import, came to nothing. */
  problem: string | null;
}

/** A match of a player's history that is taken care of, or that must not be. */
export interface AutomationMatchesTable {
  user_id: number;
  /** The history provider's id of it. */
  provider_id: string;
  /** Null once it is deleted, and of those that were never imported by itself. */
  match_id: string | null;
  state: "past" | "importing" | "making" | "failed" | "done";
  /** Imports that were begun. */
  tries: Generated<number>;
  /** Of one without a date that has ended also: when it was still listed. */
  found_at: Timestamp;
  changed_at: Timestamp;
}

/** A highlight of which a clip is wanted, or was made once: then never again. */
export interface AutomationClipsTable {
  user_id: number;
  provider_id: string;
  highlight_id: number;
  /** The best has 0. */
  place: number;
  wanted_at: Timestamp;
  made_at: NullableTimestamp;
  /** Null until it is made, and once it is deleted. */
  clip_id: number | null;
}

/** Where a player is told of what is ready. Decision 165. */
export interface WebhooksTable {
  id: GeneratedAlways<number>;
  user_id: number;
  /** Discord's own form, of which a player has one; or signed messages for a script. */
  kind: "discord" | "script";
  url: string;
  /** Of a script: the key of its signatures, as the Standard Webhooks specification writes it. */
  secret: string | null;
  /** WebhookEvent of the contract. */
  events: string[];
  is_on: Generated<boolean>;
  /** A sentence: why the server switched it off. */
  off_reason: string | null;
  created_at: Timestamp;
}

/** A message to a webhook: one for each thing that happened. */
export interface WebhookDeliveriesTable {
  id: GeneratedAlways<number>;
  webhook_id: number;
  /** The webhook's. */
  user_id: number;
  /** By which a receiver knows one that it has had already. */
  message_id: string;
  /** WebhookEvent of the contract, or `test`. */
  event: string;
  /** Id of the clip or match. */
  subject: string;
  /** What was sent last; null until it is first sent. */
  body: string | null;
  state: Generated<"waiting" | "sent" | "failed">;
  created_at: Timestamp;
  /** Null: at once. */
  due_at: NullableTimestamp;
  /** A process is sending it. */
  leased_until: NullableTimestamp;
  tries: Generated<number>;
  /** Of the last try, as the next four. */
  tried_at: NullableTimestamp;
  /** HTTP's; null when there was no answer. */
  status: number | null;
  took_ms: number | null;
  /** A sentence. */
  problem: string | null;
}

export interface SettingsTable {
  key: string;
  value: string;
}

/** Blobs to delete once no backup copies them. */
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
  /** Written by triggers alone, a row for each change. */
  user_total_changes: UserTotalsTable;
  status_counts: StatusCountsTable;
  /** Written by triggers alone. */
  status_count_changes: StatusCountsTable;
}

export type User = Selectable<UsersTable>;
export type MatchRow = Selectable<MatchesTable>;
export type ClipRow = Selectable<ClipsTable>;
export type ClipFormatRow = Selectable<ClipFormatsTable>;
export type DemoRow = Selectable<DemosTable>;
export type AutomationRow = Selectable<AutomationTable>;
/** Without `steam_id` and `map`, by which it is found: the demo says who its player is, and where. */
export type HighlightRow = Omit<Selectable<HighlightsTable>, "steam_id" | "map">;
