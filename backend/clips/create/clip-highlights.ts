import { boundedLine } from "../../../contract/clean-text.ts";
import { customMoments } from "../../../contract/custom-moments.ts";
import { textLimits } from "../../../contract/text-limits.ts";
import type { HighlightMoment, StoredHighlight } from "../../highlights/highlight.ts";
import type { HighlightRow } from "../../storage/schema.ts";

/** A stored highlight as the detector found it, or a player marked it. */
export function storedHighlight(row: HighlightRow): StoredHighlight {
  const moments = row.moments as HighlightMoment[];
  return {
    type: row.type,
    name: row.name === null ? null : boundedLine(row.name, customMoments.nameCharacters),
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
