import { z } from "zod";

export const matchInfoSchema = z.object({
  map_name: z.string(),
  map_display_name: z.string(),
  map_icon_url: z.string(),
  game_mode: z.string(),
  /** When it was played; null where neither demo nor provider say. */
  match_date: z.string().nullable(),
  /** When its owner imported it; null of matches that nobody has, and of compilations. */
  imported_at: z.string().nullish(),
  score_team1: z.int().nullable(),
  score_team2: z.int().nullable(),
});
export type MatchInfo = z.infer<typeof matchInfoSchema>;
