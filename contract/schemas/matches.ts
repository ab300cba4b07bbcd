import { z } from "zod";
import { processingStatuses } from "../statuses.ts";
import { clipSchema } from "./clips.ts";
import { highlightSchema } from "./highlights.ts";
import { matchInfoSchema } from "./match-info.ts";

export const userOutcomeSchema = z.object({
  color_class: z.enum(["win", "loss", "draw", "other"]),
  /** The player's roster first: "13 - 9". */
  formatted_score: z.string(),
});

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
