/**
 * What crosses the API: the calls of the specification's section 7, field by field. The OpenAPI document is generated from
 * these schemas; pages import only the types, so that no schema reaches a browser.
 *
 * Times are ISO 8601 strings in UTC. SteamIDs are strings: as JSON numbers they lose digits.
 */
import { z } from "zod";
import { automationLimits } from "./automation-limits.ts";
import { visibilities } from "./clip-address.ts";
import { clipFormatNames } from "./clip-formats.ts";
import { tooManyHighlights, tooManyParts } from "./clip-rules.ts";
import { customMoments } from "./custom-moments.ts";
import { errorCodes } from "./error-codes.ts";
import { highlightTypes, storedHighlightTypes } from "./highlight-types.ts";
import { killFlags } from "./kill-flags.ts";
import { demoLimits, limits } from "./limits.ts";
import { processingStatuses, renderStatuses } from "./statuses.ts";
import { textLimits } from "./text-limits.ts";
import { tokenScopes } from "./token-scopes.ts";
import { webhookEvents } from "./webhooks.ts";

export const errorBodySchema = z.object({
  /** A short code a program can switch on, e.g. `queue_limit`. */
  error: z.enum(errorCodes),
  /** A sentence for a person. */
  detail: z.string(),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;

/* Accounts */

export const currentUserSchema = z.object({
  steam_id: z.string(),
  steam_name: z.string(),
  avatar_url: z.string().nullable(),
  /** Of an account that may open /operator; all others do not have it. */
  is_operator: z.literal(true).optional(),
});
export type CurrentUser = z.infer<typeof currentUserSchema>;

export const authStatusSchema = z.object({ authenticated: z.boolean(), user: currentUserSchema.nullable() });
export type AuthStatus = z.infer<typeof authStatusSchema>;

/** What a start page needs to know of a player. */
export const standingSchema = z.object({ has_matches: z.boolean() });

/** A browser in which a player is signed in. */
export const ownSessionSchema = z.object({
  id: z.string(),
  /** "Firefox on Windows", or null where the browser does not tell. */
  device: z.string().nullable(),
  started_at: z.string(),
  /** To five minutes. */
  last_seen_at: z.string(),
  /** True of the one that asks. */
  is_current: z.boolean(),
});
export type OwnSession = z.infer<typeof ownSessionSchema>;

export const signOutEverywhereSchema = z.object({
  /** The player's access tokens end as well. */
  revoke_tokens: z.boolean().default(false),
});

/** The Steam ID says that nobody else's account is meant, and that no slip of a script did it. */
export const deleteAccountSchema = z.object({
  steam_id: z
    .string()
    .max(17)
    .regex(/^\d{17}$/, "A Steam ID has 17 digits."),
});

export const ownSessionsSchema = z.object({ results: z.array(ownSessionSchema) });

/** A token of a player's for their scripts, without what it opens. */
export const accessTokenSchema = z.object({
  id: z.int(),
  name: z.string(),
  /** `clutchcast_pat_` and four more, to know it by. */
  first_characters: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  created_at: z.string(),
  /** Null: it ends when it is revoked. */
  expires_at: z.string().nullable(),
  /** To five minutes; null: never. */
  last_used_at: z.string().nullable(),
});
export type AccessToken = z.infer<typeof accessTokenSchema>;

export const accessTokensSchema = z.object({ results: z.array(accessTokenSchema) });

/** With the token itself: in this one answer, and never again. */
export const newAccessTokenSchema = accessTokenSchema.extend({ token: z.string() });
export type NewAccessToken = z.infer<typeof newAccessTokenSchema>;

export const createTokenSchema = z.object({
  name: z.string().max(textLimits.tokenName),
  scopes: z
    .array(z.enum(tokenScopes))
    .min(1, "Choose what the token may do.")
    .max(2 * tokenScopes.length),
  /** After so many days it ends by itself; null: when it is revoked. */
  expires_in_days: z.union([z.literal(30), z.literal(90), z.literal(365), z.null()]).default(90),
});
export type CreateToken = z.infer<typeof createTokenSchema>;

export const loginStartSchema = z.object({ auth_url: z.string() });

/* Matches */

export const userOutcomeSchema = z.object({
  color_class: z.enum(["win", "loss", "draw", "other"]),
  /** The player's roster first: "13 - 9". */
  formatted_score: z.string(),
});

export const victimSchema = z.object({
  name: z.string(),
  steam_id: z.string().nullable(),
  avatar_url: z.string().nullable(),
});

export const highlightKillSchema = z.object({
  tick: z.int(),
  weapon: z.string(),
  weapon_name: z.string(),
  flags: z.array(z.enum(killFlags)),
  victim: victimSchema.nullable(),
});

export const highlightSchema = z.object({
  id: z.int(),
  /** `custom`: marked by hand. */
  highlight_type: z.enum(storedHighlightTypes),
  kills_count: z.int(),
  /** What a custom one is called; null of all others. */
  display_name: z.string().nullable(),
  player_name: z.string(),
  player_steam_id: z.string().nullable(),
  player_avatar_url: z.string().nullable(),
  round_number: z.int(),
  victims_data: z.array(victimSchema),
  /** Ranks highlights of a match, higher is better. */
  score: z.number(),
  /** Why it is a highlight: "4 kills in 6.2 s, two through smoke". */
  reason: z.string(),
  /** The rule of its type, in a sentence. */
  definition: z.string(),
  start_tick: z.int(),
  end_tick: z.int(),
  /** Empty in lists of matches and clips; a match's and a clip's own calls have them. */
  kills: z.array(highlightKillSchema),
});
export type Highlight = z.infer<typeof highlightSchema>;

const clipFormatSchema = z.enum(clipFormatNames);

export const clipUserSchema = z.object({
  steam_id: z.string(),
  username: z.string(),
  avatar_url: z.string().nullable(),
});

export const matchInfoSchema = z.object({
  map_name: z.string(),
  map_display_name: z.string(),
  map_icon_url: z.string(),
  game_mode: z.string(),
  /** When it was played; null where neither demo nor provider say. */
  match_date: z.string().nullable(),
  /** When its owner imported it; null of matches that nobody has, and of compilations. */
  imported_at: z.string().nullish(),
  score_team1: z.int().nullable(),
  score_team2: z.int().nullable(),
});
export type MatchInfo = z.infer<typeof matchInfoSchema>;

export const renderSettingsSchema = z.object({
  xray: z.boolean().default(true),
  hud: z.boolean().default(true),
  radar: z.boolean().default(true),
  killfeed: z.boolean().default(true),
  highlight_info: z.boolean().default(true),
  watermark: z.boolean().default(false),
  pre_time_adjustment: z
    .number()
    .min(limits.preTimeAdjustmentSeconds.min)
    .max(limits.preTimeAdjustmentSeconds.max)
    .default(2),
  post_time_adjustment: z
    .number()
    .min(limits.postTimeAdjustmentSeconds.min)
    .max(limits.postTimeAdjustmentSeconds.max)
    .default(0),
});
export type RenderSettings = z.infer<typeof renderSettingsSchema>;

export const clipSchema = matchInfoSchema.extend({
  id: z.int(),
  /** What stands for it in addresses: its id, and of an unlisted one the key behind it. */
  public_id: z.string(),
  visibility: z.enum(visibilities),
  name: z.string(),
  display_name: z.string(),
  /** One line on what it shows: "Ace · Round 4". */
  highlight_info: z.string(),
  highlights: z.array(highlightSchema),
  render_status: z.enum(renderStatuses),
  queue_position: z.int().nullable(),
  /** 0..1 while rendering. */
  progress: z.number(),
  /** A sentence: why it failed, or what a queued one waits for. */
  render_error: z.string().nullable(),
  render_settings: renderSettingsSchema,
  /** Path below the API base, null until completed. */
  video_url: z.string().nullable(),
  poster_url: z.string().nullable(),
  /** The poster at half its size, for lists. */
  thumbnail_url: z.string().nullable(),
  /** The poster in 16:9, for previews of links: another than the poster where that is upright. */
  wide_poster_url: z.string().nullish(),
  /** Three seconds around the decisive moment in 16:9, muted, to be repeated; null until it is made, which follows the video. */
  loop_url: z.string().nullish(),
  duration_seconds: z.number().nullable(),
  /** The one it was created in, which its addresses serve unless they name another. */
  format: clipFormatSchema,
  width: z.int(),
  height: z.int(),
  created_at: z.string(),
  likes_count: z.int(),
  views_count: z.int(),
  user_has_liked: z.boolean(),
  /** True when the asking visitor made it. */
  is_owner: z.boolean(),
  /** True, for its owner, of one that was made without a press and that they have not kept yet. */
  made_for_you: z.boolean().optional(),
  /** Null of a compilation, whose clips are of any matches: then the fields of the match say what they have in common. */
  match_id: z.string().nullable(),
  user: clipUserSchema,
});
export type Clip = z.infer<typeof clipSchema>;

/** A clip's video in one of its formats. */
export const clipVideoSchema = z.object({
  format: clipFormatSchema,
  width: z.int(),
  height: z.int(),
  render_status: z.enum(renderStatuses),
  queue_position: z.int().nullable(),
  /** 0..1 while rendering. */
  progress: z.number(),
  /** A sentence: why it failed, or what a queued one waits for. */
  render_error: z.string().nullable(),
  /** Path below the API base, null until completed. */
  video_url: z.string().nullable(),
  poster_url: z.string().nullable(),
});
export type ClipVideo = z.infer<typeof clipVideoSchema>;

/** A place in a clip's video to jump to. */
export const clipMarkSchema = z.object({
  /** Of the video. */
  seconds: z.number(),
  kind: z.enum(["highlight", "kill", "defuse"]),
  /** The type of a highlight, the victim of a kill. */
  label: z.string(),
  /** The round of a highlight, the weapon of a kill. */
  detail: z.string(),
  highlight_id: z.int(),
});
export type ClipMark = z.infer<typeof clipMarkSchema>;

/** A clip that a compilation was joined of. */
export const clipPartSchema = z.object({
  /** Null once it is deleted, and for others than the owner while it is unlisted. */
  clip_id: z.int().nullable(),
  /** As it was when the compilation was asked for; "A clip" where others than the owner get no number. */
  name: z.string(),
  duration_seconds: z.number(),
  /** Where it begins in the video; null until that is made. */
  start_seconds: z.number().nullable(),
});
export type ClipPart = z.infer<typeof clipPartSchema>;

const clipVideosSchema = z.object({
  /** Of a compilation, in the order in which they are seen; of every other clip empty. */
  parts: z.array(clipPartSchema),
  /** The one it was created in, then those added since; its owner sees also those that wait, are rendered or have failed. */
  formats: z.array(clipVideoSchema),
  /** The same clip in at most 9.5 MB, for previews and chat apps; null until it is made, which follows the video. */
  share_url: z.string().nullable(),
  /** True for its owner, as long as the replay data is kept. */
  can_add_formats: z.boolean(),
  /** In the video's order; empty until it is rendered, and of clips that are older than such marks. */
  marks: z.array(clipMarkSchema),
});
export type ClipVideos = z.infer<typeof clipVideosSchema>;

export const clipDetailSchema = clipSchema.extend(clipVideosSchema.shape).extend({
  match_info: matchInfoSchema,
  sharing: z.object({ title: z.string(), description: z.string(), created_by: z.string() }),
});
export type ClipDetail = z.infer<typeof clipDetailSchema>;

/** Of an import; `recent` of a match that the provider lists and nobody has imported, `not_found` of an unknown demo. */
const processingStatusSchema = z.enum([...processingStatuses, "recent", "not_found"]);

export const processingStateSchema = z.object({
  is_processing: z.boolean(),
  is_completed: z.boolean(),
  status: processingStatusSchema,
  processing_status: processingStatusSchema,
  /** With the figure where there is one: "Downloading demo, 41 %". */
  status_display: z.string(),
  current_operation: z.string(),
  /** Its place among the imports that wait, 1 for the next; null when it does not wait. */
  queue_position: z.int().nullable(),
  /** 0..1 over the whole import. */
  progress: z.number(),
  highlights_found: z.int(),
  match_id: z.string().nullable(),
  /** A sentence a player understands, when failed. */
  error: z.string().nullable(),
  detail: z.string().nullable(),
  /** When failed: false where another try would end in the same way, which is the demo's fault, or the address's. */
  can_retry: z.boolean(),
});
export type ProcessingState = z.infer<typeof processingStateSchema>;

export const matchSchema = matchInfoSchema.extend({
  /** Same as match_id: an opaque string. */
  id: z.string(),
  match_id: z.string(),
  match_type: z.enum(["imported", "recent"]),
  created_at: z.string(),
  user_outcome: userOutcomeSchema,
  highlights_count: z.int(),
  highlights: z.array(highlightSchema),
  clips_count: z.int(),
  clips: z.array(clipSchema),
  processing_status: processingStatusSchema,
  processing: processingStateSchema,
  demo_url: z.string().nullable(),
  /** Only on `recent` entries: what the import call wants back. */
  recent_match_id: z.string().nullable(),
  /** The history provider's id of a recent match. */
  leetify_match_id: z.string().nullable(),
  /** Where the provider shows this match. */
  provider_match_url: z.string().nullable(),
});
export type Match = z.infer<typeof matchSchema>;

export const matchPlayerSchema = z.object({
  name: z.string(),
  steam_id: z.string().nullable(),
  avatar_url: z.string().nullable(),
});
export type MatchPlayer = z.infer<typeof matchPlayerSchema>;

export const playersByTeamSchema = z.object({
  team1: z.object({ name: z.string(), players: z.array(matchPlayerSchema) }),
  team2: z.object({ name: z.string(), players: z.array(matchPlayerSchema) }),
});

export const matchDetailSchema = matchSchema.extend({
  /** Present with include_players=true. */
  players_by_team: playersByTeamSchema.nullable(),
  /** False once the replay track is gone: no new clips can be made. */
  can_create_clips: z.boolean(),
  /** Before the names of its pictures (`highlight-ID.webp` for the still of a highlight); null until they are made. */
  pictures_url: z.string().nullable(),
});
export type MatchDetail = z.infer<typeof matchDetailSchema>;

export const matchListSchema = z.object({
  results: z.array(matchSchema),
  count: z.int(),
  /** Path of the next page, null on the last. */
  next: z.string().nullable(),
  /** The history provider, null when none is configured. */
  provider: z
    .object({
      name: z.string(),
      url: z.string(),
      /** A sentence when it could not be asked. */ problem: z.string().nullable(),
    })
    .nullable(),
  /** True when the bundled sample match is offered: the player has no match. */
  sample_available: z.boolean(),
});
export type MatchList = z.infer<typeof matchListSchema>;

/** Of a match that the caller has. */
export const ownMatchSchema = z.object({ match_id: z.string() });

const sideSchema = z.enum(["CT", "T"]);

/** A stretch of ticks, both ends inclusive. */
const tickSpanSchema = z.object({ start_tick: z.number(), end_tick: z.number() });

export const matchRoundSchema = tickSpanSchema.extend({
  number: z.int(),
  winner: sideSchema.nullable(),
  /** Before the round, CT first. */
  score: z.object({ ct: z.int(), t: z.int() }),
  kills: z.array(
    z.object({
      tick: z.number(),
      /** Indexes into `players`; null: the world, the bomb. */
      attacker: z.int().nullable(),
      victim: z.int(),
      victim_side: sideSchema.nullable(),
      weapon_name: z.string(),
      headshot: z.boolean(),
    }),
  ),
  bomb: z.array(z.object({ tick: z.number(), kind: z.enum(["planted", "defused", "exploded"]) })),
  /** What of it is recorded: of matches imported before whole rounds were, only what is around highlights. */
  recorded: z.array(tickSpanSchema),
});
export type MatchRound = z.infer<typeof matchRoundSchema>;

export const matchRoundsSchema = z.object({
  /** Ticks a second. */
  tick_rate: z.number(),
  players: z.array(z.object({ name: z.string(), steam_id: z.string().nullable(), team: z.int().nullable() })),
  rounds: z.array(matchRoundSchema),
  /** Path of the replay track; `&round=` for one round of it. */
  track_url: z.string(),
  /** Custom highlights that the caller marked and may take away again: no clip uses them that is their own or public. */
  removable_highlights: z.array(z.int()),
});
export type MatchRounds = z.infer<typeof matchRoundsSchema>;

export const matchAvatarsSchema = z.object({
  avatars: z.array(
    z.object({
      /** Index into `players` of the rounds call. */
      player: z.int(),
      type: z.enum(["image/jpeg", "image/png"]),
      /** At most 128 KB of it. */
      base64: z.string(),
    }),
  ),
});
export type MatchAvatars = z.infer<typeof matchAvatarsSchema>;

const longestRoundSeconds = 3600;
const roundSeconds = z.number().min(0).max(longestRoundSeconds);

export const markMomentSchema = z.object({
  round: z.int().min(1).max(demoLimits.rounds),
  /** Index into `players` of the rounds call: who is followed. */
  player: z
    .int()
    .min(0)
    .max(demoLimits.players - 1),
  /** Seconds since the round went live. */
  from: roundSeconds,
  to: roundSeconds,
  /** Empty for a generated one. */
  name: z
    .string()
    .max(8 * customMoments.nameCharacters)
    .default(""),
});
export type MarkMoment = z.infer<typeof markMomentSchema>;

/* Every text and list of a request has a longest length; a test walks all schemas and finds those without. */

export const demoUrlTooLong = `The demo URL is too long: at most ${limits.demoUrlCharacters} characters are accepted.`;

/** With the blanks that are pasted along; the address itself is measured once they are gone. */
const typedDemoUrl = z.string().max(2 * limits.demoUrlCharacters, demoUrlTooLong);
const providerId = z.string().max(textLimits.id);

export const uploadDemoSchema = z.object({ demo_url: typedDemoUrl });

export const importRecentMatchSchema = z.object({
  demo_url: typedDemoUrl,
  recent_match_id: providerId,
  map_name: z.string().max(textLimits.url).optional(),
  game_mode: z.string().max(textLimits.url).optional(),
  score_team1: z.int().nullish(),
  score_team2: z.int().nullish(),
  match_date: z.string().max(textLimits.date).nullish(),
  skip_validation: z.boolean().optional(),
});

export const checkDemoProcessingSchema = z.object({
  demo_url: typedDemoUrl.optional(),
  leetify_match_id: providerId.nullish(),
});

/* Clips */

export const clipOrders = ["match", "chosen"] as const;

/** The same highlight may be named more than once. */
const maxHighlightIds = 20 * limits.highlightsPerClip;

export const createClipSchema = z.object({
  /** Empty for a generated one. */
  name: z.string().max(limits.clipNameCharacters).default(""),
  highlight_ids: z.array(z.int()).max(maxHighlightIds, tooManyHighlights),
  render_settings: renderSettingsSchema.prefault({}),
  /** Without one that of the installation, `default_clip_format` of GET /api/site/. */
  format: clipFormatSchema.optional(),
  /** The rounds as they were played (the default), or in the order in which their highlights are named. */
  order: z.enum(clipOrders).optional(),
  /** Public unless it says otherwise. */
  visibility: z.enum(visibilities).optional(),
  /** True: the player's clip that would show the same, if there is one, is the answer, and none is made. */
  reuse: z.boolean().optional(),
});
export type CreateClip = z.infer<typeof createClipSchema>;

/** What the browser needs to play a clip before it is rendered. */
export const clipPreviewSchema = z.object({
  /** `ClipSpec` of replay/clip-spec.ts. */
  spec: z.record(z.string(), z.unknown()),
  /** Path of the replay track, as `decodeReplayTrack` of replay/ reads it once the browser has unpacked it. */
  track_url: z.string(),
  /** Of the match that it shows: the video takes a little more or less, since decisive kills run slower in it and waits faster. */
  duration_seconds: z.number(),
});
export type ClipPreview = z.infer<typeof clipPreviewSchema>;

export const clipStatusSchema = clipSchema.extend(clipVideosSchema.shape);
export type ClipState = z.infer<typeof clipStatusSchema>;

export const setVisibilitySchema = z.object({ visibility: z.enum(visibilities) });
/** How a clip is recorded in the game itself. */
export const inGameSchema = z.object({
  clip_name: z.string(),
  /** What the match's demo is called, unpacked, as far as anybody knows and the game's console can say it; else "match.dem". */
  demo_name: z.string(),
  /** A demo tick: from here on playback passes every command of the file for HLAE. */
  first_tick: z.int(),
  /** How many videos HLAE writes, one for each part of the clip. */
  takes: z.int(),
  /** Players whom no console command is sure to find by name: whoever records chooses them by hand. */
  by_hand: z.array(z.string()),
  /** Path below the API base. */
  csdm_url: z.string(),
  hlae_url: z.string(),
});
export type InGame = z.infer<typeof inGameSchema>;

export const renameClipSchema = z.object({ name: z.string().max(limits.clipNameCharacters) });

export const relatedClipsSchema = z.object({
  /** Further finished clips of who made it, going back in time. */
  of_maker: z.array(clipSchema),
  /** Finished clips of others on the same map, the most viewed first. */
  of_map: z.array(clipSchema),
});
export type RelatedClips = z.infer<typeof relatedClipsSchema>;

export const addFormatSchema = z.object({ format: clipFormatSchema });

/** Every clip at most ten times, as a form may send it. */
const maxClipIds = 10 * limits.partsOfCompilation.max;

export const createCompilationSchema = z.object({
  /** Empty for a generated one. */
  name: z.string().max(limits.clipNameCharacters).default(""),
  /** In the order in which they are to be seen. */
  clip_ids: z.array(z.int()).max(maxClipIds, tooManyParts),
  /** One that all of them have; without one that of the first, if all have it. */
  format: clipFormatSchema.optional(),
  /** Without one, public when all its parts are. */
  visibility: z.enum(visibilities).optional(),
});
export type CreateCompilation = z.infer<typeof createCompilationSchema>;

/* Automatic clips */

export const saveAutomationSchema = z.object({
  /** A clip of the best highlight of a match, or one of each that reaches `min_score`. */
  choice: z.enum(["best", "above"]),
  min_score: z
    .number()
    .min(automationLimits.minScore.min)
    .max(automationLimits.minScore.max)
    .default(automationLimits.minScore.standard),
  /** Whose highlights: the player's own, or those of everybody in their team. */
  players: z.enum(["me", "team"]),
  /** Without one that of the installation. */
  format: clipFormatSchema.optional(),
  /** The times follow the highlight, whatever is sent. */
  render_settings: renderSettingsSchema.prefault({}),
  /** Of the clips that are made from then on. Without one as before, public at first. */
  visibility: z.enum(visibilities).optional(),
  clips_per_day: z.int().min(automationLimits.clipsPerDay.min).max(automationLimits.clipsPerDay.max),
});
export type SaveAutomation = z.infer<typeof saveAutomationSchema>;

export const automationSchema = saveAutomationSchema.extend({
  visibility: z.enum(visibilities),
  /** Whose history is looked at; null: this server has none. */
  provider: z.object({ name: z.string(), url: z.string() }).nullable(),
  is_on: z.boolean(),
  /** Matches that were played before are left alone; null while it is off. */
  since: z.string().nullable(),
  looked_at: z.string().nullable(),
  /** When a look last found a new match. */
  found_at: z.string().nullable(),
  /** About; null while it is off, and when it is due. */
  next_look_at: z.string().nullable(),
  /** A sentence: why the last look came to nothing, or that a clip waits because their storage is full. It is tried again by itself. */
  problem: z.string().nullable(),
  matches_found: z.int(),
  /** Being imported, or waiting for their clips. */
  matches_under_way: z.int(),
  /** Made within the last day. */
  clips_today: z.int(),
});
export type Automation = z.infer<typeof automationSchema>;

/* Webhooks */

const webhookEventSchema = z.enum(webhookEvents);
const typedUrl = z.string().max(textLimits.url);

export const saveDiscordSchema = z.object({ url: typedUrl });

export const addWebhookSchema = z.object({
  /** Of a server of one's own, with https. */
  url: typedUrl,
  events: z
    .array(webhookEventSchema)
    .min(1, "Choose at least one event.")
    .max(10 * webhookEvents.length),
});

export const newWebhookSchema = z.object({
  id: z.int(),
  /** For its signatures, as the Standard Webhooks specification writes it: `whsec_…`. Told this once. */
  secret: z.string(),
});

export const webhookSchema = z.object({
  id: z.int(),
  /** A channel of Discord, or a script of one's own. */
  kind: z.enum(["discord", "script"]),
  /** Not whole: it may hold what lets others post there. */
  address: z.string(),
  events: z.array(webhookEventSchema),
  is_on: z.boolean(),
  /** A sentence: why the server switched it off. A test that arrives switches it on. */
  off_reason: z.string().nullable(),
  created_at: z.string(),
});
export type Webhook = z.infer<typeof webhookSchema>;

export const webhookDeliverySchema = z.object({
  id: z.int(),
  webhook_id: z.int(),
  /** The same at every try: a receiver that has it already may leave it. */
  message_id: z.string(),
  /** An event, or `test`. */
  event: z.string(),
  state: z.enum(["waiting", "sent", "failed"]),
  created_at: z.string(),
  tries: z.int(),
  /** Of the last try, as the next three. */
  tried_at: z.string().nullable(),
  status: z.int().nullable(),
  took_ms: z.int().nullable(),
  /** A sentence. */
  problem: z.string().nullable(),
  next_try_at: z.string().nullable(),
});
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;

export const webhookListSchema = z.object({
  results: z.array(webhookSchema),
  /** The newest first. */
  deliveries: z.array(webhookDeliverySchema),
});
export type WebhookList = z.infer<typeof webhookListSchema>;

export const webhookOutcomeSchema = z.object({
  ok: z.boolean(),
  /** Null when there was no answer. */
  status: z.int().nullable(),
  took_ms: z.int(),
  /** A sentence. */
  problem: z.string().nullable(),
});
export type WebhookOutcome = z.infer<typeof webhookOutcomeSchema>;

/** What narrows a list of clips down; every one that is given must fit. */
export const clipFilterSchema = z.object({
  /** As `map_name`. */
  map: z.string().max(textLimits.mapName).optional(),
  type: z.enum(highlightTypes).optional(),
  /** Of a highlight in it: a Steam ID, or the whole name in that demo, whatever its case. */
  player: z.string().max(textLimits.playerName).optional(),
});
export type ClipFilter = z.infer<typeof clipFilterSchema>;

const day = z.iso.date().max(textLimits.date);

/** What narrows the highlights of all own matches down; every one that is given must fit. */
export const highlightFilterSchema = z.object({
  type: z.enum(highlightTypes).optional(),
  /** Of a kill in it, as events name it: `awp`. */
  weapon: z.string().max(textLimits.weapon).optional(),
  map: z.string().max(textLimits.mapName).optional(),
  /** A Steam ID, a whole name, or `all`. Without: the caller's own, if there are any. */
  player: z.string().max(textLimits.playerName).optional(),
  /** Days on which the match was played, both included, in the time zone of the call; of matches without a date, those of the import. */
  from: day.optional(),
  until: day.optional(),
});
export type HighlightFilter = z.infer<typeof highlightFilterSchema>;

/** A highlight with the match it is of. */
export const foundHighlightSchema = highlightSchema.extend(matchInfoSchema.shape).extend({
  match_id: z.string(),
  /** False once the replay track of its match is gone. */
  can_create_clips: z.boolean(),
  /** As the match's own. */
  pictures_url: matchDetailSchema.shape.pictures_url,
});
export type FoundHighlight = z.infer<typeof foundHighlightSchema>;

export const foundHighlightsSchema = z.object({
  /** The best first. */
  results: z.array(foundHighlightSchema),
  /** Whose they are: a Steam ID, a name or `all`. */
  player: z.string(),
  /** True when the caller plays in one of these matches. */
  has_own: z.boolean(),
  /** Of all own matches. */
  maps: z.array(z.string()),
  /** Path of the next page, null on the last. */
  next: z.string().nullable(),
});
export type FoundHighlights = z.infer<typeof foundHighlightsSchema>;

export const clipGroupSchema = matchInfoSchema.extend({ match_id: z.string().nullable(), clips: z.array(clipSchema) });
export type ClipGroup = z.infer<typeof clipGroupSchema>;

export const clipsOverviewSchema = z.object({
  results: z.array(clipGroupSchema),
  user_stats: z.object({ total_clips: z.int(), total_views: z.int(), total_likes: z.int() }),
  /** What one's own files take and may take; only of one's own clips, and where the server has a limit. */
  storage: z.object({ used_bytes: z.int(), quota_bytes: z.int() }).optional(),
  limit: z.int(),
  /** Whether there is more: the path of the next page or null. */
  next: z.string().nullable(),
});
export type ClipsOverview = z.infer<typeof clipsOverviewSchema>;

export const userClipsSchema = clipsOverviewSchema.extend({
  user_info: z.object({ steam_id: z.string(), username: z.string(), avatar_url: z.string().nullable() }),
});
export type UserClips = z.infer<typeof userClipsSchema>;

export const topListNames = [
  "newest",
  "most_viewed",
  "most_liked",
  "best_clutches",
  "best_multikills",
  "best_zeus_knife",
  "best_noscopes",
  "best_one_taps",
  "best_ninja_defuses",
] as const;
export type TopListName = (typeof topListNames)[number];

export const topHighlightsSchema = z.object(
  Object.fromEntries(topListNames.map((name) => [name, z.array(clipSchema)])) as Record<
    TopListName,
    z.ZodArray<typeof clipSchema>
  >,
);
export type TopHighlights = z.infer<typeof topHighlightsSchema>;

export const likeResultSchema = z.object({ liked: z.boolean(), likes_count: z.int() });
export const likeStatusSchema = z.object({ likes_count: z.int(), user_has_liked: z.boolean(), liked: z.boolean() });
export const viewCountSchema = z.object({ views_count: z.int() });

/** The operator's details and links that pages show; GET /api/site/. */
export const siteSchema = z.object({
  product_name: z.string(),
  public_url: z.string(),
  /** True while sign-in goes through the built-in local identity provider. */
  local_identity: z.boolean(),
  operator: z.object({
    name: z.string(),
    address_lines: z.array(z.string()),
    email: z.string(),
    hosting_provider: z.string(),
    jurisdiction: z.string(),
  }),
  demo_file_days: z.int(),
  demo_data_days: z.int(),
  clip_days: z.int(),
  /** Of clips that are created without naming a format. */
  default_clip_format: clipFormatSchema,
  /** True when clips and pages are for those alone who are signed in. */
  members_only: z.boolean(),
});
export type Site = z.infer<typeof siteSchema>;

/* Operators */

export const operatorOverviewSchema = z.object({
  queues: z.array(
    z.object({
      /** Of `jobs/job-queue.ts`, e.g. `render`. */
      name: z.string(),
      waiting: z.int(),
      running: z.int(),
      oldest_waiting_seconds: z.int().nullable(),
    }),
  ),
  processes: z.array(
    z.object({
      host: z.string(),
      pid: z.int(),
      role: z.enum(["all", "web", "worker"]),
      version: z.string(),
      started_at: z.string(),
      silent_seconds: z.int(),
      answers: z.boolean(),
      free_bytes: z.number(),
      is_short: z.boolean(),
      /** Jobs at once, by queue. */
      places: z.record(z.string(), z.int()),
      running: z.array(z.object({ queue: z.string(), subject: z.string() })),
      reliefs: z.object({ count: z.int(), bytes: z.number() }),
    }),
  ),
  workers_answer: z.boolean(),
  storage: z.object({
    database_bytes: z.number(),
    /** Null before the first count has ended. */
    counted: z
      .object({
        kinds: z.array(z.object({ kind: z.string(), count: z.int(), bytes: z.number() })),
        begun_at: z.string(),
        ended_at: z.string(),
      })
      .nullable(),
    free_bytes: z.number(),
    reserve_bytes: z.number(),
    standing: z.enum(["fine", "short", "full"]),
    /** Those whose files take most. */
    users: z.array(z.object({ steam_id: z.string(), name: z.string(), bytes: z.number() })),
    /** What each may; null: no limit. */
    quota_bytes: z.number().nullable(),
  }),
  /** Null without BACKUP_DIR. */
  backup: z
    .object({
      newest: z.object({ file: z.string(), at: z.string(), bytes: z.number(), kept: z.int() }).nullable(),
      next_due_at: z.string(),
    })
    .nullable(),
  versions: z.array(z.object({ name: z.string(), value: z.string() })),
  started_at: z.string(),
  configuration: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type OperatorOverview = z.infer<typeof operatorOverviewSchema>;

export const failureSchema = z.object({
  id: z.string(),
  queue: z.string(),
  subject: z.string(),
  href: z.string().nullable(),
  player: z.object({ steam_id: z.string(), name: z.string() }).nullable(),
  /** What the player read; null where players see nothing of such a job. */
  sentence: z.string().nullable(),
  /** The error's first line. */
  cause: z.string(),
  attempts: z.int(),
  /** Under which its lines stand in the log; null of what the clock sent. */
  trace_id: z.string().nullable(),
  failed_at: z.string(),
  standing: z.enum(["failed", "done", "under_way", "gone"]),
});
export type OperatorFailure = z.infer<typeof failureSchema>;

export const failurePageSchema = z.object({
  count: z.int(),
  results: z.array(failureSchema),
  causes: z.array(z.object({ queue: z.string(), cause: z.string(), count: z.int(), last_at: z.string() })),
});
export type FailurePage = z.infer<typeof failurePageSchema>;

/** Names a cause as `failurePageSchema` has it. */
export const requeueCauseSchema = z.object({ queue: z.string().max(32), cause: z.string().max(300) });

export const requeuedSchema = z.object({
  requeued: z.int(),
  /** What happened, for the operator. */
  sentence: z.string(),
});

/* Messages to scripts */

const wholeUrl = z.string().regex(/^https?:\/\//);

/** What a message says of a clip, as it is when it is sent. */
export const messageClipSchema = z.object({
  id: z.int(),
  name: z.string(),
  status: z.enum(renderStatuses),
  error: z.string().nullable(),
  /** Of an unlisted clip with its key, as the next three. */
  url: wholeUrl,
  video_url: wholeUrl.nullable(),
  poster_url: wholeUrl.nullable(),
  /** The file for chat apps; it follows the video. */
  share_url: wholeUrl.nullable(),
  format: clipFormatSchema,
  duration_seconds: z.number().nullable(),
  made_for_you: z.boolean(),
  visibility: z.enum(visibilities),
  match_id: z.string().nullable(),
  map: matchInfoSchema.shape.map_name,
  created_at: z.string(),
  highlights: z.array(
    z.object({
      type: highlightSchema.shape.highlight_type,
      round: highlightSchema.shape.round_number,
      player: z.object({ name: highlightSchema.shape.player_name, steam_id: highlightSchema.shape.player_steam_id }),
    }),
  ),
});
export type MessageClip = z.infer<typeof messageClipSchema>;

/** What a message says of a format that was added to a clip. */
export const messageFormatSchema = z.object({
  name: clipFormatSchema,
  width: z.int(),
  height: z.int(),
  status: z.enum(renderStatuses),
  error: z.string().nullable(),
  video_url: wholeUrl.nullable(),
  poster_url: wholeUrl.nullable(),
});
export type MessageFormat = z.infer<typeof messageFormatSchema>;

/** What a message says of a match. */
export const messageMatchSchema = z.object({
  id: z.string(),
  url: wholeUrl,
  map: matchDetailSchema.shape.map_name,
  game_mode: matchDetailSchema.shape.game_mode,
  played_at: matchDetailSchema.shape.match_date,
  /** The player's side first. */
  score: z.array(matchDetailSchema.shape.score_team1),
  highlights_count: matchDetailSchema.shape.highlights_count,
});
export type MessageMatch = z.infer<typeof messageMatchSchema>;

const messageOf = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  /** `timestamp`: when it happened. */
  z.object({ type: z.literal(type), timestamp: z.string(), data });

/** What scripts are posted, by its `type`. */
export const webhookMessageSchemas = {
  "clip.ready": messageOf("clip.ready", z.object({ clip: messageClipSchema })),
  "clip.failed": messageOf("clip.failed", z.object({ clip: messageClipSchema })),
  "clip.format_ready": messageOf(
    "clip.format_ready",
    z.object({ clip: messageClipSchema, format: messageFormatSchema }),
  ),
  "clip.format_failed": messageOf(
    "clip.format_failed",
    z.object({ clip: messageClipSchema, format: messageFormatSchema }),
  ),
  "match.imported": messageOf("match.imported", z.object({ match: messageMatchSchema })),
  test: messageOf("test", z.object({ message: z.string() })),
} as const satisfies Record<(typeof webhookEvents)[number] | "test", z.ZodType>;

/** What CS Demo Manager reads with `csdm video --config-file`. Source: `VideoCommandConfig` in its `src/cli/commands/video-command.ts`. */
export const csdmConfigSchema = z.object({
  /** Of the unpacked demo. */
  demoPath: z.string(),
  outputFileName: z.string(),
  framerate: z.int(),
  width: z.int(),
  height: z.int(),
  trueView: z.boolean(),
  closeGameAfterRecording: z.boolean(),
  concatenateSequences: z.boolean(),
  sequences: z.array(
    z.object({
      number: z.int().min(1),
      startTick: z.int(),
      endTick: z.int(),
      showXRay: z.boolean(),
      showAssists: z.boolean(),
      showOnlyDeathNotices: z.boolean(),
      /** Seconds. */
      deathNoticesDuration: z.number(),
      playerVoicesEnabled: z.boolean(),
      recordAudio: z.boolean(),
      playersOptions: z.array(z.never()).max(0),
      cameras: z.array(z.never()).max(0),
      playerCameras: z.array(z.object({ tick: z.int(), playerSteamId: z.string(), playerName: z.string() })),
    }),
  ),
});
export type CsdmConfig = z.infer<typeof csdmConfigSchema>;
