import { boundedLine } from "../../contract/clean-text.ts";
import type { HighlightType } from "../../contract/highlight-types.ts";
import { textLimits } from "../../contract/text-limits.ts";
import type { Highlight, HighlightMoment } from "../highlights/highlight.ts";
import type { HighlightRow } from "../storage/schema.ts";

/** A stored highlight as the detector found it. */
export function storedHighlight(row: HighlightRow): Highlight {
  const moments = row.moments as HighlightMoment[];
  return {
    type: row.type as HighlightType,
    round: row.round,
    player: row.player,
    moments,
    startTick: row.start_tick,
    endTick: row.end_tick,
    score: row.score,
    reason: boundedLine(row.reason, textLimits.reason),
    victims: moments.flatMap((moment) => moment.victim ?? []),
  };
}
