import { z } from "zod";
import { visibilities } from "../clip-address.ts";
import { clipFormatNames } from "../clip-formats.ts";
import { limits } from "../limits.ts";
import { renderStatuses } from "../statuses.ts";
import { highlightSchema } from "./highlights.ts";
import { matchInfoSchema } from "./match-info.ts";

const clipFormatSchema = z.enum(clipFormatNames);

export const clipUserSchema = z.object({
  steam_id: z.string(),
  username: z.string(),
  avatar_url: z.string().nullable(),
});

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

export const clipStatusSchema = clipSchema.extend(clipVideosSchema.shape);
export type ClipState = z.infer<typeof clipStatusSchema>;

export const setVisibilitySchema = z.object({ visibility: z.enum(visibilities) });

export const renameClipSchema = z.object({ name: z.string().max(limits.clipNameCharacters) });

export const addFormatSchema = z.object({ format: clipFormatSchema });

export const likeResultSchema = z.object({ liked: z.boolean(), likes_count: z.int() });
export const likeStatusSchema = z.object({ likes_count: z.int(), user_has_liked: z.boolean(), liked: z.boolean() });
export const viewCountSchema = z.object({ views_count: z.int() });
