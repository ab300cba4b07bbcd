import { z } from "zod";
import { highlightTypes } from "../highlight-types.ts";
import { textLimits } from "../text-limits.ts";
import { highlightSchema } from "./highlights.ts";
import { matchInfoSchema } from "./match-info.ts";
import { matchDetailSchema } from "./matches.ts";

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
