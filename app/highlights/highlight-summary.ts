import type { Highlight } from "../../contract/schemas/highlights.ts";

/** What the selector shows of a highlight. */
export type HighlightSummary = Pick<
  Highlight,
  | "id"
  | "highlight_type"
  | "kills_count"
  | "display_name"
  | "player_name"
  | "player_steam_id"
  | "player_avatar_url"
  | "round_number"
  | "victims_data"
  | "score"
  | "reason"
>;

export function summariseHighlight(highlight: Highlight): HighlightSummary {
  return {
    id: highlight.id,
    highlight_type: highlight.highlight_type,
    kills_count: highlight.kills_count,
    display_name: highlight.display_name,
    player_name: highlight.player_name,
    player_steam_id: highlight.player_steam_id,
    player_avatar_url: highlight.player_avatar_url,
    round_number: highlight.round_number,
    victims_data: highlight.victims_data,
    score: highlight.score,
    reason: highlight.reason,
  };
}
