import { boundedLine } from "../../contract/clean-text.ts";
import { textLimits } from "../../contract/text-limits.ts";
import { knownWeapon } from "../../contract/weapons.ts";
import type { Highlight } from "../highlights/highlight.ts";

/** The columns of a detected highlight, without its demo. */
export function highlightColumns(highlight: Highlight) {
  return {
    type: highlight.type,
    round: highlight.round,
    player: highlight.player,
    kills_count: highlight.moments.filter((moment) => moment.kind === "kill").length,
    score: highlight.score,
    reason: boundedLine(highlight.reason, textLimits.reason),
    start_tick: Math.floor(highlight.startTick),
    end_tick: Math.ceil(highlight.endTick),
    moments: highlight.moments.map((moment) => ({ ...moment, weapon: knownWeapon(moment.weapon) })),
    is_listed: true,
  };
}
