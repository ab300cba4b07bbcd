import { z } from "zod";
import { automationLimits } from "../automation-limits.ts";
import { visibilities } from "../clip-address.ts";
import { clipFormatNames } from "../clip-formats.ts";
import { renderSettingsSchema } from "./clips.ts";

export const saveAutomationSchema = z.object({
  /** One clip of the best highlight of a match, or one of each highlight that reaches `min_score`. */
  choice: z.enum(["best", "above"]),
  min_score: z
    .number()
    .min(automationLimits.minScore.min)
    .max(automationLimits.minScore.max)
    .default(automationLimits.minScore.standard),
  /** Whose highlights count: the player's own, or those of their whole team. */
  players: z.enum(["me", "team"]),
  /** Default: that of the installation. */
  format: z.enum(clipFormatNames).optional(),
  /** The time adjustments are ignored: they follow from the highlight. */
  render_settings: renderSettingsSchema.prefault({}),
  /** Applies to clips that are made from now on. Default: unchanged, public at first. */
  visibility: z.enum(visibilities).optional(),
  clips_per_day: z.int().min(automationLimits.clipsPerDay.min).max(automationLimits.clipsPerDay.max),
});
export type SaveAutomation = z.infer<typeof saveAutomationSchema>;

export const automationSchema = saveAutomationSchema.extend({
  visibility: z.enum(visibilities),
  /** The history provider; null when this server has none. */
  provider: z.object({ name: z.string(), url: z.string() }).nullable(),
  is_on: z.boolean(),
  /** Only matches played after this count; null while it is off. */
  since: z.string().nullable(),
  looked_at: z.string().nullable(),
  /** When a look last found a new match. */
  found_at: z.string().nullable(),
  /** An estimate; null while it is off, and when the look is due. */
  next_look_at: z.string().nullable(),
  /** A sentence: why the last look failed, or that a clip waits because the player's storage is full. Both are tried again. */
  problem: z.string().nullable(),
  matches_found: z.int(),
  /** Matches that are being imported, or wait for their clips. */
  matches_under_way: z.int(),
  /** Clips that were made within the last 24 hours. */
  clips_today: z.int(),
});
export type Automation = z.infer<typeof automationSchema>;
