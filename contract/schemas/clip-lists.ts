import { z } from "zod";
import { highlightTypes } from "../highlight-types.ts";
import { textLimits } from "../text-limits.ts";
import { clipSchema } from "./clips.ts";
import { matchInfoSchema } from "./match-info.ts";

export const relatedClipsSchema = z.object({
  /** Further finished clips of who made it, going back in time. */
  of_maker: z.array(clipSchema),
  /** Finished clips of others on the same map, the most viewed first. */
  of_map: z.array(clipSchema),
});
export type RelatedClips = z.infer<typeof relatedClipsSchema>;

/** What narrows a list of clips down; every one that is given must fit. */
export const clipFilterSchema = z.object({
  /** As `map_name`. */
  map: z.string().max(textLimits.mapName).optional(),
  type: z.enum(highlightTypes).optional(),
  /** Of a highlight in it: a Steam ID, or the whole name in that demo, whatever its case. */
  player: z.string().max(textLimits.playerName).optional(),
});
export type ClipFilter = z.infer<typeof clipFilterSchema>;

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
