import type { Clip } from "../../contract/schemas/clips.ts";
import type { Highlight } from "../../contract/schemas/highlights.ts";
import type { Match } from "../../contract/schemas/matches.ts";
import type { DemoRow, MatchRow } from "../storage/schema.ts";
import { importTitle } from "./import-title.ts";
import { matchInfo } from "./match-info.ts";
import { processingState } from "./processing-state.ts";
import { orderedScores, userOutcome } from "./roster-order.ts";

/** What a match is shown with, beside its own row. */
export interface MatchParts {
  demo: DemoRow | null;
  /** Of its import; null when it does not wait. */
  queuePosition: number | null;
  highlightsCount: number;
  /** Some of them in lists, all of them in the detail. */
  highlights: Highlight[];
  clipsCount: number;
  /** The newest in lists, all of them in the detail. */
  clips: Clip[];
}

/** An imported match as the API gives it, the player's own roster first. */
export function presentMatch(row: MatchRow, steamId: string, parts: MatchParts): Match {
  const { score1, score2, own } = orderedScores(parts.demo, row, steamId);
  const info = matchInfo(parts.demo, row, steamId, row.created_at);
  return {
    ...info,
    map_display_name: (info.map_name === "" && importTitle(row)) || info.map_display_name,
    id: row.id,
    match_id: row.id,
    match_type: "imported",
    created_at: row.created_at.toISOString(),
    user_outcome: userOutcome(score1, score2, own),
    highlights_count: parts.highlightsCount,
    highlights: parts.highlights,
    clips_count: parts.clipsCount,
    clips: parts.clips,
    processing_status: row.status,
    processing: processingState(row, parts.highlightsCount, parts.queuePosition),
    demo_url: row.demo_url,
    recent_match_id: row.recent_match_id,
    leetify_match_id: row.leetify_match_id,
    provider_match_url: row.provider_match_url,
  };
}
