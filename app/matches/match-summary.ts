import type { Match } from "../../contract/schemas/matches.ts";

/** What a match card needs of a match; its highlights and clips stay on the server. */
export type MatchSummary = Omit<Match, "highlights" | "clips" | "id">;

export function summariseMatch({ highlights: _highlights, clips: _clips, id: _id, ...summary }: Match): MatchSummary {
  return summary;
}
