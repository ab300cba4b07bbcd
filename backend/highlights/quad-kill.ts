import type { FoundHighlight } from "./highlight.ts";
import { killHighlight, type LiveRound } from "./live-round.ts";

/** Exactly four counted kills of a player in the round. */
export function findQuadKills(live: LiveRound): FoundHighlight[] {
  return live.killsByPlayer
    .filter(([, kills]) => kills.length === 4)
    .map(([, kills]) => killHighlight("quad_kill", live, kills));
}
