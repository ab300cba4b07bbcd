import { z } from "zod";
import { limits } from "../limits.ts";
import { textLimits } from "../text-limits.ts";

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
