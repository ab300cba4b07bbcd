import { z } from "zod";
import { storedHighlightTypes } from "../highlight-types.ts";
import { killFlags } from "../kill-flags.ts";

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
