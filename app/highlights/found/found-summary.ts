import type { FoundHighlight } from "../../../contract/schemas/found-highlights.ts";

/** The fields of a highlight and its match that the page shows. */
export type FoundSummary = Pick<
  FoundHighlight,
  | "id"
  | "highlight_type"
  | "display_name"
  | "player_name"
  | "player_steam_id"
  | "player_avatar_url"
  | "round_number"
  | "reason"
  | "match_id"
  | "map_display_name"
  | "match_date"
  | "imported_at"
  | "can_create_clips"
  | "pictures_url"
>;
