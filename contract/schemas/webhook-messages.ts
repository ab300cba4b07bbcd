import { z } from "zod";
import { visibilities } from "../clip-address.ts";
import { clipFormatNames } from "../clip-formats.ts";
import { renderStatuses } from "../statuses.ts";
import type { webhookEvents } from "../webhooks.ts";
import { highlightSchema } from "./highlights.ts";
import { matchInfoSchema } from "./match-info.ts";
import { matchDetailSchema } from "./matches.ts";

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
  format: z.enum(clipFormatNames),
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
  name: z.enum(clipFormatNames),
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
