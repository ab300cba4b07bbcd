import type { FoundHighlight } from "./highlight.ts";
import { killHighlight, type LiveRound } from "./live-round.ts";

const maxGapSeconds = 2;

/** Exactly two counted kills of a player in the round, at most two seconds apart, including two by one bullet. */
export function findMultiKills(live: LiveRound): FoundHighlight[] {
  return live.killsByPlayer
    .filter(([, [first, second, ...more]]) => {
      if (!first || !second || more.length > 0) return false;
      return second.tick - first.tick <= maxGapSeconds * live.record.tickRate;
    })
    .map(([, kills]) => killHighlight("multi_kill", live, kills));
}
