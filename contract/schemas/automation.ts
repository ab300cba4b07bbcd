import { z } from "zod";
import { automationLimits } from "../automation-limits.ts";
import { visibilities } from "../clip-address.ts";
import { clipFormatNames } from "../clip-formats.ts";
import { renderSettingsSchema } from "./clips.ts";

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
  format: z.enum(clipFormatNames).optional(),
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
