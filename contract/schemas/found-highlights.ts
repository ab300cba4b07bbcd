import { z } from "zod";
import { highlightTypes } from "../highlight-types.ts";
import { textLimits } from "../text-limits.ts";
import { highlightSchema } from "./highlights.ts";
import { matchInfoSchema } from "./match-info.ts";
import { matchDetailSchema } from "./matches.ts";

const day = z.iso.date().max(textLimits.date);

/** Narrows the highlights of all own matches down to those that match every given field. */
export const highlightFilterSchema = z.object({
  type: z.enum(highlightTypes).optional(),
  /** Weapon of a kill in it, as events name it: `awp`. */
  weapon: z.string().max(textLimits.weapon).optional(),
  map: z.string().max(textLimits.mapName).optional(),
  /** A Steam ID, a whole name, or `all`. Default: the caller, if they play in any of the matches. */
  player: z.string().max(textLimits.playerName).optional(),
  /** First and last day on which the match was played, in the time zone of the call. Without a date, the day of the import counts. */
  from: day.optional(),
  until: day.optional(),
});
export type HighlightFilter = z.infer<typeof highlightFilterSchema>;

/** A highlight with its match. */
export const foundHighlightSchema = highlightSchema.extend(matchInfoSchema.shape).extend({
  match_id: z.string(),
  /** False once the replay track of its match is gone. */
  can_create_clips: z.boolean(),
  /** As in the match itself. */
  pictures_url: matchDetailSchema.shape.pictures_url,
});
export type FoundHighlight = z.infer<typeof foundHighlightSchema>;

export const foundHighlightsSchema = z.object({
  /** Best first. */
  results: z.array(foundHighlightSchema),
  /** Whose highlights these are: a Steam ID, a name or `all`. */
  player: z.string(),
  /** True when the caller plays in one of these matches. */
  has_own: z.boolean(),
  /** Maps of all own matches. */
  maps: z.array(z.string()),
  /** Path of the next page, null on the last. */
  next: z.string().nullable(),
});
export type FoundHighlights = z.infer<typeof foundHighlightsSchema>;
